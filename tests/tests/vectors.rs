//! Runs every shared case through the public API. The reference for the runners of the other languages.
//!
//! An operation answers with everything that a case may ask about, as one JSON object; what a case expects is compared
//! field by field. An operation, an input or an expectation that is not known fails: a case must not pass because
//! nobody looked. `tests/vectors/README.md` lists the operations.

mod ops;

use std::panic::{AssertUnwindSafe, catch_unwind};

use ackguard_tests::census;
use ackguard_tests::vectors::{self, Case, File};
use serde_json::{Map, Value};

#[test]
fn every_case_of_every_file() {
    let files = vectors::load().unwrap();
    let (mut ran, mut problems) = (Vec::new(), Vec::new());
    for file in &files {
        let mut together = ops::Together::new(file);
        for case in &file.cases {
            // A panic is one case's problem and must not hide what the others show.
            let result = catch_unwind(AssertUnwindSafe(|| run(file, case, &mut together)))
                .unwrap_or_else(|_| Err(Failure::Wrong("panicked".to_owned())));
            if !matches!(result, Err(Failure::NotRun(_))) {
                ran.push(case.id.clone());
            }
            if let Err(Failure::NotRun(problem) | Failure::Wrong(problem)) = result {
                problems.push(format!("{}: {problem}", case.id));
            }
        }
        problems.extend(together.problems());
    }
    census::write("rust", &ran).unwrap();
    assert!(
        problems.is_empty(),
        "{} problems, {} cases run:\n{}",
        problems.len(),
        ran.len(),
        problems.join("\n")
    );
}

enum Failure {
    /// The runner does not know what to do: the case does not count as run.
    NotRun(String),
    /// The answer is not the expected one.
    Wrong(String),
}

fn run(file: &File, case: &Case, together: &mut ops::Together) -> Result<(), Failure> {
    let mut input = case.input.clone();
    let answer = ops::answer(file, &mut input, together).map_err(Failure::NotRun)?;
    let unknown = input.rest();
    if !unknown.is_empty() {
        return Err(Failure::NotRun(format!("does not know the input {}", unknown.join(", "))));
    }
    let problems = compare(&answer, &case.expect);
    if problems.is_empty() { Ok(()) } else { Err(Failure::Wrong(problems.join("; "))) }
}

/// What is expected and does not hold.
fn compare(answer: &Map<String, Value>, expect: &Value) -> Vec<String> {
    if let Value::Array(outcomes) = expect {
        // Several outcomes are right.
        let outcome = answer.get("outcome").unwrap_or(&Value::Null);
        return if outcomes.contains(outcome) {
            Vec::new()
        } else {
            vec![format!("{outcome}, not {expect}")]
        };
    }
    let mut problems = Vec::new();
    // Holds for every answer that says so, asked or not.
    if answer.get("idempotent") == Some(&Value::Bool(false)) {
        problems.push("a second time there is still something to find".to_owned());
    }
    for (field, expected) in expect.as_object().into_iter().flatten() {
        match (field.as_str(), answer.get(field)) {
            // One answer per dialect, each compared as an answer of its own.
            ("0.2" | "0.3", Some(Value::Object(answer))) => {
                problems.extend(compare(answer, expected).into_iter().map(|p| format!("in {field} {p}")));
            }
            ("must_contain" | "must_not_contain", None) => {
                let text = answer.get("text").and_then(Value::as_str).unwrap_or_default();
                let findings = answer.get("findings").unwrap_or(&Value::Null).to_string();
                for part in expected.as_array().into_iter().flatten().filter_map(Value::as_str) {
                    let wanted = field == "must_contain";
                    if text.contains(part) != wanted || (!wanted && findings.contains(part)) {
                        problems.push(format!("{field} {part:?}: {text}, findings {findings}"));
                    }
                }
            }
            (_, Some(actual)) if actual == expected => {}
            (_, Some(actual)) => problems.push(format!("{field} is {actual}, not {expected}")),
            (_, None) => problems.push(format!("does not know the expectation {field}")),
        }
    }
    problems
}
