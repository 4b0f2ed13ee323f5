//! Any line from an agent, any configuration: no panic, and a success is only what has no error.
#![no_main]

use ackguard::acp::{RawFailure, classify_failure, parse_acp_config};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &[u8]| {
    let seen = RawFailure { expected_id: Some(1.into()), ..RawFailure::default() };
    if let Some(mut error) = classify_failure(Some(line), seen) {
        let counts = error.reclassify_handshake("s");
        let once = (error.code(), error.details().clone());
        assert_eq!(error.reclassify_handshake("s"), counts);
        assert_eq!((error.code(), error.details().clone()), once);
    }
    if let Err(errors) = parse_acp_config(line, |_| None) {
        let _ = errors.to_acp_error();
    }
});
