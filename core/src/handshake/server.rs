//! The server's side: the check of a handshake's query, and the answer to a client that is refused.

use alloc::borrow::Cow;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt::Write as _;

use serde::Serialize;

use super::version::ProtocolVersion;
use crate::Dialect;
use crate::code::ErrorCode;
use crate::lossy;
use crate::payload::{ErrorPayload, classify_json};

/// The query parameter in which a client states its version.
pub const VERSION_PARAMETER: &str = "a2c_version";

/// The header that repeats the code of a 4008 answer.
pub const ERROR_CODE_HEADER: &str = "X-A2C-Error-Code";

/// The versions a server shows as supported in a 4008 answer.
///
/// For people only: what is accepted is decided by [`ProtocolVersion::is_compatible_with`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct SupportedRange {
    /// The lowest.
    pub min: ProtocolVersion,
    /// The highest.
    pub max: ProtocolVersion,
}

impl SupportedRange {
    /// What a server of this version supports by the compatibility rule: `0.M.0` to `0.M.999`, and from 1 on
    /// `X.0.0` to `X.M.999`.
    #[must_use]
    pub const fn of(server: ProtocolVersion) -> Self {
        let ProtocolVersion { major, minor, .. } = server;
        Self {
            min: ProtocolVersion::new(major, if major == 0 { minor } else { 0 }, 0),
            max: ProtocolVersion::new(major, minor, 999),
        }
    }
}

/// A ready HTTP answer to a handshake that is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("handshake refused with code {}", code.get())]
#[non_exhaustive]
pub struct HandshakeAnswer {
    /// The `code` in the body: 400 or 4008.
    pub code: ErrorCode,
    /// The HTTP status: 400.
    pub status: u16,
    /// `Content-Type`, and for 4008 `X-A2C-Error-Code`. The length is left to the HTTP server.
    pub headers: Vec<(&'static str, String)>,
    /// The flat payload as JSON.
    pub body: String,
}

#[derive(Serialize)]
struct Body<'a> {
    code: ErrorCode,
    message: &'a str,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    versions: Option<Versions>,
}

#[derive(Serialize)]
struct Versions {
    server_version: ProtocolVersion,
    client_version: ProtocolVersion,
    min_supported: ProtocolVersion,
    max_supported: ProtocolVersion,
}

impl HandshakeAnswer {
    fn new(code: ErrorCode, message: &str, versions: Option<Versions>) -> Self {
        let mut headers = vec![("Content-Type", "application/json".to_owned())];
        if versions.is_some() {
            headers.push((ERROR_CODE_HEADER, code.get().to_string()));
        }
        // Writing plain fields into a string cannot fail; the empty body would still carry status and header.
        let body = crate::value::to_string(&Body { code, message, versions }).unwrap_or_default();
        Self { code, status: 400, headers, body }
    }

    fn bad_request(message: &str) -> Self {
        Self::new(ErrorCode::BAD_REQUEST, message, None)
    }

    /// The `code` in the body, as all errors here tell theirs.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        self.code
    }

    /// The payload in the body.
    #[must_use]
    pub fn to_payload(&self) -> ErrorPayload {
        let body = classify_json(self.body.as_bytes(), Dialect::default());
        body.error().unwrap_or_else(|| ErrorPayload::new(self.code, self.to_string()))
    }
}

/// Checks the raw query of a handshake against the server's version, and gives the client's version or the
/// answer to send instead of going on. The same check serves the polling and the WebSocket handshake.
///
/// The query is read as `application/x-www-form-urlencoded` (`+` is a space, `%XX` is undone, also in the
/// parameter's name), with or without its `?`. Nothing in a query is an error of this function: broken percent
/// sequences stay as they are, bytes that are not UTF-8 become U+FFFD.
///
/// # Errors
///
/// A [`HandshakeAnswer`] with status 400 and
/// - code 400, `Missing a2c_version query parameter`, where the parameter is not there or empty, which states
///   no version either;
/// - code 400, `Invalid a2c_version: ` and the value, where it is no version. The value is cut at 64 characters and
///   before anything that looks like a further parameter, and control characters are escaped, because such a
///   message ends up in logs. Two occurrences with different values are refused in the same way, since a
///   proxy that reads the other one would judge differently; the same value twice is fine;
/// - code 4008 with all four version fields and the header, where the versions do not go together.
///
/// ```
/// use ackguard::handshake::{ProtocolVersion, check_handshake};
/// let server = ProtocolVersion::new(0, 2, 0);
/// assert!(check_handshake("EIO=4&transport=polling&a2c_version=0.2.7", server).is_ok());
/// assert_eq!(check_handshake("a2c_version=0.3.0", server).unwrap_err().code.get(), 4008);
/// ```
pub fn check_handshake(query: &str, server: ProtocolVersion) -> Result<ProtocolVersion, HandshakeAnswer> {
    check_handshake_with(query, server, SupportedRange::of(server))
}

/// [`check_handshake`], with another range to show in the 4008 answer.
///
/// # Errors
///
/// As [`check_handshake`].
pub fn check_handshake_with(
    query: &str,
    server: ProtocolVersion,
    range: SupportedRange,
) -> Result<ProtocolVersion, HandshakeAnswer> {
    let mut stated: Option<Cow<'_, str>> = None;
    for pair in query.strip_prefix('?').unwrap_or(query).split('&') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        if decode(name) != VERSION_PARAMETER {
            continue;
        }
        let value = decode(value);
        match &stated {
            None => stated = Some(value),
            Some(first) if *first == value => {}
            Some(first) => {
                let mut message = "Invalid a2c_version: given more than once, as ".to_owned();
                show(&mut message, first);
                message.push_str(" and ");
                show(&mut message, &value);
                return Err(HandshakeAnswer::bad_request(&message));
            }
        }
    }
    let Some(value) = stated.filter(|value| !value.is_empty()) else {
        return Err(HandshakeAnswer::bad_request("Missing a2c_version query parameter"));
    };
    let Ok(client) = ProtocolVersion::parse(&value) else {
        let mut message = "Invalid a2c_version: ".to_owned();
        show(&mut message, &value);
        return Err(HandshakeAnswer::bad_request(&message));
    };
    if client.is_compatible_with(server) {
        return Ok(client);
    }
    Err(HandshakeAnswer::new(
        ErrorCode::PROTOCOL_VERSION_MISMATCH,
        "Protocol version mismatch",
        Some(Versions {
            server_version: server,
            client_version: client,
            min_supported: range.min,
            max_supported: range.max,
        }),
    ))
}

/// Undoes the form encoding of a name or a value.
fn decode(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| matches!(byte, b'%' | b'+')) {
        return Cow::Borrowed(text);
    }
    let mut rest = text.as_bytes();
    let mut decoded = Vec::with_capacity(rest.len());
    while let Some((&byte, after)) = rest.split_first() {
        let mut plain = byte;
        rest = after;
        if byte == b'+' {
            plain = b' ';
        } else if byte == b'%'
            && let [high, low, after @ ..] = rest
            && let (Some(high), Some(low)) = (hex(*high), hex(*low))
        {
            plain = high << 4 | low;
            rest = after;
        }
        decoded.push(plain);
    }
    Cow::Owned(lossy::replaced(&decoded).into_owned())
}

const fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

/// The most characters of a refused value that are shown.
const SHOWN: usize = 64;

/// Appends a refused value: shortened, without what could act on a terminal or a log, and without further
/// parameters that a client glued to it (`0.2.0?token=...`, an encoded `&`).
fn show(message: &mut String, value: &str) {
    let own = own_part(value);
    let mut room = SHOWN;
    let mut cut = own.len() < value.len();
    for character in own.chars() {
        if room == 0 {
            cut = true;
            break;
        }
        room -= 1;
        if is_unprintable(character) {
            // Writing into a String cannot fail.
            let _ = write!(message, "\\u{{{:x}}}", u32::from(character));
        } else {
            message.push(character);
        }
    }
    if cut {
        message.push('…');
    }
}

/// The value up to a separator that is followed by `name=`.
fn own_part(value: &str) -> &str {
    let mut start = None;
    for (at, character) in value.char_indices() {
        match character {
            '&' | ';' | '?' | '#' => start = Some(at),
            '=' => {
                if let Some(own) = start.and_then(|start| value.get(..start)) {
                    return own;
                }
            }
            _ => {}
        }
    }
    value
}

/// Control characters, and the invisible ones that reorder or hide text.
fn is_unprintable(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const SERVER: ProtocolVersion = ProtocolVersion::new(0, 2, 0);

    fn accepted(query: &str) -> bool {
        check_handshake(query, SERVER).is_ok()
    }

    fn body(query: &str) -> Value {
        let answer = check_handshake(query, SERVER).unwrap_err();
        assert_eq!(answer.status, 400);
        let body: Value = serde_json::from_str(&answer.body).unwrap();
        assert_eq!(body["code"], answer.code.get());
        assert_eq!(answer.headers[0], ("Content-Type", "application/json".to_owned()));
        assert_eq!(answer.headers.len(), if body["code"] == 4008 { 2 } else { 1 });
        assert_eq!(answer.code(), answer.code);
        assert_eq!(serde_json::to_value(answer.to_payload()).unwrap(), body, "the payload is what is sent");
        body
    }

    fn message(query: &str) -> String {
        let body = body(query);
        assert_eq!(body["code"], 400, "{query}");
        body["message"].as_str().unwrap().to_owned()
    }

    #[test]
    fn accepts_however_the_query_is_written() {
        for query in [
            "a2c_version=0.2.0",
            "?a2c_version=0.2.9",
            "EIO=4&transport=polling&a2c_version=0.2.0&t=x",
            "a2c%5Fversion=0%2E2.%30",
            "%61%32c_version=0.2.0",
            "a2c_version=0.2.0&a2c_version=0.2.0",
            "a2c_version=0.2.0&a2c_version=0%2e2.0",
            "&&a2c_version=0.2.0&",
            "x=%zz&y=%&z=%ff&a2c_version=0.2.0",
        ] {
            assert!(accepted(query), "{query}");
        }
    }

    #[test]
    fn missing() {
        for query in [
            "",
            "?",
            "&",
            "EIO=4",
            "A2C_VERSION=0.2.0",
            "a2c_version_=0.2.0",
            "x=a2c_version=0.2.0",
            "=0.2.0",
            "a2c_version=",
            "a2c_version",
            "a2c_version=&a2c_version",
        ] {
            assert_eq!(message(query), "Missing a2c_version query parameter", "{query}");
        }
    }

    #[test]
    fn unparsable() {
        for (query, shown) in [
            ("a2c_version=0.2", "0.2"),
            ("a2c_version=+0.2.0", " 0.2.0"),
            ("a2c_version=%000.2.0", "\\u{0}0.2.0"),
            ("a2c_version=0.2.0%0d%0aX: y", "0.2.0\\u{d}\\u{a}X: y"),
            ("a2c_version=%E2%80%AE0", "\\u{202e}0"),
            ("a2c_version=%1B[31m", "\\u{1b}[31m"),
            ("a2c_version=%ff", "\u{fffd}"),
            ("a2c_version=%F0%9F%98%80", "😀"),
            ("a2c_version=%", "%"),
            ("a2c_version=%4", "%4"),
            ("a2c_version=%4g", "%4g"),
            ("a2c_version=0.2.0?token=s3cr3t", "0.2.0…"),
            ("a2c_version=0.2.0%26token%3Ds3cr3t", "0.2.0…"),
            ("a2c_version=0.2.0;token=s3cr3t", "0.2.0…"),
            ("a2c_version=a=b", "a=b"),
            ("a2c_version=what?", "what?"),
        ] {
            assert_eq!(message(query), format!("Invalid a2c_version: {shown}"), "{query}");
        }
        let long = message(&format!("a2c_version={}&token=s3cr3t", "a".repeat(400)));
        assert_eq!(long, format!("Invalid a2c_version: {}…", "a".repeat(64)));
    }

    #[test]
    fn two_values_are_refused_whatever_their_order() {
        assert_eq!(
            message("a2c_version=0.2.0&x=1&a2c_version=0.3.0"),
            "Invalid a2c_version: given more than once, as 0.2.0 and 0.3.0"
        );
        for query in [
            "a2c_version=0.2.0&a2c_version=0.2.0&a2c_version=0.2.1",
            "a2c_version=0.2.0&a2c_version=",
            "a2c_version=&a2c_version=0.2.0",
            "a2c_version=0.2.0&a2c%5fversion=0.2.1",
        ] {
            assert!(message(query).starts_with("Invalid a2c_version: given more than once"), "{query}");
        }
    }

    #[test]
    fn a_mismatch_carries_all_four_versions_in_order() {
        let answer = check_handshake("a2c_version=0.1.5", SERVER).unwrap_err();
        assert_eq!(
            answer.body,
            "{\"code\":4008,\"message\":\"Protocol version mismatch\",\"server_version\":\"0.2.0\",\
             \"client_version\":\"0.1.5\",\"min_supported\":\"0.2.0\",\"max_supported\":\"0.2.999\"}"
        );
        assert_eq!(answer.headers[1], ("X-A2C-Error-Code", "4008".to_owned()));
        assert_eq!(answer.code, ErrorCode::PROTOCOL_VERSION_MISMATCH);
    }

    #[test]
    fn the_range_shown() {
        let one = check_handshake("a2c_version=2.0.0", ProtocolVersion::new(1, 2, 7)).unwrap_err();
        let one: Value = serde_json::from_str(&one.body).unwrap();
        assert_eq!((&one["min_supported"], &one["max_supported"]), (&json!("1.0.0"), &json!("1.2.999")));
        let range = SupportedRange { min: ProtocolVersion::new(0, 2, 3), max: ProtocolVersion::new(0, 2, 8) };
        let own = check_handshake_with("a2c_version=2.0.0", SERVER, range).unwrap_err();
        let own: Value = serde_json::from_str(&own.body).unwrap();
        assert_eq!((&own["min_supported"], &own["max_supported"]), (&json!("0.2.3"), &json!("0.2.8")));
        assert!(check_handshake_with("a2c_version=0.2.9", SERVER, range).is_ok(), "the range is only shown");
    }
}
