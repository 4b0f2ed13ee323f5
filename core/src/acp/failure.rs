//! From what a host sees to the right error.

use alloc::borrow::ToOwned;
use alloc::string::String;
#[cfg(feature = "std")]
use std::io;

use crate::value::Value;

use super::code::AcpErrorCode;
use super::error::{AcpError, Interaction, disconnect_message, timeout_message};
use super::reclassify::SERVER;
use super::rpc::{
    ErrorParts, F_ERROR, F_ID, F_JSONRPC, F_METHOD, F_PARAMS, F_RESULT, FRAME, FrameProblem, RpcId, is_text,
    is_there,
};
use crate::host::{self, Members, Node, Shape, ToJson, View, keys};
use crate::json::{self, TextMembers, TextNode, Top};
use crate::search;

keys!(
    /// The members of `session/request_permission`'s parameters.
    pub(crate) PERMISSION = 22 {
        "toolCall" => P_TOOL_CALL,
        "options" => P_OPTIONS,
    }
);

keys!(
    /// The member of a tool call that a person can read.
    pub(crate) TOOL_CALL = 23 {
        "title" => T_TITLE,
    }
);

/// The method by which an ACP agent asks for permission.
pub const REQUEST_PERMISSION: &str = "session/request_permission";

/// Where an I/O error belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IoFailure {
    /// It can only come from starting a process: the command is not there, may not be executed, is no program,
    /// or the system has no room for another one.
    Start,
    /// It comes from a pipe.
    Transport,
    /// The time ran out.
    Timeout,
}

/// What stands at the start of a process, as [`IoFailure::from_name`] sees it.
const START: &str = "spawn start processstart createprocess enoent notfound entitynotfound filenotfound nosuchfile \
            nosuchfileordirectory eacces eperm permissiondenied permission accessdenied operationnotpermitted enoexec \
            execformat enotdir notadirectory eisdir isadirectory eloop filesystemloop enametoolong invalidfilename \
            e2big argumentlisttoolong etxtbsy executablefilebusy emfile enfile enomem outofmemory memory einval \
            invalidinput unsupported";

impl IoFailure {
    /// Reads the name of an I/O error as the languages write it: `BrokenPipe`, `broken_pipe`, `EPIPE`,
    /// `BrokenPipeError`, `java.nio.file.NoSuchFileException`, with what a language prints around it:
    /// `spawn agent ENOENT`, `[Errno 8] Exec format error: 'agent'`. `spawn` says that the process could not be
    /// started. A name that nobody knows belongs to the transport: it happened while talking to the agent.
    ///
    /// ```
    /// use ackguard::acp::IoFailure;
    ///
    /// assert_eq!(IoFailure::from_name("ENOENT"), IoFailure::Start);
    /// assert_eq!(IoFailure::from_name("FileNotFoundError"), IoFailure::Start);
    /// assert_eq!(IoFailure::from_name("java.io.FileNotFoundException: agent"), IoFailure::Start);
    /// assert_eq!(IoFailure::from_name("BrokenPipe"), IoFailure::Transport);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Self {
        let whole = name;
        // `FileNotFoundError(2, 'No such file')`, `FileNotFoundException: agent`.
        let name = name.split('(').next().unwrap_or_default();
        let name = search::find(name, ": ").and_then(|end| name.get(..end)).unwrap_or(name);
        let name = name.rsplit(['.', ':']).next().unwrap_or_default();
        // No name is longer; what is, is none.
        let mut plain = String::new();
        for c in name.chars().filter(char::is_ascii_alphanumeric).take(64) {
            plain.push(c.to_ascii_lowercase());
        }
        let plain = plain.strip_suffix("error").or(plain.strip_suffix("exception")).unwrap_or(&plain);
        if search::contains(plain, "timeout")
            || search::contains(plain, "timedout")
            || search::contains(plain, "deadline")
        {
            Self::Timeout
        } else if !plain.is_empty() && START.split(' ').any(|known| known == plain)
            || !is_pipes(plain) && tells_start(whole)
        {
            Self::Start
        } else {
            Self::Transport
        }
    }
}

/// Whether the name is a pipe's, whatever is told of it.
fn is_pipes(name: &str) -> bool {
    ["pipe", "reset", "eof", "closed", "abort"].iter().any(|word| search::contains(name, word))
}

/// Whether the sentence of an I/O error tells that a process did not start: by a word as Node and errno have them, or
/// by the phrases of the C library, macOS, Windows, the JVM, Go and Rust.
fn tells_start(sentence: &str) -> bool {
    const WORDS: &str = "spawn enoent eacces enoexec enotdir";
    const PHRASES: &str = "no such file|permission denied|format error|not a directory|is a directory|\
            file not found|program not found|command not found|cannot run program|file busy|\
            too many open files|allocate memory|symbolic links|name too long|cpu type|find the file|\
            find the path|access is denied|valid win32";
    let mut plain = String::new();
    for c in sentence.chars().take(1024) {
        plain.push(c.to_ascii_lowercase());
    }
    let mut words = plain.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| !word.is_empty() && WORDS.split(' ').any(|known| known == word))
        || PHRASES.split('|').any(|phrase| search::contains(&plain, phrase))
}

#[cfg(feature = "std")]
impl From<io::ErrorKind> for IoFailure {
    fn from(kind: io::ErrorKind) -> Self {
        use io::ErrorKind as K;
        match kind {
            K::NotFound
            | K::PermissionDenied
            | K::NotADirectory
            | K::IsADirectory
            | K::ExecutableFileBusy
            | K::ArgumentListTooLong
            | K::InvalidInput
            | K::OutOfMemory
            | K::Unsupported => Self::Start,
            K::TimedOut => Self::Timeout,
            _ => Self::Transport,
        }
    }
}

#[cfg(feature = "std")]
impl From<&io::Error> for IoFailure {
    fn from(error: &io::Error) -> Self {
        error.kind().into()
    }
}

/// What a host saw besides a response. All of it is optional.
#[derive(Debug, Clone, Default)]
pub struct RawFailure<'a> {
    /// The id of the request. Without it every id is taken for the right one.
    pub expected_id: Option<RpcId>,
    /// The process has ended with this exit code (negative or above 128 for a signal, as the host counts).
    pub exit_code: Option<i64>,
    /// An I/O error while starting the process or while talking to it.
    pub io_error: Option<IoFailure>,
    /// The request ran past so many seconds.
    pub timeout: Option<f64>,
    /// The agent asked for something that nobody answered.
    pub interaction: Option<Interaction>,
    /// The name of the server.
    pub server: Option<&'a str>,
    /// The method of the request.
    pub method: Option<&'a str>,
}

/// What a frame is to the request that waits.
enum Verdict<N> {
    /// The answer, and a success.
    Success,
    /// The answer, and a JSON-RPC error.
    Error(i128, String, Option<N>),
    /// The answer, and broken.
    Broken(FrameProblem),
    /// The agent asks for permission.
    Asks(Interaction),
    /// Not the answer.
    Unrelated(FrameProblem),
}

impl<N> Verdict<N> {
    fn with_data<T, E>(self, data: impl FnOnce(N) -> Result<T, E>) -> Result<Verdict<T>, E> {
        Ok(match self {
            Self::Error(code, message, Some(found)) => Verdict::Error(code, message, Some(data(found)?)),
            Self::Error(code, message, None) => Verdict::Error(code, message, None),
            Self::Success => Verdict::Success,
            Self::Broken(problem) => Verdict::Broken(problem),
            Self::Asks(interaction) => Verdict::Asks(interaction),
            Self::Unrelated(problem) => Verdict::Unrelated(problem),
        })
    }
}

/// Builds the error for what a host saw, or `None` where nothing failed: the response is a success.
///
/// `response` is a line that was read where the response was awaited, with or without its end. What is certain
/// comes first:
///
/// 1. a question that nobody answered, since the answer that came in spite of it is worth nothing;
/// 2. the answer to the request, if `response` is that;
/// 3. a process that did not start;
/// 4. a process or a pipe that is gone;
/// 5. a timeout;
/// 6. a frame that is not the answer: not JSON-RPC, an unexpected method, an id that matches nothing. By
///    itself it is a `protocol_error`; beside 3 to 5 it explains nothing that they do not.
///
/// A response with a proper `error` is an RPC error, even with a `result` beside it. An agent's
/// `session/request_permission` is a question. Where nothing at all was seen, that is a `protocol_error` too,
/// since it is certainly no success.
///
/// No message repeats what the agent sent, except for the `error.message` of an RPC error.
///
/// ```
/// use ackguard::acp::{AcpErrorCode, RawFailure, classify_failure};
///
/// let line = br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}"#;
/// let seen = RawFailure { expected_id: Some(1.into()), ..RawFailure::default() };
/// assert_eq!(classify_failure(Some(line), seen).unwrap().rpc_code(), Some(-32601));
///
/// let seen = RawFailure { exit_code: Some(137), server: Some("helper"), ..RawFailure::default() };
/// let error = classify_failure(None, seen).unwrap();
/// assert_eq!(error.code(), AcpErrorCode::TransportDisconnect);
/// assert_eq!(error.details()["exit_code"], 137);
/// ```
#[must_use]
pub fn classify_failure(response: Option<&[u8]>, seen: RawFailure<'_>) -> Option<AcpError> {
    let verdict = match (response, &seen.interaction) {
        (Some(line), None) => Some(line_verdict(line, seen.expected_id.as_ref())),
        _ => None,
    };
    decide(verdict, seen)
}

/// As [`classify_failure`], for a response that is not JSON.
#[must_use]
pub fn classify_unreadable_failure(seen: RawFailure<'_>) -> Option<AcpError> {
    let verdict = seen.interaction.is_none().then_some(Verdict::Unrelated(FrameProblem::NotJson));
    decide(verdict, seen)
}

/// As [`classify_failure`], where there is no response.
#[must_use]
pub fn classify_silent_failure(seen: RawFailure<'_>) -> Option<AcpError> {
    decide(None, seen)
}

/// As [`classify_failure`], for a response that the host has parsed.
///
/// # Errors
///
/// The host's own error.
pub fn classify_parsed_failure<N: Node>(
    response: &N,
    seen: RawFailure<'_>,
) -> Result<Option<AcpError>, N::Error> {
    let verdict = match (&seen.interaction, response.shape()?) {
        (Some(_), _) => None,
        (None, Shape::Object) => {
            let verdict = frame_verdict(&response.members(&FRAME)?, seen.expected_id.as_ref())?;
            Some(verdict.with_data(|data| to_json(&data))?)
        }
        (None, Shape::Array) => Some(Verdict::Unrelated(FrameProblem::Batch)),
        (None, _) => Some(Verdict::Unrelated(FrameProblem::NotObject)),
    };
    Ok(decide(verdict, seen))
}

fn decide(verdict: Option<Verdict<Value>>, seen: RawFailure<'_>) -> Option<AcpError> {
    let name = |error: AcpError| match seen.server {
        Some(server) => error.with_detail(SERVER, server),
        None => error,
    };
    if let Some(interaction) = seen.interaction {
        return Some(interaction_error(seen.server, interaction));
    }
    let unrelated = match verdict {
        None => None,
        Some(Verdict::Success) => return None,
        Some(Verdict::Error(code, message, data)) => return Some(name(AcpError::rpc(code, message, data))),
        Some(Verdict::Broken(problem)) => return Some(name(frame_error(problem))),
        Some(Verdict::Asks(interaction)) => return Some(interaction_error(seen.server, interaction)),
        Some(Verdict::Unrelated(problem)) => Some(problem),
    };
    let exit_code = |error: AcpError| match seen.exit_code {
        Some(code) => error.with_detail("exit_code", code),
        None => error,
    };
    Some(if seen.io_error == Some(IoFailure::Start) {
        let error = AcpError::client(AcpErrorCode::ProcessStartFail, "failed to start the ACP server");
        exit_code(name(error))
    } else if seen.exit_code.is_some() || seen.io_error == Some(IoFailure::Transport) {
        let message = disconnect_message(seen.exit_code);
        exit_code(name(AcpError::client(AcpErrorCode::TransportDisconnect, message)))
    } else if seen.timeout.is_some() || seen.io_error == Some(IoFailure::Timeout) {
        let message = timeout_message(seen.method);
        let mut error = name(AcpError::client(AcpErrorCode::RequestTimeout, message));
        if let Some(method) = seen.method {
            error = error.with_detail("method", method);
        }
        match seen.timeout {
            Some(seconds) => error.with_seconds(seconds),
            None => error,
        }
    } else {
        name(match unrelated {
            Some(problem) => frame_error(problem),
            None => AcpError::protocol_error("the call failed and nothing was seen of the cause"),
        })
    })
}

fn frame_error(problem: FrameProblem) -> AcpError {
    AcpError::protocol_error(format!("not the response that was awaited: {problem}"))
        .with_detail("problem", problem.as_str())
}

fn interaction_error(server: Option<&str>, interaction: Interaction) -> AcpError {
    let mut error = AcpError::interaction_required(server.unwrap_or_default(), interaction);
    if server.is_none() {
        error.details_mut().remove(SERVER);
        error = error.with_message("the ACP server requires interaction");
    }
    error
}

fn line_verdict(line: &[u8], expected: Option<&RpcId>) -> Verdict<Value> {
    let mut members = TextMembers::default();
    match json::scan(line, &FRAME, &mut members) {
        Err(_) => Verdict::Unrelated(FrameProblem::NotJson),
        Ok(Top::Array(..)) => Verdict::Unrelated(FrameProblem::Batch),
        Ok(Top::Scalar(_)) => Verdict::Unrelated(FrameProblem::NotObject),
        Ok(Top::Object(_)) => {
            let Ok(verdict) = frame_verdict(&members, expected)
                .and_then(|verdict| verdict.with_data(|data: TextNode<'_>| to_json(&data)));
            verdict
        }
    }
}

fn frame_verdict<M: Members>(
    frame: &M,
    expected: Option<&RpcId>,
) -> Result<Verdict<M::Node>, <M::Node as Node>::Error> {
    let is_version = match frame.get(F_JSONRPC)? {
        Some(version) => is_text(&version, "2.0")?,
        None => false,
    };
    if !is_version {
        return Ok(Verdict::Unrelated(FrameProblem::Version));
    }
    if let Some(method) = frame.get(F_METHOD)? {
        // An agent numbers its own requests: an id that looks like ours says nothing.
        if is_text(&method, REQUEST_PERMISSION)? && frame.get(F_ID)?.is_some() {
            return Ok(Verdict::Asks(permission(frame.get(F_PARAMS)?)?));
        }
        return Ok(Verdict::Unrelated(FrameProblem::UnexpectedMethod));
    }
    let id = match frame.get(F_ID)? {
        Some(id) => RpcId::read(&id)?,
        None => None,
    };
    let Some(id) = id else {
        return Ok(Verdict::Unrelated(FrameProblem::IdType));
    };
    if expected.is_some_and(|expected| !id.answers(expected)) {
        return Ok(Verdict::Unrelated(FrameProblem::IdMismatch));
    }
    let error = match frame.get(F_ERROR)? {
        // A null error is how JSON-RPC 1.0 said that there is none.
        Some(error) if is_there(Some(&error))? => error,
        _ => return result_verdict(frame),
    };
    if error.shape()? != Shape::Object {
        return Ok(Verdict::Broken(FrameProblem::ErrorType));
    }
    let parts = ErrorParts::read(&error)?;
    Ok(match parts.code {
        Some(code) => Verdict::Error(code, parts.message.unwrap_or_default(), parts.data),
        None => Verdict::Broken(FrameProblem::ErrorCode),
    })
}

fn result_verdict<M: Members>(frame: &M) -> Result<Verdict<M::Node>, <M::Node as Node>::Error> {
    Ok(match frame.get(F_RESULT)? {
        Some(_) => Verdict::Success,
        None => Verdict::Broken(FrameProblem::Empty),
    })
}

/// What an agent asks with `session/request_permission`, from its parameters.
fn permission<N: Node>(params: Option<N>) -> Result<Interaction, N::Error> {
    let mut asked = Interaction { method: REQUEST_PERMISSION.to_owned(), ..Interaction::default() };
    let Some(params) = params else { return Ok(asked) };
    let members = params.members(&PERMISSION)?;
    let title = match members.get(P_TOOL_CALL)? {
        Some(call) => call.members(&TOOL_CALL)?.get(T_TITLE)?,
        None => None,
    };
    if let Some(title) = title
        && let View::String(title) = title.view()?
    {
        asked.prompt = format!("Allow {title}?");
    }
    if let Some(options) = members.get(P_OPTIONS)?
        && let Value::Array(options) = to_json(&options)?
    {
        asked.options = options;
    }
    Ok(asked)
}

/// How deep a copy of a peer's value gets; what lies deeper is cut.
const MAX_DEPTH: usize = 64;

fn to_json<N: Node>(node: &N) -> Result<Value, N::Error> {
    Ok(host::copy(node, &mut ToJson, MAX_DEPTH)?.0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn named(seen: RawFailure<'_>) -> AcpError {
        classify_failure(None, seen).unwrap()
    }

    #[test]
    fn every_kind_of_io_error_has_one_place_by_kind_and_by_name() {
        use io::ErrorKind as K;
        for kind in [
            K::NotFound,
            K::PermissionDenied,
            K::NotADirectory,
            K::IsADirectory,
            K::ExecutableFileBusy,
            K::ArgumentListTooLong,
            K::InvalidInput,
            K::OutOfMemory,
            K::Unsupported,
            K::TimedOut,
            K::BrokenPipe,
            K::ConnectionReset,
            K::ConnectionAborted,
            K::NotConnected,
            K::UnexpectedEof,
            K::WriteZero,
            K::InvalidData,
            K::Interrupted,
            K::WouldBlock,
            K::Other,
        ] {
            assert_eq!(IoFailure::from_name(&format!("{kind:?}")), IoFailure::from(kind), "{kind:?}");
        }
        assert_eq!(IoFailure::from(&io::Error::from_raw_os_error(2)), IoFailure::Start);
        for (name, expected) in [
            ("TimeoutError", IoFailure::Timeout),
            ("ETIMEDOUT", IoFailure::Timeout),
            ("timed out", IoFailure::Timeout),
            ("Connection timed out", IoFailure::Timeout),
            ("TimeoutExpired", IoFailure::Timeout),
            ("java.net.SocketTimeoutException: Read timed out", IoFailure::Timeout),
            ("kotlinx.coroutines.TimeoutCancellationException", IoFailure::Timeout),
            ("DEADLINE_EXCEEDED", IoFailure::Timeout),
            ("java.nio.file.NoSuchFileException", IoFailure::Start),
            ("java.nio.file.AccessDeniedException: agent", IoFailure::Start),
            ("java.io.FileNotFoundException: agent (No such file or directory)", IoFailure::Start),
            ("FileNotFoundError(2, 'No such file or directory')", IoFailure::Start),
            ("std::io::ErrorKind::NotFound", IoFailure::Start),
            ("entity not found", IoFailure::Start),
            ("No such file or directory", IoFailure::Start),
            ("Exec format error", IoFailure::Start),
            ("java.io.IOException: Broken pipe", IoFailure::Transport),
            ("java.io.EOFException", IoFailure::Transport),
            ("NotFoundOrGone", IoFailure::Transport),
            ("..", IoFailure::Transport),
            ("MemoryError", IoFailure::Start),
            ("", IoFailure::Transport),
            ("error", IoFailure::Transport),
        ] {
            assert_eq!(IoFailure::from_name(name), expected, "{name}");
        }
    }

    #[test]
    fn the_more_certain_comes_first() {
        let interaction = Some(Interaction { method: "m".to_owned(), ..Interaction::default() });
        let all = RawFailure {
            expected_id: Some(1.into()),
            exit_code: Some(9),
            io_error: Some(IoFailure::Start),
            timeout: Some(1.0),
            interaction,
            server: Some("x"),
            method: Some("session/prompt"),
        };
        assert_eq!(named(all.clone()).code(), AcpErrorCode::InteractionRequired);
        let seen = RawFailure { interaction: None, ..all };
        assert_eq!(named(seen.clone()).code(), AcpErrorCode::ProcessStartFail);
        let seen = RawFailure { io_error: Some(IoFailure::Timeout), ..seen };
        assert_eq!(named(seen.clone()).code(), AcpErrorCode::TransportDisconnect);
        let seen = RawFailure { exit_code: None, ..seen };
        assert_eq!(named(seen.clone()).code(), AcpErrorCode::RequestTimeout);
        let answer = br#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}"#;
        let error = classify_failure(Some(answer), seen).unwrap();
        assert_eq!(error.rpc_code(), Some(1));
        assert_eq!(named(RawFailure::default()).code(), AcpErrorCode::ProtocolError);
    }

    #[test]
    fn what_the_agent_sent_is_not_repeated() {
        for line in [
            "hunter2",
            r#"{"jsonrpc":"2.0","id":"hunter2","result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"hunter2"}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":"hunter2"}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":"hunter2","message":"hunter2"}}"#,
        ] {
            let seen = RawFailure { expected_id: Some(1.into()), ..RawFailure::default() };
            let error = classify_failure(Some(line.as_bytes()), seen).unwrap();
            assert!(!format!("{error} {:?}", error.details()).contains("hunter2"), "{line}");
        }
    }

    #[test]
    fn an_integer_of_any_size_is_kept_and_never_taken_for_another() {
        let line =
            |code: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":{code},"message":"m"}}}}"#);
        for (code, expected) in [
            ("1180591620717411303424", Some(1_i128 << 70)),
            ("-170141183460469231731687303715884105728", Some(i128::MIN)),
            ("18446744073709519616", Some((1_i128 << 64) - 32000)),
            ("-32000", Some(-32000)),
            ("-3.2e4", Some(-32000)),
            // Beyond 128 bits there is no integer to keep.
            ("340282366920938463463374607431768211456", None),
            ("1e400", None),
        ] {
            let error = classify_failure(Some(line(code).as_bytes()), RawFailure::default()).unwrap();
            assert_eq!(error.rpc_code(), expected, "{code}");
            assert_eq!(error.code(), AcpErrorCode::ProtocolError);
        }
        let digits = "9".repeat(5000);
        let error = classify_failure(Some(line(&digits).as_bytes()), RawFailure::default()).unwrap();
        assert_eq!(error.kind(), crate::acp::AcpErrorKind::Client);
    }

    #[test]
    fn the_last_of_equal_names_counts() {
        let line =
            br#"{"jsonrpc":"2.0","id":2,"id":1,"error":null,"error":{"code":1,"message":"a","message":"b"}}"#;
        let seen = RawFailure { expected_id: Some(1.into()), ..RawFailure::default() };
        let error = classify_failure(Some(line), seen).unwrap();
        assert_eq!(error.as_rpc().unwrap().rpc_message, "b");
    }

    #[test]
    fn data_is_a_bounded_copy() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let line = format!(r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":1,"message":"m","data":{deep}}}}}"#);
        let error = classify_failure(Some(line.as_bytes()), RawFailure::default()).unwrap();
        let data = error.as_rpc().unwrap().data.clone().unwrap();
        assert!(data.to_string().contains(host::CUT));

        let data = json!({"a": [1, null, {"b": "c"}], "d": 1.5});
        let frame = json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "m", "data": data}});
        let Ok(error) = classify_parsed_failure(&&frame, RawFailure::default());
        assert_eq!(error.unwrap().as_rpc().unwrap().data, Some(data));
    }
}
