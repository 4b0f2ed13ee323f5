//! Any hint, details or text.

use ackguard::batch::{self, Scrub};
use ackguard::host::ToJson;
use ackguard::json::{TextNode, ToText};
use ackguard::scrub::{
    HintPolicy, Limits, REDACTED, Rules, auth_hint, auth_hint_with, check_auth_hint, check_auth_hint_with,
    check_details, check_details_with, details, details_with, has_stack_trace, text_with,
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
    assert!(!value_has_trace(&once.value), "{:?}", once.value);

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
        assert_eq!(once, twice, "{what:?}");
        // The strict policy drops what is no secret without a finding.
        let is_strict = what == Scrub::Hint(HintPolicy::Strict);
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

fn same(text: &str, value: &Value) {
    let Ok(read) = serde_json::from_str::<Value>(text) else { panic!("no JSON: {text}") };
    assert_eq!(without_numbers(&read), without_numbers(value));
}

/// Names that are alike once scrubbed are numbered in the order of the members, and `Value` sorts them: what has the number
/// is then called otherwise. Members from whose names something was taken are compared by their values.
fn without_numbers(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(without_numbers).collect(),
        Value::Object(members) if members.keys().any(|name| name.contains("[redacted] (")) => {
            let plain = |(name, value): (&String, &Value)| {
                let name = if name.contains(REDACTED) { REDACTED } else { name };
                Value::from(vec![Value::from(name), without_numbers(value)])
            };
            let mut members: Vec<Value> = members.iter().map(plain).collect();
            members.sort_by_cached_key(Value::to_string);
            Value::from(members)
        }
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), without_numbers(value))).collect()
        }
        other => other.clone(),
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
        assert!(rules == Rules::Hint || !has_trace(&once), "{once:?}");
    }
}

fn value_has_trace(value: &Value) -> bool {
    match value {
        Value::String(text) => has_trace(text),
        Value::Array(items) => items.iter().any(value_has_trace),
        Value::Object(members) => {
            members.iter().any(|(name, value)| has_trace(name) || value_has_trace(value))
        }
        _ => false,
    }
}

/// Whether there is a stack trace beside the JSON in a text, or in a text within it. JSON is looked at as JSON: a trace that
/// is partly in it is none.
fn has_trace(text: &str) -> bool {
    if !has_stack_trace(text) && !text.contains(['{', '[']) {
        return false;
    }
    // What follows JSON is in the middle of a line, and this begins one that is no frame whatever follows.
    let beside = |from: usize, end: usize| match from.checked_sub(1) {
        None => text[..end].to_owned(),
        Some(bracket) => format!("File x {}", &text[bracket..end]),
    };
    let (mut at, mut from) = (0, 0);
    // Whoever writes brackets all the way asks for a square of them.
    let mut fuel = 8 * text.len() + 4096;
    while let Some(found) = text[at..].find(['{', '[']) {
        let start = at + found;
        let length = brackets(&text[start..], &mut fuel);
        if fuel == 0 {
            return false;
        }
        at = start + 1;
        let Some(json) = length.map(|length| &text[start..start + length]).filter(|json| is_json(json))
        else {
            continue;
        };
        // A line is a frame or none by all that it has.
        let is_trace = has_stack_trace(&beside(from, at)) && has_stack_trace(&beside(from, text.len()));
        let in_json = || serde_json::from_str(json).is_ok_and(|value| value_has_trace(&value));
        if is_trace || !is_host(&text[..start]) && in_json() {
            return true;
        }
        at = start + json.len();
        from = at;
    }
    has_stack_trace(&beside(from, text.len()))
}

/// Whether a URL may have its host where a text ends: brackets there are the host's.
fn is_host(text: &str) -> bool {
    let mut word =
        text.bytes().rev().take(512).take_while(|byte| !byte.is_ascii_whitespace() && *byte != b'"');
    word.any(|byte| matches!(byte, b'/' | b'\\'))
}

fn is_json(text: &str) -> bool {
    TextNode::parse(text.as_bytes()).is_ok()
}

/// The length of what begins with a bracket, up to the one that closes it.
fn brackets(text: &str, fuel: &mut usize) -> Option<usize> {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        *fuel = fuel.checked_sub(1).unwrap_or_default();
        match byte {
            _ if *fuel == 0 => return None,
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => depth += 1,
            b'}' | b']' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}
