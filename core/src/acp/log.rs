//! What of an error goes to a log: everything, flat and scrubbed.

use crate::value::{Map, Value};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::string::ToString;

use super::error::AcpError;
use super::rpc::{integer_value, rpc_code_name};
use crate::scrub::{self, Rules};

impl AcpError {
    /// Everything, scrubbed and flat, ready for structured logging: `error_code`, `error_message`, `rpc_code`,
    /// `rpc_name` and `rpc_data` of an RPC error, `cause`, and each member of `details` as `details.<key>`.
    /// Containers are written as JSON text.
    ///
    /// Always log this, not the message alone: with the details there is no need to make it happen again.
    #[must_use]
    pub fn log_fields(&self) -> Map<String, Value> {
        let mut fields = Map::new();
        let mut put = |key: &str, value: Value| fields.insert(key.to_owned(), value);
        put("error_code", self.code().as_str().into());
        put("error_message", clean(self.message()).into());
        if let Some(rpc) = self.as_rpc() {
            put("rpc_code", integer_value(rpc.rpc_code));
            if let Some(name) = rpc_code_name(rpc.rpc_code) {
                put("rpc_name", name.into());
            }
            if let Some(data) = &rpc.data {
                put("rpc_data", flat(scrubbed(data)));
            }
        }
        if let Some(cause) = self.cause() {
            put("cause", clean(&cause.to_string()).into());
        }
        for (key, value) in log_details(self.details()) {
            put(&format!("details.{key}"), flat(value));
        }
        fields
    }
}

/// The `details` of an error as they may be logged.
///
/// `args` is read as a command line: a value that follows the option that says what it is, as in
/// `--api-key abc`, is no less a secret than one behind a `=`.
#[must_use]
pub fn log_details(details: &Map<String, Value>) -> Map<String, Value> {
    let mut details = details.clone();
    if let Some(Value::Array(args)) = details.get_mut("args") {
        scrub_command_line(args);
    }
    match scrubbed(&Value::Object(details)) {
        Value::Object(clean) => clean,
        _ => Map::new(),
    }
}

fn scrub_command_line(args: &mut [Value]) {
    let mut option: Option<String> = None;
    for arg in args {
        let Value::String(text) = arg else {
            option = None;
            continue;
        };
        if let Some(option) = option.take() {
            let line = format!("{option}={text}");
            let (clean, findings) = scrub::text(&line, Rules::Details);
            if !findings.is_empty() {
                // A password may begin with a dash; better one option less in the log than that.
                let value = clean.split_once('=').map_or("", |(_, value)| value).to_owned();
                *arg = Value::String(value);
                continue;
            }
        }
        // With a `=` an option has its value already.
        if text.starts_with('-') && !text.as_bytes().contains(&b'=') {
            option = Some(text.trim_start_matches('-').to_owned());
        }
    }
}

pub(super) fn clean(text: &str) -> String {
    scrub::text(text, Rules::Details).0.into_owned()
}

fn scrubbed(value: &Value) -> Value {
    scrub::scrub_value(value, Rules::Details).value
}

fn flat(value: Value) -> Value {
    match value {
        Value::Array(_) | Value::Object(_) => Value::String(value.to_string()),
        scalar => scalar,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn everything_is_there_and_flat() {
        let mut error = AcpError::rpc(-32603, "Internal error", Some(json!({"a": [1]})))
            .with_detail("method", "initialize")
            .with_detail("options", json!([{"id": 1}]))
            .with_cause("broken pipe");
        error.reclassify_handshake("helper");
        assert_eq!(
            Value::Object(error.log_fields()),
            json!({
                "error_code": "protocol_error",
                "error_message": "JSON-RPC error -32603: Internal error",
                "rpc_code": -32603,
                "rpc_name": "internal_error",
                "rpc_data": "{\"a\":[1]}",
                "cause": "broken pipe",
                "details.method": "initialize",
                "details.options": "[{\"id\":1}]",
                "details.phase": "handshake",
                "details.server": "helper",
            })
        );
    }

    #[test]
    fn an_ordinary_command_line_stays() {
        let args = ["--stdio", "--log-level", "debug", "run", "-v", "--port=0"];
        let error = AcpError::process_start_fail("helper", "agent", args, "no such file");
        assert_eq!(Value::Object(log_details(error.details())), Value::Object(error.details().clone()));
    }

    #[test]
    fn a_log_has_no_secret_and_the_error_keeps_it() {
        let secret = ["hunter", "2xyz"].concat();
        let mut args = vec!["--stdio".to_owned()];
        for option in ["--api-key", "--password", "-token"] {
            args.extend([option.to_owned(), secret.clone()]);
        }
        args.extend([
            "--password".to_owned(),
            format!("-{secret}"),
            format!("--token={secret}"),
            "run".to_owned(),
        ]);
        let stderr = format!("connecting\npassword={secret}\nno such file\n");
        let error = AcpError::process_start_fail("helper", "agent", args.clone(), &stderr)
            .with_message(format!("failed: token={secret}"))
            .with_detail("env", json!({"API_KEY": secret, "PATH": "/bin"}))
            .with_cause(format!("password: {secret}"));
        let fields = error.log_fields();
        let shown = Value::Object(fields.clone()).to_string();
        assert!(!shown.contains(&secret), "{shown}");
        for kept in ["--stdio", "--api-key", "run", "no such file", "/bin", "failed"] {
            assert!(shown.contains(kept), "{kept}: {shown}");
        }
        assert_eq!(error.details()["args"], json!(args));
        assert_eq!(error.details()["stderr"], stderr);

        let error = AcpError::rpc(-32603, "m", Some(json!({"access_token": secret, "hint": "log in"})));
        let shown = Value::Object(error.log_fields()).to_string();
        assert!(!shown.contains(&secret) && shown.contains("log in"), "{shown}");
        assert_eq!(error.as_rpc().unwrap().data.as_ref().unwrap()["access_token"], secret);
    }
}
