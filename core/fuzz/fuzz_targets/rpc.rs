//! Any JSON read as a JSON-RPC error: the view is total.
#![no_main]

use ackguard::acp::rpc;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|text: &[u8]| {
    if let Ok(value) = serde_json::from_slice::<Value>(text) {
        let _ = rpc::view(&&value);
    }
});
