//! Any bytes as a payload: no panic, and the text is judged like the value that a JSON parser makes of it.
#![no_main]

use ackguard::payload::{Kind, Report, classify, classify_json};
use ackguard::{Dialect, Locale};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|text: &[u8]| {
    for dialect in [Dialect::V0_2, Dialect::V0_3] {
        let of_text = classify_json(text, dialect).report();
        match serde_json::from_slice::<Value>(text) {
            // For `serde_json` a negative zero is a float; the text says that it is an integer.
            Ok(_) if text.windows(2).any(|two| two == b"-0") => {}
            // It rounds an integer that 64 bits do not hold; the text still has all of its digits.
            Ok(_) if text.windows(19).any(|run| run.iter().all(u8::is_ascii_digit)) => {}
            Ok(value) => assert_eq!(in_order(classify(&value, dialect).report()), in_order(of_text.clone())),
            // What is too deep or too large a number for `Value` is JSON all the same.
            Err(error) if of_text.kind != Kind::Invalid => {
                assert!(
                    error.to_string().contains("recursion") || error.to_string().contains("out of range")
                );
            }
            Err(_) => {}
        }
        if let Some(error) = of_text.error {
            let _ = (error.public_message(Locale::Zh), error.log_fields());
            let written = error.to_json(dialect);
            assert_eq!(classify_json(written.as_bytes(), dialect).kind(), Kind::Error, "{written}");
        }
    }
});

/// `Value` sorts members, and findings come in the order of the members.
fn in_order(mut report: Report) -> Report {
    if let Some(result) = &mut report.tool_result {
        result.findings.sort_by(|a, b| {
            (&a.path, a.category.as_str(), a.action.as_str()).cmp(&(
                &b.path,
                b.category.as_str(),
                b.action.as_str(),
            ))
        });
    }
    report
}
