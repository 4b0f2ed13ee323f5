//! The extension module behind the Python package `ackguard`.
//!
//! Conversions and Python's manners, no rule: the rules are the core's, read through [`node`].

mod acp;
mod arguments;
mod arrow;
mod build;
mod classified;
mod codes;
mod command;
mod errors;
mod handshake;
mod named;
mod names;
mod node;
mod payload;
mod records;
mod security;
mod text;

use pyo3::prelude::*;

/// Panics, so that a test can see what becomes of it.
#[pyfunction]
#[allow(clippy::panic)]
fn _panic() -> PyResult<()> {
    arguments::caught(|| panic!("on purpose"))
}

/// The extension module: private, use `ackguard`.
#[pymodule(gil_used = false)]
mod _native {
    use super::*;

    #[pymodule_export]
    use super::_panic;
    #[pymodule_export]
    use super::acp::{
        _acp_advice, _acp_classify, _acp_config, _acp_initialize, _acp_is_recorded, _acp_message,
        _acp_missing, _acp_payload, _acp_phase, _acp_plan, _acp_session, Ledger, method_not_found_reply,
        readiness, rpc_code_name,
    };
    #[pymodule_export]
    use super::arrow::{_arrow_classify, _arrow_scrub, ArrowResult};
    #[pymodule_export]
    use super::classified::{Classified, classify, classify_ack_args, classify_json, raise_for_error};
    #[pymodule_export]
    use super::codes::{_words, Backoff, CodeInfo, backoff, code_info, codes, retry_advice};
    #[pymodule_export]
    use super::command::{_main, Tally};
    #[pymodule_export]
    use super::handshake::{
        _parse_handshake_body, HandshakeAnswer, ProtocolVersion, check_handshake, classify_ws_close,
        parse_handshake_failure, parse_handshake_text,
    };
    #[pymodule_export]
    use super::names::{
        _skill_name, SkillName, SkillRoot, check_blob_range, check_rel_path, clamp_chunk,
        is_valid_skill_name, marketplace_skill_name, mcp_skill_name, parse_skill_name, suggest_skill_name,
        user_skill_name,
    };
    #[pymodule_export]
    use super::payload::{_error_payload, _malformed_payload, ErrorPayload, ToolResult};
    #[pymodule_export]
    use super::records::{EventResult, Finding, RetryAdvice, RpcErrorView, Scrubbed};

    #[pymodule_export]
    use super::security::{
        auth_error_result, cancelled_result, check_auth_hint, decide_authorization,
        decide_authorization_from_text, default_auth_hint, guard_tool_result, scrub_auth_hint, scrub_details,
        timeout_result,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // isinstance(payload, Mapping) holds.
        let mapping = module.py().import("_collections_abc")?.getattr("Mapping")?;
        mapping.call_method1("register", (module.py().get_type::<super::payload::ErrorPayload>(),))?;
        module.add("VERSION", ackguard::VERSION)?;
        module.add("PROTOCOL_VERSION", ackguard::PROTOCOL_VERSION)
    }
}
