//! `versions.json` and `handshake.json`.

use ackguard::handshake::{
    HandshakeFailure, ProtocolVersion, check_handshake, classify_ws_close, parse_handshake_failure,
    parse_handshake_text,
};
use ackguard_tests::vectors::Fields;
use serde_json::{Map, Value, json};

use super::{Answer, needed, object};

pub(super) fn version(input: &mut Fields) -> Result<Answer, String> {
    if let Some(text) = input.text("version") {
        return Ok(object(match ProtocolVersion::parse(&text) {
            Ok(parsed) => json!({ "ok": true, "text": parsed.to_string() }),
            Err(error) => json!({ "ok": false, "reason": error.reason.as_str() }),
        }));
    }
    let (client, server) = (side(input, "client")?, side(input, "server")?);
    Ok(object(json!({ "compatible": client.is_compatible_with(server) })))
}

fn side(input: &mut Fields, name: &str) -> Result<ProtocolVersion, String> {
    let text = needed(name, input.text(name))?;
    ProtocolVersion::parse(&text).map_err(|error| format!("{name}: {error}"))
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

pub(super) fn text(input: &mut Fields) -> Result<Answer, String> {
    Ok(told(parse_handshake_text(&needed("text", input.text("text"))?)))
}

fn told(failure: Option<HandshakeFailure>) -> Answer {
    let code = failure.as_ref().map(|failure| failure.code().get());
    let mut answer = object(json!({ "version_mismatch": false, "code": code }));
    match failure {
        Some(HandshakeFailure::VersionMismatch(mismatch)) => answer.extend(object(json!({
            "version_mismatch": true,
            "message": mismatch.message,
            "server_version": mismatch.server_version,
            "client_version": mismatch.client_version,
            "min_supported": mismatch.min_supported,
            "max_supported": mismatch.max_supported,
        }))),
        Some(HandshakeFailure::Refused(refused)) => {
            answer.insert("message".to_owned(), refused.to_payload().message().into());
        }
        _ => {}
    }
    answer
}

pub(super) fn check(input: &mut Fields) -> Result<Answer, String> {
    let query = needed("query", input.text("query"))?;
    let server = side(input, "server")?;
    Ok(object(match check_handshake(&query, server) {
        Ok(_) => json!({ "accepted": true }),
        Err(answer) => {
            let headers = answer.headers.into_iter().map(|(name, value)| (name.to_owned(), value.into()));
            json!({
                "accepted": false,
                "status": answer.status,
                "headers": headers.collect::<Map<String, Value>>(),
                "body": serde_json::from_str::<Value>(&answer.body).map_err(|error| error.to_string())?,
            })
        }
    }))
}

pub(super) fn ws_close(input: &mut Fields) -> Result<Answer, String> {
    let code = needed("code", input.take("code").as_ref().and_then(Value::as_i64))?;
    Ok(object(json!({ "close": classify_ws_close(code).as_str() })))
}
