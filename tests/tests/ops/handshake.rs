//! `versions.json` and `handshake.json`.

use ackguard::handshake::{HandshakeFailure, ProtocolVersion, parse_handshake_failure};
use ackguard_tests::vectors::Fields;
use serde_json::{Value, json};

use super::{Answer, needed, object};

pub(super) fn version(input: &mut Fields) -> Result<Answer, String> {
    if let Some(version) = input.text("version") {
        return Ok(object(match ProtocolVersion::parse(&version) {
            Ok(parsed) => json!({ "ok": true, "text": parsed.to_string() }),
            Err(error) => json!({ "ok": false, "reason": error.reason.as_str() }),
        }));
    }
    let mut side = |name| {
        let text = needed(name, input.text(name))?;
        ProtocolVersion::parse(&text).map_err(|error| format!("{name}: {error}"))
    };
    let (client, server) = (side("client")?, side("server")?);
    Ok(object(json!({ "compatible": client.is_compatible_with(server) })))
}

pub(super) fn failure(input: &mut Fields) -> Result<Answer, String> {
    let status = needed("status", input.take("status").as_ref().and_then(Value::as_u64))?;
    let status = u16::try_from(status).map_err(|error| error.to_string())?;
    let headers = needed("headers", input.take("headers"))?;
    let headers = headers.as_object().into_iter().flatten();
    let headers = headers.map(|(name, value)| (name, value.as_str().unwrap_or_default()));
    let body = needed("body", input.text("body"))?;
    Ok(told(parse_handshake_failure(status, headers, body.as_bytes())))
}

fn told(failure: Option<HandshakeFailure>) -> Answer {
    let code = failure.as_ref().map(|failure| failure.code().get());
    let mut answer = object(json!({ "version_mismatch": false, "code": code }));
    if let Some(HandshakeFailure::VersionMismatch(mismatch)) = failure {
        answer.extend(object(json!({
            "version_mismatch": true,
            "server_version": mismatch.server_version,
            "client_version": mismatch.client_version,
            "min_supported": mismatch.min_supported,
            "max_supported": mismatch.max_supported,
        })));
    }
    answer
}
