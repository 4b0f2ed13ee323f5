//! The ACP client taxonomy. The errors themselves are JavaScript's; what is decided about them is the core's.

use ackguard::Dialect;
use ackguard::acp::failure::IoFailure;
use ackguard::acp::reclassify::plan;
use ackguard::acp::{
    self, AcpError, AcpErrorCode, ErrorLedger, Interaction, RawFailure, RpcId, Timestamp, retry_advice,
};
use ackguard::host::{ToJson, copy};
use ackguard::json::TextNode;
use ackguard::value::{Map, Value};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::any::AnyNode;
use crate::heap::Kept;
use crate::host::Thrown;
use crate::out::Out;
use crate::scratch::with_scratch;
use crate::{Answer, Slots, misuse, refusal, value, views, with_node};

fn code(name: &str) -> Result<AcpErrorCode, String> {
    name.parse().map_err(|_| misuse("code is none of the nine ACP error codes"))
}

#[wasm_bindgen]
pub fn is_acp_code(name: &str) -> bool {
    name.parse::<AcpErrorCode>().is_ok()
}

#[wasm_bindgen]
pub fn acp_retry_advice(kind: &str, name: &str, in_handshake: bool, rpc_code: Option<String>) -> String {
    let rpc_code = rpc_code.and_then(|digits| digits.parse().ok());
    match code(name) {
        Ok(code) => {
            value(views::acp_advice(retry_advice(views::acp_kind(kind), code, in_handshake, rpc_code)))
        }
        Err(misuse) => misuse,
    }
}

#[wasm_bindgen]
pub fn acp_plan(
    kind: &str,
    name: &str,
    rpc_code: Option<String>,
    has_server: bool,
    has_underlying: bool,
    server: &str,
) -> String {
    let rpc_code = rpc_code.and_then(|digits| digits.parse().ok());
    let code = match code(name) {
        Ok(code) => code,
        Err(misuse) => return misuse,
    };
    let plan = plan(views::acp_kind(kind), code, rpc_code, has_server, has_underlying);
    let mut set = Out::object("", []);
    for (key, to) in plan.set() {
        set.add(key, &(&to.to_value(server)).into());
    }
    value(Out::object(
        "code|counts|set",
        [plan.new_code.map(|code| code.as_str().into()), Some(plan.counts.into()), Some(set)],
    ))
}

/// The key and the value in `details` that mark an error of the handshake.
#[wasm_bindgen]
pub fn acp_phase() -> Vec<String> {
    use ackguard::acp::reclassify::{HANDSHAKE, PHASE, SERVER, UNDERLYING_CODE};
    [PHASE, HANDSHAKE, SERVER, UNDERLYING_CODE].map(str::to_owned).into()
}

/// What an error consists of, or the answer where it cannot be read. Details that are no object are none.
fn code_and_details(name: &str, details: u32) -> Result<(AcpErrorCode, Map<String, Value>), String> {
    let code = code(name)?;
    match json(details) {
        Ok(Some(Value::Object(details))) => Ok((code, details)),
        Ok(_) => Ok((code, Map::new())),
        Err(Thrown) => Err(Answer::Thrown.into()),
    }
}

/// An error as an answer for the A2C-SMCP wire.
#[wasm_bindgen]
pub fn acp_wire(name: &str, rpc_code: Option<String>, message: &str, details: u32) -> String {
    let (code, details) = match code_and_details(name, details) {
        Ok(read) => read,
        Err(answer) => return answer,
    };
    let rpc_code = rpc_code.and_then(|digits| digits.parse().ok());
    let payload = acp::payload::payload_of(code, rpc_code, message, &details);
    value(views::wire(&payload, Dialect::default()))
}

#[wasm_bindgen]
pub fn acp_records(name: &str) -> bool {
    name.parse().is_ok_and(acp::records_last_error)
}

/// The keys that `details` should have with this code; `set` are those it has.
#[wasm_bindgen]
pub fn acp_missing_details(name: &str, set: Vec<String>) -> String {
    match code(name) {
        Ok(code) => value(Out::array(acp::missing_details(code, |key| set.iter().any(|it| it == key)))),
        Err(misuse) => misuse,
    }
}

#[wasm_bindgen]
pub fn acp_readiness(state: &str, has_active_turn: bool) -> String {
    acp::readiness_of(state, has_active_turn).as_str().to_owned()
}

#[wasm_bindgen]
pub fn acp_rpc_code_name(digits: &str) -> Option<String> {
    digits.parse().ok().and_then(acp::rpc_code_name).map(str::to_owned)
}

#[wasm_bindgen]
pub fn acp_server_not_found(name: &str) -> String {
    value(views::acp_error(&AcpError::server_not_found(name)))
}

#[wasm_bindgen]
pub fn acp_rpc_message(rpc_code: &str, rpc_message: &str) -> String {
    ackguard::acp::error::rpc_error_message(rpc_code.parse().unwrap_or_default(), rpc_message)
}

#[wasm_bindgen]
pub fn acp_interaction_message(server: &str) -> String {
    AcpError::interaction_required(server, Interaction::default()).message().to_owned()
}

fn json(packed: u32) -> Result<Option<Value>, Thrown> {
    match AnyNode::unpack(packed)? {
        Some(node) => Ok(Some(copy(&node, &mut ToJson, ackguard::payload::MAX_DEPTH)?.0)),
        None => Ok(None),
    }
}

/// What a host saw. `line` is the length of a response in the scratch space, negative if there is none there.
#[wasm_bindgen]
#[allow(clippy::too_many_arguments)] // one per thing a host may have seen
pub fn acp_classify_failure(
    line: i32,
    response: u32,
    expected_id: u32,
    exit_code: Option<f64>,
    timeout: Option<f64>,
    io_error: Option<String>,
    interaction: Option<Vec<String>>,
    options: u32,
    server: Option<String>,
    method: Option<String>,
) -> String {
    let judged = || -> Result<Option<AcpError>, Thrown> {
        let interaction = match interaction.as_deref() {
            Some([method, prompt]) => Some(Interaction {
                method: method.clone(),
                prompt: prompt.clone(),
                options: match json(options)? {
                    Some(Value::Array(options)) => options,
                    _ => Vec::new(),
                },
            }),
            _ => None,
        };
        let expected_id = match AnyNode::unpack(expected_id)? {
            Some(id) => RpcId::read(&id)?,
            None => None,
        };
        let seen = RawFailure {
            expected_id,
            #[allow(clippy::cast_possible_truncation)] // an exit code is small
            exit_code: exit_code.map(|code| code as i64),
            io_error: io_error.as_deref().map(IoFailure::from_name),
            timeout,
            interaction,
            server: server.as_deref(),
            method: method.as_deref(),
        };
        match (usize::try_from(line), AnyNode::unpack(response)?) {
            (Ok(len), _) => with_scratch(len, |line| match TextNode::parse(line) {
                Ok(line) => acp::classify_parsed_failure(&AnyNode::Text(line), seen),
                Err(_) => Ok(acp::classify_unreadable_failure(seen)),
            }),
            (_, Some(response)) => acp::classify_parsed_failure(&response, seen),
            (_, None) => Ok(acp::classify_silent_failure(seen)),
        }
    };
    match judged() {
        Ok(error) => value(error.as_ref().map(views::acp_error)),
        Err(Thrown) => Answer::Thrown.into(),
    }
}

/// The configuration of this length in the scratch space; the environment as names and values in turn.
#[wasm_bindgen]
pub fn acp_parse_config(len: usize, env: Vec<String>) -> String {
    let look_up = |name: &str| {
        let pair = env.chunks_exact(2).rfind(|pair| pair.first().is_some_and(|it| it == name))?;
        pair.get(1).cloned()
    };
    with_scratch(len, |text| match acp::parse_acp_config(text, look_up) {
        Ok(config) => value(views::text(&ackguard::value::to_string(&config).unwrap_or_default())),
        Err(errors) => refusal(views::acp_error(&errors.to_acp_error()).with("class", "Acp")),
    })
}

#[wasm_bindgen]
pub fn acp_check_initialize_result(packed: u32) -> String {
    checked(packed, |node| Ok(acp::check_initialize_result(&node)?.map(Into::into)))
}

#[wasm_bindgen]
pub fn acp_check_session_result(packed: u32) -> String {
    checked(packed, |node| Ok(acp::check_session_result(&node)?.map(Into::into)))
}

fn checked(packed: u32, check: impl FnOnce(AnyNode<'_>) -> Result<Result<Out, AcpError>, Thrown>) -> String {
    match AnyNode::unpack(packed).and_then(|node| node.map(check).transpose()) {
        Ok(Some(Ok(out))) => value(out),
        Ok(Some(Err(error))) => refusal(views::acp_error(&error).with("class", "Acp")),
        Ok(None) => value(Out::null()),
        Err(Thrown) => Answer::Thrown.into(),
    }
}

#[wasm_bindgen]
pub fn acp_method_not_found_reply(id: u32, method: &str) -> String {
    with_node(id, |id| {
        let id = RpcId::read(&id)?.unwrap_or(RpcId::Null);
        Ok(acp::method_not_found_reply(&id, method).into())
    })
}

static LEDGERS: Kept<Slots<ErrorLedger>> = Kept::new(Slots::new());

#[wasm_bindgen]
pub fn ledger_new() -> u32 {
    LEDGERS.with(Slots::add)
}

#[wasm_bindgen]
pub fn ledger_free(number: u32) {
    LEDGERS.with(|ledgers| ledgers.remove(number));
}

/// Records an error that is given as its parts. The answer is whether it was recorded.
#[wasm_bindgen]
#[allow(clippy::too_many_arguments)] // the parts of an error
pub fn ledger_record(
    number: u32,
    server: &str,
    kind: &str,
    name: &str,
    message: &str,
    rpc_code: Option<String>,
    details: u32,
    millis: f64,
) -> String {
    let (code, details) = match code_and_details(name, details) {
        Ok(read) => read,
        Err(answer) => return answer,
    };
    let error = match (kind, rpc_code.and_then(|digits| digits.parse().ok())) {
        ("rpc", Some(rpc_code)) => AcpError::rpc(rpc_code, "", None),
        ("server_not_found", _) => AcpError::server_not_found(server),
        ("interaction_required", _) => AcpError::interaction_required(server, Interaction::default()),
        _ => AcpError::client(code, ""),
    };
    let error = error.with_message(message).with_details(details);
    #[allow(clippy::cast_possible_truncation)] // saturates, and the time is clamped anyway
    let at = Timestamp::from_unix_micros((millis * 1000.0) as i64);
    let recorded =
        LEDGERS.with(|ledgers| ledgers.get(number).is_some_and(|ledger| ledger.record(server, &error, at)));
    value(recorded)
}

#[wasm_bindgen]
pub fn ledger_last_error(number: u32, server: &str) -> String {
    let last = LEDGERS.with(|ledgers| ledgers.get(number)?.last_error(server));
    value(last.map(|last| {
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

#[wasm_bindgen]
pub fn ledger_reset(number: u32, server: &str) -> bool {
    LEDGERS.with(|ledgers| ledgers.get(number).is_some_and(|ledger| ledger.reset(server)))
}
