//! The cases of `auth_hints.json`, through the public functions.

use ackguard::host::ToJson;
use ackguard::scrub::{self, HintPolicy, Scrubbed};
use ackguard_tests::vectors;
use serde_json::Value;

fn scrubbed(input: &Value, details: bool, strict: bool) -> Scrubbed<Value> {
    let policy = if strict { HintPolicy::Strict } else { HintPolicy::Standard };
    let Ok(scrubbed) = if details {
        scrub::details(&input, &mut ToJson)
    } else {
        scrub::auth_hint(&input, policy, &mut ToJson)
    };
    scrubbed
}

#[test]
fn every_case_of_the_file() {
    let files = vectors::load().unwrap();
    let file = files.iter().find(|file| file.name == "auth_hints").unwrap();
    let mut problems = Vec::new();
    for case in &file.cases {
        let mut input = case.input.clone();
        let strict = input.take("strict").is_some_and(|strict| strict == true);
        let (value, details) = match input.take("hint") {
            Some(hint) => (hint, false),
            None => (input.take("details").unwrap(), true),
        };
        assert!(input.rest().is_empty(), "{}: unknown input {:?}", case.id, input.rest());
        let result = scrubbed(&value, details, strict);
        let text = result.value.to_string();
        let list = |name: &str| {
            case.expect.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
        };
        for secret in list("must_not_contain") {
            if text.contains(secret) {
                problems.push(format!("{}: {secret:?} is still in {text}", case.id));
            }
            let findings = serde_json::to_string(&result.findings).unwrap();
            if findings.contains(secret) {
                problems.push(format!("{}: {secret:?} is in {findings}", case.id));
            }
        }
        for kept in list("must_contain") {
            if !text.contains(kept) {
                problems.push(format!("{}: {kept:?} is missing in {text}", case.id));
            }
        }
        if let Some(equal) = case.expect.get("value")
            && *equal != result.value
        {
            problems.push(format!("{}: {equal} expected, {text} came", case.id));
        }
        if case.expect.get("unchanged").is_some_and(|unchanged| unchanged == true)
            && (result.value != value || !result.findings.is_empty())
        {
            problems.push(format!("{}: changed to {text}, {:?}", case.id, result.findings));
        }
        if let Some(categories) = case.expect.get("categories").and_then(Value::as_array) {
            let found: Vec<Value> =
                result.findings.iter().map(|finding| finding.category.as_str().into()).collect();
            if *categories != found {
                problems.push(format!("{}: {categories:?} expected, found {found:?}", case.id));
            }
        }
        let again = scrubbed(&result.value, details, strict);
        if again.value != result.value {
            problems.push(format!("{}: {text} is not stable: {}", case.id, again.value));
        }
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}
