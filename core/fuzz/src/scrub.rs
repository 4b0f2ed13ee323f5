//! Any hint, details or text.

use ackguard::batch::{self, Scrub};
use ackguard::host::ToJson;
use ackguard::json::{TextNode, ToText};
use ackguard::scrub::{
    HintPolicy, Limits, REDACTED, Rules, TRUNCATED, auth_hint, auth_hint_with, check_auth_hint,
    check_auth_hint_with, check_details, check_details_with, details, details_with, has_stack_trace,
    text_with,
};
use serde_json::Value;

use super::exact_value;

/// No panic; once scrubbed there is nothing left to find; the forms of the same scrubbing agree.
pub fn run(text: &[u8]) {
    // What is no JSON is a hint that is one text.
    let value = serde_json::from_slice(text)
        .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(text).into_owned()));
    for policy in [HintPolicy::Standard, HintPolicy::Strict] {
        let Ok(once) = auth_hint(&&value, policy, &mut ToJson);
        let Ok(twice) = auth_hint(&&once.value, policy, &mut ToJson);
        assert_eq!(once.value, twice.value);
        // The strict policy also drops what is no secret.
        if policy == HintPolicy::Standard {
            assert!(once.findings.is_empty() <= (once.value == value), "changed without a finding");
            let Ok(found) = check_auth_hint(&&value);
            assert_eq!(found, once.findings);
        }
    }
    let Ok(once) = details(&&value, &mut ToJson);
    let Ok(twice) = details(&&once.value, &mut ToJson);
    assert_eq!(once.value, twice.value);
    assert!(once.findings.is_empty() <= (once.value == value), "changed without a finding");
    let Ok(found) = check_details(&&value);
    assert_eq!(found, once.findings);

    bounded(&value);
    as_text(text, &once.value);
    if let Ok(text) = std::str::from_utf8(text) {
        plain(text);
    }
}

/// Small bounds: what lies beyond them is found, whichever way it is asked for.
fn bounded(value: &Value) {
    let limits = Limits { depth: 3, text: 100 };
    let Ok(once) = details_with(&value, &mut ToJson, limits);
    let Ok(found) = check_details_with(&value, limits);
    assert_eq!(found, once.findings);
    let Ok(once) = auth_hint_with(&value, HintPolicy::Standard, &mut ToJson, limits);
    let Ok(found) = check_auth_hint_with(&value, limits);
    assert_eq!(found, once.findings);
}

/// A column of texts is scrubbed as the values in it are.
fn as_text(text: &[u8], scrubbed: &Value) {
    for what in [Scrub::Details, Scrub::Hint(HintPolicy::Standard), Scrub::Hint(HintPolicy::Strict)] {
        let (once, found) = batch::scrub(text, what);
        let (twice, _) = batch::scrub(once.as_bytes(), what);
        // By what was taken out of it a text may have become JSON, of which the strict policy keeps less than of a text.
        let is_strict = what == Scrub::Hint(HintPolicy::Strict);
        let became = is_strict && TextNode::parse(once.as_bytes()).is_ok() && TextNode::parse(text).is_err();
        assert!(became || once == twice, "{what:?}: {once:?}, {twice:?}");
        // The strict policy drops what is no secret without a finding.
        assert!(found > 0 || is_strict || *once == String::from_utf8_lossy(text));
    }
    if let (Some(value), Ok(node)) = (exact_value(text), TextNode::parse(text)) {
        for policy in [HintPolicy::Standard, HintPolicy::Strict] {
            let Ok(hint) = auth_hint(&&value, policy, &mut ToJson);
            let (text, _) = batch::scrub(text, Scrub::Hint(policy));
            same(&text, &hint.value);
        }
        let Ok(once) = details(&node, &mut ToText);
        same(&once.value, scrubbed);
    }
}

/// Names that are alike once scrubbed are numbered, in the order of the members, and `Value` sorts them.
fn same(text: &str, value: &Value) {
    if !text.contains("[redacted] (") {
        assert_eq!(serde_json::from_str::<Value>(text).ok().as_ref(), Some(value));
    }
}

fn plain(text: &str) {
    for rules in [Rules::Hint, Rules::Details] {
        let (once, found) = ackguard::scrub::text(text, rules);
        assert!(!found.is_empty() || once == text);
        let (twice, found) = ackguard::scrub::text(&once, rules);
        assert_eq!(once, twice);
        assert!(found.is_empty(), "{found:?} in {once:?}");
        let _ = text_with(text, rules, Limits { depth: 1, text: 64 });
        // JSON in a text is looked at as JSON, and a trace that is partly in one is none.
        let is_plain = !once.replace(REDACTED, "").replace(TRUNCATED, "").contains(['{', '[']);
        assert!(rules == Rules::Hint || !is_plain || !has_stack_trace(&once), "{once:?}");
    }
}
