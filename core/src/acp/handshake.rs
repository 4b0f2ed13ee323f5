//! What a host has to check, and to answer, while a session is being set up.

use crate::value::{Map, Value, decimal};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::string::ToString;

use super::code::AcpErrorCode;
use super::error::AcpError;
use super::reclassify::{HANDSHAKE, PHASE, UNDERLYING_CODE};
use super::rpc::{METHOD_NOT_FOUND, RpcId, integer, integer_value};
use crate::host::{Members, Node, View, keys};

keys!(
    /// The member of an `initialize` result that a client cannot do without.
    pub(crate) INITIALIZE = 24 {
        "protocolVersion" => I_VERSION,
    }
);

keys!(
    /// The member of a `session/new` result that a client cannot do without.
    pub(crate) SESSION = 25 {
        "sessionId" => S_ID,
    }
);

/// The most bytes of a method's name that a reply repeats.
const MAX_METHOD_BYTES: usize = 256;

/// Checks the result of `initialize` and gives the protocol version that the agent chose.
///
/// The version has to be an integer from 0 to 65535, as ACP has it. Whether the host speaks that version is the
/// host's to decide; if it does not, [`AcpError::handshake_fail`] says so.
///
/// # Errors
///
/// Outside, the host's own error. Inside, a `handshake_fail` whose `underlying_code` is `protocol_error`: the
/// agent answered, but not with what ACP asks for.
pub fn check_initialize_result<N: Node>(result: &N) -> Result<Result<u16, AcpError>, N::Error> {
    let Some(version) = result.members(&INITIALIZE)?.get(I_VERSION)? else {
        return Ok(Err(broken("the result of `initialize` has no `protocolVersion`")));
    };
    Ok(match integer(&version.view()?) {
        Some(version) => u16::try_from(version).map_err(|_| {
            broken("`protocolVersion` is out of range")
                .with_detail("protocol_version", integer_value(version))
        }),
        None => Err(broken("`protocolVersion` is no integer")),
    })
}

/// Checks the result of `session/new` and gives the session's id, a text that is not empty.
///
/// # Errors
///
/// As [`check_initialize_result`].
pub fn check_session_result<N: Node>(result: &N) -> Result<Result<String, AcpError>, N::Error> {
    let Some(id) = result.members(&SESSION)?.get(S_ID)? else {
        return Ok(Err(broken("the result of `session/new` has no `sessionId`")));
    };
    Ok(match id.view()? {
        View::String(id) if !id.is_empty() => Ok(id.into_owned()),
        View::String(_) => Err(broken("`sessionId` is empty")),
        _ => Err(broken("`sessionId` is no text")),
    })
}

fn broken(message: &str) -> AcpError {
    AcpError::client(AcpErrorCode::HandshakeFail, message)
        .with_detail(PHASE, HANDSHAKE)
        .with_detail(UNDERLYING_CODE, AcpErrorCode::ProtocolError.as_str())
}

/// The answer to a request whose method the host does not have, as one line of JSON without the line's end.
///
/// `id` is repeated exactly: an agent that gets no answer waits for ever. The method's name is repeated in
/// `data`, at most 256 bytes of it.
///
/// ```
/// use ackguard::acp::method_not_found_reply;
///
/// assert_eq!(
///     method_not_found_reply(&77.into(), "fs/read_text_file"),
///     r#"{"jsonrpc":"2.0","id":77,"error":{"code":-32601,"message":"Method not found","data":{"method":"fs/read_text_file"}}}"#,
/// );
/// ```
#[must_use]
pub fn method_not_found_reply(id: &RpcId, method: &str) -> String {
    let id = match id {
        // Beyond 64 bits a JSON value would round it.
        RpcId::Integer(id) => decimal(*id),
        other => other.to_value().to_string(),
    };
    let cut = (0..=MAX_METHOD_BYTES.min(method.len())).rev().find(|&at| method.is_char_boundary(at));
    let mut data = Map::new();
    data.insert("method".to_owned(), Value::from(method.get(..cut.unwrap_or(0)).unwrap_or_default()));
    let data = Value::Object(data);
    let code = decimal(METHOD_NOT_FOUND);
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"Method not found","data":{data}}}}}"#
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_version_is_an_integer_in_range() {
        for (result, expected) in [
            (json!({"protocolVersion": 1, "agentCapabilities": {}}), Some(1)),
            (json!({"protocolVersion": 0}), Some(0)),
            (json!({"protocolVersion": 99}), Some(99)),
            (json!({"protocolVersion": 1.0}), Some(1)),
            (json!({"protocolVersion": "1"}), None),
            (json!({"protocolVersion": true}), None),
            (json!({"protocolVersion": null}), None),
            (json!({"protocolVersion": -1}), None),
            (json!({"protocolVersion": 65_537}), None),
            (json!({"protocolVersion": 1.5}), None),
            (json!({}), None),
            (json!(null), None),
            (json!([1]), None),
        ] {
            let Ok(version) = check_initialize_result(&&result);
            match (version, expected) {
                (Ok(version), Some(expected)) => assert_eq!(version, expected),
                (Err(mut error), None) => {
                    assert_eq!(error.code(), AcpErrorCode::HandshakeFail);
                    assert!(error.is_handshake_failure());
                    assert!(error.reclassify_handshake("x"));
                    assert_eq!(error.details()["underlying_code"], "protocol_error");
                    assert_eq!(error.details()["server"], "x");
                }
                (got, _) => panic!("{result}: {got:?}"),
            }
        }
    }

    #[test]
    fn a_session_has_an_id() {
        for (result, expected) in [
            (json!({"sessionId": "s1"}), Some("s1")),
            (json!({"sessionId": ""}), None),
            (json!({"sessionId": 1}), None),
            (json!({"sessionId": null}), None),
            (json!({}), None),
            (json!("s1"), None),
        ] {
            let Ok(id) = check_session_result(&&result);
            assert_eq!(id.ok().as_deref(), expected, "{result}");
        }
    }

    #[test]
    fn a_reply_is_one_line_with_the_same_id() {
        for id in [
            RpcId::from(0),
            RpcId::from(-5),
            RpcId::from("perm-\"1\n"),
            RpcId::Null,
            RpcId::Integer(1 << 80),
            RpcId::Fraction(1.5),
        ] {
            let reply = method_not_found_reply(&id, &"é\n\"".repeat(300));
            assert!(!reply.contains('\n'));
            let node = crate::json::TextNode::parse(reply.as_bytes()).unwrap();
            let Ok(view) = crate::acp::rpc::view(&node);
            assert_eq!(view.id, Some(id));
            assert_eq!(view.rpc_code, Some(METHOD_NOT_FOUND));
            assert!(!view.is_malformed());
        }
    }
}
