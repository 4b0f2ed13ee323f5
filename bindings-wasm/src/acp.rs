//! The ACP client taxonomy. The errors themselves are JavaScript's; what is decided about them is the core's.

use ackguard::Dialect;
use ackguard::acp::failure::IoFailure;
use ackguard::acp::reclassify::plan;
use ackguard::acp::{
    self, AcpError, AcpErrorCode, AcpErrorKind, ErrorLedger, Interaction, RawFailure, RpcId, Timestamp,
    retry_advice,
};
use ackguard::json::TextNode;
use ackguard::value::{Map, Value};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::any::AnyNode;
use crate::asked::Asked;
use crate::out::Out;
use crate::scratch::with_scratch;
use crate::{Answer, Fault, misuse, refusal, value, views, with_node};

#[inline(never)]
fn code(asked: &mut Asked) -> Result<AcpErrorCode, Fault> {
    asked.text().parse().map_err(|_| misuse("code is none of the nine ACP error codes"))
}

pub(crate) fn is_acp_code(asked: &mut Asked) -> Answer {
    value(code(asked).is_ok())
}

pub(crate) fn acp_retry_advice(asked: &mut Asked) -> Answer {
    let (kind, code) = (views::acp_kind(&asked.text()), code(asked)?);
    let (in_handshake, rpc_code) = (asked.flag(), asked.maybe_integer());
    value(views::acp_advice(retry_advice(kind, code, in_handshake, rpc_code)))
}

pub(crate) fn acp_plan(asked: &mut Asked) -> Answer {
    let (kind, code, rpc_code) = (views::acp_kind(&asked.text()), code(asked)?, asked.maybe_integer());
    let (has_server, has_underlying, server) = (asked.flag(), asked.flag(), asked.text());
    let plan = plan(kind, code, rpc_code, has_server, has_underlying);
    let mut set = Out::object("", []);
    for (key, to) in plan.set() {
        set.add(key, &(&to.to_value(&server)).into());
    }
    value(Out::object(
        "code|counts|set",
        [plan.new_code.map(|code| code.as_str().into()), Some(plan.counts.into()), Some(set)],
    ))
}

/// The key and the value in `details` that mark an error of the handshake.
pub(crate) fn acp_phase(_: &mut Asked) -> Answer {
    use ackguard::acp::reclassify::{HANDSHAKE, PHASE, SERVER, UNDERLYING_CODE};
    value(Out::array([PHASE, HANDSHAKE, SERVER, UNDERLYING_CODE]))
}

/// Details that are no object are none.
fn details(asked: &mut Asked) -> Map<String, Value> {
    match asked.json() {
        Some(Value::Object(details)) => details,
        _ => Map::new(),
    }
}

/// An error as an answer for the A2C-SMCP wire.
pub(crate) fn acp_wire(asked: &mut Asked) -> Answer {
    let (details, code, rpc_code) = (details(asked), code(asked)?, asked.maybe_integer());
    let payload = acp::payload::payload_of(code, rpc_code, &asked.text(), &details);
    value(views::wire(&payload, Dialect::default()))
}

pub(crate) fn acp_records(asked: &mut Asked) -> Answer {
    value(code(asked).is_ok_and(acp::records_last_error))
}

/// The keys that `details` should have with this code, but for those that it has.
pub(crate) fn acp_missing_details(asked: &mut Asked) -> Answer {
    let (code, set) = (code(asked)?, asked.texts());
    value(Out::array(acp::missing_details(code, |key| set.iter().any(|it| it == key))))
}

pub(crate) fn acp_readiness(asked: &mut Asked) -> Answer {
    value(acp::readiness_of(&asked.text(), asked.flag()).as_str())
}

pub(crate) fn acp_rpc_code_name(asked: &mut Asked) -> Answer {
    value(asked.maybe_integer().and_then(acp::rpc_code_name))
}

pub(crate) fn acp_server_not_found(asked: &mut Asked) -> Answer {
    value(views::acp_error(&AcpError::server_not_found(&asked.text())))
}

pub(crate) fn acp_rpc_message(asked: &mut Asked) -> Answer {
    let rpc_code = asked.maybe_integer().unwrap_or_default();
    value(ackguard::acp::error::rpc_error_message(rpc_code, &asked.text()))
}

pub(crate) fn acp_interaction_message(asked: &mut Asked) -> Answer {
    value(AcpError::interaction_required(&asked.text(), Interaction::default()).message())
}

/// What a host saw: a response as a value, or as text of a length in the scratch space, negative if there is none.
pub(crate) fn acp_classify_failure(asked: &mut Asked) -> Answer {
    let response = asked.node();
    let expected_id = asked.node().and_then(|id| {
        let Ok(id) = RpcId::read(&id);
        id
    });
    let options = match asked.json() {
        Some(Value::Array(options)) => options,
        _ => Vec::new(),
    };
    let line = asked.number();
    #[allow(clippy::cast_possible_truncation)] // an exit code is small
    let exit_code = asked.maybe_number().map(|code| code as i64);
    let (timeout, io_error) = (asked.maybe_number(), asked.maybe_text());
    let interaction = match (asked.maybe_text(), asked.text()) {
        (Some(method), prompt) => Some(Interaction { method, prompt, options }),
        (None, _) => None,
    };
    let (server, method) = (asked.maybe_text(), asked.maybe_text());
    let seen = RawFailure {
        expected_id,
        exit_code,
        io_error: io_error.as_deref().map(IoFailure::from_name),
        timeout,
        interaction,
        server: server.as_deref(),
        method: method.as_deref(),
    };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a length
    let Ok(error) = match response {
        _ if line >= 0.0 => with_scratch(line as usize, |line| match TextNode::parse(line) {
            Ok(line) => acp::classify_parsed_failure(&AnyNode::Text(line), seen),
            Err(_) => Ok(acp::classify_unreadable_failure(seen)),
        }),
        Some(response) => acp::classify_parsed_failure(&response, seen),
        None => Ok(acp::classify_silent_failure(seen)),
    };
    value(error.as_ref().map(views::acp_error))
}

/// The configuration of this length in the scratch space; the environment as names and values in turn.
pub(crate) fn acp_parse_config(asked: &mut Asked) -> Answer {
    let (len, env) = (asked.index(), asked.texts());
    let look_up = |name: &str| {
        let pair = env.chunks_exact(2).rfind(|pair| pair.first().is_some_and(|it| it == name))?;
        pair.get(1).cloned()
    };
    with_scratch(len as usize, |text| match acp::parse_acp_config(text, look_up) {
        Ok(config) => value(views::text(&ackguard::value::to_string(&config).unwrap_or_default())),
        Err(errors) => refused(&errors.to_acp_error()),
    })
}

fn refused(error: &AcpError) -> Answer {
    refusal(views::acp_error(error).with("class", "Acp"))
}

pub(crate) fn acp_check_initialize_result(asked: &mut Asked) -> Answer {
    let Ok(checked) = asked.node().map(|node| acp::check_initialize_result(&node)).transpose();
    match checked {
        Some(Err(error)) => refused(&error),
        checked => value(checked.and_then(Result::ok)),
    }
}

pub(crate) fn acp_check_session_result(asked: &mut Asked) -> Answer {
    let Ok(checked) = asked.node().map(|node| acp::check_session_result(&node)).transpose();
    match checked {
        Some(Err(error)) => refused(&error),
        checked => value(checked.and_then(Result::ok)),
    }
}

pub(crate) fn acp_method_not_found_reply(asked: &mut Asked) -> Answer {
    let (node, method) = (asked.node(), asked.text());
    with_node(node, |id| {
        let id = RpcId::read(&id)?.unwrap_or(RpcId::Null);
        Ok(acp::method_not_found_reply(&id, &method).into())
    })
}

/// What a ledger remembers of an error that is given as its parts, or null. JavaScript keeps it.
pub(crate) fn last_error(asked: &mut Asked) -> Answer {
    let (details, server) = (details(asked), asked.text());
    let (kind, code, message) = (views::acp_kind(&asked.text()), code(asked)?, asked.text());
    let error = match (kind, asked.maybe_integer()) {
        (AcpErrorKind::Rpc, Some(rpc_code)) => AcpError::rpc(rpc_code, "", None),
        (AcpErrorKind::ServerNotFound, _) => AcpError::server_not_found(&server),
        (AcpErrorKind::InteractionRequired, _) => {
            AcpError::interaction_required(&server, Interaction::default())
        }
        _ => AcpError::client(code, ""),
    };
    let error = error.with_message(message).with_details(details);
    #[allow(clippy::cast_possible_truncation)] // saturates, and the time is clamped anyway
    let at = Timestamp::from_unix_micros((asked.number() * 1000.0) as i64);
    let ledger = ErrorLedger::new();
    ledger.record(&server, &error, at);
    value(ledger.last_error(&server).map(|last| {
        Out::object(
            "kind|code|rpcCode|message|details|truncated|at",
            [
                Some(last.kind.as_str().into()),
                Some(last.code.as_str().into()),
                last.rpc_code.map(Into::into),
                Some(last.message.into()),
                Some((&last.details).into()),
                Some(last.truncated.into()),
                Some(last.at.to_string().into()),
            ],
        )
    }))
}
