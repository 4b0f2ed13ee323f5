//! What a host answers on the A2C-SMCP wire when the agent that it drives has failed.

use crate::value::{Map, Value};
use alloc::borrow::ToOwned;
use alloc::string::String;

use super::code::AcpErrorCode;
use super::config::ConfigErrors;
use super::error::AcpError;
use super::log::{clean, log_details};
use super::rpc::integer_value;
use crate::code::ErrorCode;
use crate::payload::ErrorPayload;

/// How a process was started and what it wrote: the operator's, whom logs reach, not the peer's.
const AT_HOME: [&str; 3] = ["command", "args", "stderr"];

impl AcpError {
    /// The error as an answer for the wire: code 500, since the taxonomy's codes are another namespace, with the
    /// own code as `details.error_code`.
    ///
    /// Message and `details` are scrubbed, and `command`, `args` and `stderr` are left out.
    ///
    /// ```
    /// use ackguard::acp::AcpError;
    ///
    /// let payload = AcpError::server_busy("helper").to_payload();
    /// assert_eq!(payload.code().get(), 500);
    /// assert_eq!(payload.details().unwrap()["error_code"], "server_busy");
    /// ```
    #[must_use]
    pub fn to_payload(&self) -> ErrorPayload {
        payload_of(self.code(), self.rpc_code(), self.message(), self.details())
    }
}

impl ConfigErrors {
    /// Always `config_invalid`.
    #[must_use]
    pub const fn code(&self) -> AcpErrorCode {
        AcpErrorCode::ConfigInvalid
    }

    /// The error as an answer for the A2C-SMCP wire: see [`AcpError::to_payload`].
    #[must_use]
    pub fn to_payload(&self) -> ErrorPayload {
        self.to_acp_error().to_payload()
    }
}

/// The same, from the parts of an error that a host keeps as its own exception.
#[must_use]
pub fn payload_of(
    code: AcpErrorCode,
    rpc_code: Option<i128>,
    message: &str,
    details: &Map<String, Value>,
) -> ErrorPayload {
    let mut kept = details.clone();
    kept.retain(|key, value| !AT_HOME.contains(&key.as_str()) && !value.is_null());
    let mut shown = log_details(&kept);
    shown.insert("error_code".to_owned(), code.as_str().into());
    if let Some(number) = rpc_code {
        shown.insert("rpc_code".to_owned(), integer_value(number));
    }
    ErrorPayload::new(ErrorCode::INTERNAL_ERROR, clean(message)).with_details(shown)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_process_and_the_secrets_stay_at_home() {
        let secret = ["hunter", "2xyz"].concat();
        let error = AcpError::process_start_fail("helper", "agent", ["--stdio"], "no such file")
            .with_message(format!("failed: password={secret}"))
            .with_detail("env", json!({"API_KEY": secret}))
            .with_detail("phase", Value::Null);
        let payload = error.to_payload();
        let wire = payload.to_json(crate::Dialect::V0_2);
        assert!(!wire.contains(&secret), "{wire}");
        let details = Value::Object(payload.details().unwrap().clone());
        assert_eq!(details["error_code"], "process_start_fail");
        assert_eq!(details["server"], "helper");
        for gone in ["command", "args", "stderr", "phase"] {
            assert!(details.get(gone).is_none(), "{gone}");
        }
    }

    #[test]
    fn an_rpc_error_keeps_its_number() {
        let details = AcpError::rpc(-32000, "log in", None).to_payload().details().cloned().unwrap();
        assert_eq!(Value::Object(details), json!({"error_code": "protocol_error", "rpc_code": -32000}));
    }
}
