//! Any hint or details: no panic, and once scrubbed there is nothing left to find.
#![no_main]

use ackguard::host::ToJson;
use ackguard::scrub::{HintPolicy, auth_hint, details};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|text: &[u8]| {
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
        }
    }
    let Ok(once) = details(&&value, &mut ToJson);
    let Ok(twice) = details(&&once.value, &mut ToJson);
    assert_eq!(once.value, twice.value);
});
