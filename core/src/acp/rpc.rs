//! JSON-RPC as ACP speaks it: the numbers, the ids, and what an error object says.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;

use crate::value::Value;

use crate::host::{Members, Node, Shape, View, is_integral, keys};

keys!(
    /// The members of a JSON-RPC frame.
    pub(crate) FRAME = 20 {
        "jsonrpc" => F_JSONRPC,
        "id" => F_ID,
        "method" => F_METHOD,
        "result" => F_RESULT,
        "error" => F_ERROR,
        "params" => F_PARAMS,
    }
);

keys!(
    /// The members of an `error` object.
    pub(crate) ERROR = 21 {
        "code" => E_CODE,
        "message" => E_MESSAGE,
        "data" => E_DATA,
    }
);

/// Invalid JSON was received.
pub const PARSE_ERROR: i128 = -32700;
/// The JSON sent is no request.
pub const INVALID_REQUEST: i128 = -32600;
/// The method does not exist.
pub const METHOD_NOT_FOUND: i128 = -32601;
/// The method's parameters are wrong.
pub const INVALID_PARAMS: i128 = -32602;
/// The peer failed inside.
pub const INTERNAL_ERROR: i128 = -32603;
/// ACP: the user has to log in first.
pub const AUTHENTICATION_REQUIRED: i128 = -32000;
/// ACP: a file or another resource is missing.
pub const RESOURCE_NOT_FOUND: i128 = -32002;
/// The request was cancelled.
pub const REQUEST_CANCELLED: i128 = -32800;

/// The name of a JSON-RPC number, where it has one.
///
/// The numbers are an open set: one without a name is as good an error as any other and is kept as it came.
/// They are 128 bits wide here so that no integer a peer sends is taken for another.
///
/// ```
/// use ackguard::acp::rpc::rpc_code_name;
///
/// assert_eq!(rpc_code_name(-32000), Some("authentication_required"));
/// assert_eq!(rpc_code_name(-32050), Some("server_error"));
/// assert_eq!(rpc_code_name(429), None);
/// ```
#[must_use]
pub const fn rpc_code_name(code: i128) -> Option<&'static str> {
    Some(match code {
        PARSE_ERROR => "parse_error",
        INVALID_REQUEST => "invalid_request",
        METHOD_NOT_FOUND => "method_not_found",
        INVALID_PARAMS => "invalid_params",
        INTERNAL_ERROR => "internal_error",
        AUTHENTICATION_REQUIRED => "authentication_required",
        RESOURCE_NOT_FOUND => "resource_not_found",
        -32099..=-32000 => "server_error",
        REQUEST_CANCELLED => "request_cancelled",
        _ => return None,
    })
}

/// The `id` of a request or a response.
///
/// A number and a text are never the same id, however they look; `1` and `1.0` are, because a host such as
/// JavaScript cannot tell them apart.
#[derive(Debug, Clone, PartialEq)]
pub enum RpcId {
    /// What a peer answers when it could not read the request's id. It matches no request.
    Null,
    /// An integer.
    Integer(i128),
    /// A number with a fraction, which JSON-RPC discourages but does not forbid.
    Fraction(f64),
    /// A text.
    String(String),
}

impl RpcId {
    /// The id that a value stands for, or `None` for a boolean, an array or an object.
    ///
    /// # Errors
    ///
    /// The host's own error.
    pub fn read<N: Node>(node: &N) -> Result<Option<Self>, N::Error> {
        let view = node.view()?;
        Ok(match view {
            View::Null => Some(Self::Null),
            View::String(text) => Some(Self::String(text.into_owned())),
            View::BigInteger(f) => Some(Self::Fraction(f)),
            View::Float(f) => Some(integral(f).map_or(Self::Fraction(f), Self::Integer)),
            View::Integer(i) => Some(Self::Integer(i)),
            View::Bool(_) | View::Array | View::Object | View::Opaque => None,
        })
    }

    /// Whether a response with the id `self` answers the request with the id `expected`.
    #[must_use]
    pub fn answers(&self, expected: &Self) -> bool {
        *self != Self::Null && self == expected
    }

    /// The id as a JSON value. An integer beyond 64 bits becomes the nearest double.
    #[must_use]
    pub fn to_value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Integer(i) => integer_value(*i),
            Self::Fraction(f) => Value::from(*f),
            Self::String(text) => Value::from(text.as_str()),
        }
    }
}

impl From<i64> for RpcId {
    fn from(id: i64) -> Self {
        Self::Integer(id.into())
    }
}

impl From<&str> for RpcId {
    fn from(id: &str) -> Self {
        Self::String(id.to_owned())
    }
}

/// What is wrong with a frame that should have been a JSON-RPC response.
///
/// Each is a `protocol_error`: almost always a defect of the agent (spec: the ACP client taxonomy).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FrameProblem {
    /// The line is no JSON: a banner, a crash report, invalid UTF-8.
    NotJson,
    /// A batch. ACP has none.
    Batch,
    /// JSON, but no object.
    NotObject,
    /// `jsonrpc` is not `"2.0"`.
    Version,
    /// A request or a notification where a response was awaited.
    UnexpectedMethod,
    /// There is no `id`, or it is neither a number nor a text nor null.
    IdType,
    /// The `id` belongs to no request, as a null one never does.
    IdMismatch,
    /// Neither `result` nor `error`.
    Empty,
    /// Both `result` and `error`.
    ResultAndError,
    /// `error` is no object.
    ErrorType,
    /// `error.code` is no integer, or one beyond 128 bits.
    ErrorCode,
    /// `error.message` is no text.
    ErrorMessage,
}

impl FrameProblem {
    /// A stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotJson => "not_json",
            Self::Batch => "batch",
            Self::NotObject => "not_object",
            Self::Version => "version",
            Self::UnexpectedMethod => "unexpected_method",
            Self::IdType => "id_type",
            Self::IdMismatch => "id_mismatch",
            Self::Empty => "empty",
            Self::ResultAndError => "result_and_error",
            Self::ErrorType => "error_type",
            Self::ErrorCode => "error_code",
            Self::ErrorMessage => "error_message",
        }
    }
}

impl fmt::Display for FrameProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotJson => "the line is not JSON",
            Self::Batch => "a batch, which ACP does not have",
            Self::NotObject => "the frame is no object",
            Self::Version => "`jsonrpc` is not \"2.0\"",
            Self::UnexpectedMethod => "a request or notification where a response was awaited",
            Self::IdType => "the response has no usable `id`",
            Self::IdMismatch => "the `id` of the response matches no request",
            Self::Empty => "the response has neither `result` nor `error`",
            Self::ResultAndError => "the response has both `result` and `error`",
            Self::ErrorType => "`error` is no object",
            Self::ErrorCode => "`error.code` is no integer",
            Self::ErrorMessage => "`error.message` is no text",
        })
    }
}

/// What a JSON-RPC error says, as payload classification shows it.
///
/// Reading is total: whatever is missing or of the wrong type is `None`, and `problem` says so.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct RpcView {
    /// The JSON-RPC integer.
    pub rpc_code: Option<i128>,
    /// Its name, where it has one.
    pub name: Option<&'static str>,
    /// `error.message`, if it is a text. A peer wrote it: scrub it before it is logged.
    pub message: Option<String>,
    /// The id of the request that failed.
    pub id: Option<RpcId>,
    /// The first breach of JSON-RPC in the frame.
    pub problem: Option<FrameProblem>,
}

impl RpcView {
    /// Whether the frame breaks JSON-RPC although it could be understood.
    #[must_use]
    pub const fn is_malformed(&self) -> bool {
        self.problem.is_some()
    }
}

// The message is a peer's text and may hold anything.
impl fmt::Debug for RpcView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RpcView")
            .field("rpc_code", &self.rpc_code)
            .field("name", &self.name)
            .field("id", &self.id)
            .field("problem", &self.problem)
            .finish_non_exhaustive()
    }
}

/// Reads the error of a JSON-RPC frame.
///
/// It is meant for an object that has `jsonrpc` `"2.0"` and an object `error`; for anything else it answers
/// with what there is and the problem.
///
/// # Errors
///
/// The host's own error.
pub fn view<N: Node>(node: &N) -> Result<RpcView, N::Error> {
    let frame = node.members(&FRAME)?;
    let id = match frame.get(F_ID)? {
        Some(id) => RpcId::read(&id)?,
        None => None,
    };
    let mut problem = match frame.get(F_JSONRPC)? {
        Some(version) if is_text(&version, "2.0")? => None,
        _ => Some(FrameProblem::Version),
    };
    if frame.get(F_METHOD)?.is_some() {
        problem = problem.or(Some(FrameProblem::UnexpectedMethod));
    }
    if id.is_none() {
        problem = problem.or(Some(FrameProblem::IdType));
    }
    // A null beside the other one is how JSON-RPC 1.0 said "not this one".
    if is_there(frame.get(F_RESULT)?.as_ref())? {
        problem = problem.or(Some(FrameProblem::ResultAndError));
    }
    let error = match frame.get(F_ERROR)? {
        Some(error) if error.shape()? == Shape::Object => ErrorParts::read(&error)?,
        _ => {
            let problem = problem.or(Some(FrameProblem::ErrorType));
            return Ok(RpcView { rpc_code: None, name: None, message: None, id, problem });
        }
    };
    let problem = problem.or_else(|| error.problem());
    Ok(RpcView {
        rpc_code: error.code,
        name: error.code.and_then(rpc_code_name),
        message: error.message,
        id,
        problem,
    })
}

/// The three members of an `error` object, read but not judged.
#[derive(Debug, Clone)]
pub(crate) struct ErrorParts<N> {
    pub(crate) code: Option<i128>,
    pub(crate) message: Option<String>,
    pub(crate) data: Option<N>,
}

impl<N: Node> ErrorParts<N> {
    pub(crate) fn read(error: &N) -> Result<Self, N::Error> {
        let members = error.members(&ERROR)?;
        let code = match members.get(E_CODE)? {
            Some(code) => integer(&code.view()?),
            None => None,
        };
        let message = match members.get(E_MESSAGE)? {
            Some(message) => match message.view()? {
                View::String(text) => Some(text.into_owned()),
                _ => None,
            },
            None => None,
        };
        Ok(Self { code, message, data: members.get(E_DATA)? })
    }

    fn problem(&self) -> Option<FrameProblem> {
        match (self.code, &self.message) {
            (None, _) => Some(FrameProblem::ErrorCode),
            (_, None) => Some(FrameProblem::ErrorMessage),
            _ => None,
        }
    }
}

/// Whether a node is exactly this text.
pub(crate) fn is_text<N: Node>(node: &N, text: &str) -> Result<bool, N::Error> {
    Ok(matches!(node.view()?, View::String(found) if found == text))
}

/// Whether a member is there and not null.
pub(crate) fn is_there<N: Node>(node: Option<&N>) -> Result<bool, N::Error> {
    Ok(match node {
        Some(node) => node.shape()? != Shape::Null,
        None => false,
    })
}

/// The integer that a value is. An integral double counts: JavaScript has no other integers.
pub(crate) fn integer(view: &View<'_>) -> Option<i128> {
    match *view {
        View::Integer(i) => Some(i),
        View::Float(f) => integral(f),
        _ => None,
    }
}

fn integral(f: f64) -> Option<i128> {
    // 2^127 is the first double that i128 does not hold.
    const LIMIT: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;
    (is_integral(f) && f.abs() < LIMIT).then_some(f as i128)
}

/// An integer as a JSON value: the nearest double where JSON's usual integers end.
pub(crate) fn integer_value(i: i128) -> Value {
    match (i64::try_from(i), u64::try_from(i)) {
        (Ok(i), _) => Value::from(i),
        (_, Ok(u)) => Value::from(u),
        _ => Value::from(i as f64),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(value: &Value) -> RpcView {
        let Ok(view) = view(&value);
        view
    }

    #[test]
    fn names_cover_the_ranges_and_nothing_beside_them() {
        for code in -32099..=-32000 {
            assert!(rpc_code_name(code).is_some(), "{code}");
        }
        for code in [-32100, -31999, 0, -1, 1, -32701, -32604, -32768, -32801, i128::MIN, i128::MAX] {
            assert_eq!(rpc_code_name(code), None, "{code}");
        }
        // The same low bits are not the same number.
        assert_eq!(rpc_code_name(-32000 + (1 << 32)), None);
        assert_eq!(rpc_code_name(-32000 - (1 << 64)), None);
    }

    #[test]
    fn a_proper_error_has_no_problem() {
        let view = of(&json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "m"}}));
        assert_eq!(view.rpc_code, Some(-32601));
        assert_eq!(view.name, Some("method_not_found"));
        assert_eq!(view.message.as_deref(), Some("m"));
        assert_eq!(view.id, Some(RpcId::Integer(1)));
        assert!(!view.is_malformed());
    }

    #[test]
    fn reading_is_total() {
        for (frame, problem) in [
            (json!({"jsonrpc": "2.0", "id": 1, "error": {}}), FrameProblem::ErrorCode),
            (
                json!({"jsonrpc": "2.0", "id": 1, "error": {"code": "-32000", "message": "m"}}),
                FrameProblem::ErrorCode,
            ),
            (
                json!({"jsonrpc": "2.0", "id": 1, "error": {"code": true, "message": "m"}}),
                FrameProblem::ErrorCode,
            ),
            (
                json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1.5, "message": "m"}}),
                FrameProblem::ErrorCode,
            ),
            (
                json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1e300, "message": "m"}}),
                FrameProblem::ErrorCode,
            ),
            (json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1}}), FrameProblem::ErrorMessage),
            (json!({"jsonrpc": "2.0", "id": 1, "error": "boom"}), FrameProblem::ErrorType),
            (json!({"jsonrpc": "2.0", "error": {"code": 1, "message": ""}}), FrameProblem::IdType),
            (json!({"jsonrpc": "2.0", "id": [1], "error": {"code": 1, "message": ""}}), FrameProblem::IdType),
            (json!({"jsonrpc": 2.0, "id": 1, "error": {"code": 1, "message": ""}}), FrameProblem::Version),
            (
                json!({"jsonrpc": "2.0", "id": 1, "result": {}, "error": {"code": 1, "message": ""}}),
                FrameProblem::ResultAndError,
            ),
            (json!(5), FrameProblem::Version),
        ] {
            assert_eq!(of(&frame).problem, Some(problem), "{frame}");
        }
    }

    #[test]
    fn an_integral_double_is_an_integer_and_a_big_one_is_kept() {
        assert_eq!(of(&json!({"error": {"code": -32000.0}})).rpc_code, Some(-32000));
        assert_eq!(
            of(&json!({"error": {"code": 1_180_591_620_717_411_303_424.0_f64}})).rpc_code,
            Some(1 << 70)
        );
        assert_eq!(integral(f64::NAN), None);
        assert_eq!(integral(f64::INFINITY), None);
    }

    #[test]
    fn ids_match_by_type_and_value() {
        assert!(RpcId::from(1).answers(&RpcId::from(1)));
        assert!(!RpcId::from("1").answers(&RpcId::from(1)));
        assert!(!RpcId::from(1).answers(&RpcId::from("1")));
        assert!(!RpcId::Null.answers(&RpcId::Null));
        assert!(!RpcId::Integer((1 << 64) + 1).answers(&RpcId::from(1)));
        let Ok(id) = RpcId::read(&&json!(1.0));
        assert_eq!(id, Some(RpcId::Integer(1)));
        let Ok(id) = RpcId::read(&&json!(true));
        assert_eq!(id, None);
    }
}
