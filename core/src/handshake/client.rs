//! The client's side: what a handshake that failed says about versions.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;

use serde::Serialize;

use super::server::ERROR_CODE_HEADER;
use super::version::ProtocolVersion;
use crate::code::ErrorCode;
use crate::host::{Members as _, Node, View, is_integral, keys};
use crate::json::TextNode;
use crate::locale::Locale;
use crate::payload::ErrorPayload;
use crate::retry::Advice;

keys!(
    /// The members of a handshake answer's body.
    pub(crate) BODY = 60 {
        "code" => B_CODE,
        "message" => B_MESSAGE,
        "server_version" => B_SERVER,
        "client_version" => B_CLIENT,
        "min_supported" => B_MIN,
        "max_supported" => B_MAX,
    }
);

/// The server refuses this client's protocol version (4008).
///
/// The version fields are kept as they came, parsable or not; one that is missing or no text is absent, and the
/// failure stands. They come from a peer: `Display` and `Debug` show only what looks like a version, and never
/// `message`.
#[derive(Clone, PartialEq, Eq, Default, Serialize, thiserror::Error)]
#[error("{}", self.public_message(Locale::En))]
#[non_exhaustive]
pub struct VersionMismatch {
    /// The server's text, for logs.
    pub message: Option<String>,
    /// The server's version.
    pub server_version: Option<String>,
    /// This client's version, as the server read it.
    pub client_version: Option<String>,
    /// The lowest version the server supports.
    pub min_supported: Option<String>,
    /// The highest version the server supports.
    pub max_supported: Option<String>,
}

impl VersionMismatch {
    /// The code: 4008.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        ErrorCode::PROTOCOL_VERSION_MISMATCH
    }

    /// Disconnect, upgrade one side, never retry by itself.
    #[must_use]
    pub fn advice(&self) -> Advice {
        self.code().advice(None)
    }

    /// The server's version, where it is one.
    #[must_use]
    pub fn server(&self) -> Option<ProtocolVersion> {
        parsed(self.server_version.as_deref())
    }

    /// The client's version, where it is one.
    #[must_use]
    pub fn client(&self) -> Option<ProtocolVersion> {
        parsed(self.client_version.as_deref())
    }

    /// The payload that the server sent, as far as it can be read; without a `message` it has the registry's
    /// title.
    #[must_use]
    pub fn to_payload(&self) -> ErrorPayload {
        ErrorPayload::version_mismatch_as_read(
            self.message.as_deref().unwrap_or("Protocol Version Mismatch"),
            [
                self.server_version.as_deref(),
                self.client_version.as_deref(),
                self.min_supported.as_deref(),
                self.max_supported.as_deref(),
            ],
        )
    }

    /// What the user may be told: a fixed sentence, with both versions where they look like versions. Nothing
    /// else of the answer gets into it.
    #[must_use]
    pub fn public_message(&self, locale: Locale) -> String {
        self.to_payload().public_message(locale)
    }
}

impl fmt::Debug for VersionMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version = |text: &Option<String>| {
            text.as_deref().map(|text| shown_version(Some(text)).map_or("…", |v| v).to_owned())
        };
        f.debug_struct("VersionMismatch")
            .field("server_version", &version(&self.server_version))
            .field("client_version", &version(&self.client_version))
            .field("min_supported", &version(&self.min_supported))
            .field("max_supported", &version(&self.max_supported))
            .finish_non_exhaustive()
    }
}

fn parsed(text: Option<&str>) -> Option<ProtocolVersion> {
    text.and_then(|text| ProtocolVersion::parse(text).ok())
}

/// A peer's version text, if it looks like one: one to three numbers joined by dots and perhaps a short suffix,
/// 32 characters at most. Four numbers are an address, and everything else might be anything.
pub(crate) fn shown_version(text: Option<&str>) -> Option<&str> {
    let text = text.filter(|text| text.len() <= 32)?;
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (numbers, suffix) = text.split_at_checked(end)?;
    // A run of more digits than 2^32-1 has is no number of a version, but perhaps one of a phone or a card.
    let numeric =
        numbers.split('.').count() <= 3 && numbers.split('.').all(|run| matches!(run.len(), 1..=10));
    let plain = suffix.len() <= 12
        && suffix.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+'))
        && (suffix.is_empty() || suffix.starts_with(['-', '+']));
    (numeric && plain).then_some(text)
}

/// A handshake that the server refused for another reason than the version: code 400, the version parameter is
/// missing or unreadable.
#[derive(Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("the server refused the handshake with code {}", code.get())]
#[non_exhaustive]
pub struct RefusedHandshake {
    /// The code: 400.
    pub code: ErrorCode,
    /// The server's text, for logs, where there is one.
    pub message: Option<String>,
}

impl fmt::Debug for RefusedHandshake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RefusedHandshake").field("code", &self.code).finish_non_exhaustive()
    }
}

impl RefusedHandshake {
    /// The code: 400.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        self.code
    }

    /// The payload that the server sent; without a `message` it has the registry's title.
    #[must_use]
    pub fn to_payload(&self) -> ErrorPayload {
        ErrorPayload::new(self.code, self.message.as_deref().unwrap_or("Bad Request"))
    }
}

/// What the A2C-SMCP server said when it refused a handshake.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum HandshakeFailure {
    /// Code 4008.
    #[error(transparent)]
    VersionMismatch(VersionMismatch),
    /// Code 400.
    #[error(transparent)]
    Refused(RefusedHandshake),
}

impl HandshakeFailure {
    /// 4008 or 400.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        match self {
            Self::VersionMismatch(mismatch) => mismatch.code(),
            Self::Refused(refused) => refused.code(),
        }
    }

    /// The payload that the server sent.
    #[must_use]
    pub fn to_payload(&self) -> ErrorPayload {
        match self {
            Self::VersionMismatch(mismatch) => mismatch.to_payload(),
            Self::Refused(refused) => refused.to_payload(),
        }
    }
}

/// Reads the answer to a handshake that failed: 4008, or the server's code 400, or `None` for what is none of
/// ours (Socket.IO's own refusals, a proxy's page, an empty 403, a success).
///
/// - The body is the truth: a flat object with an integer `code` decides alone, whatever the header says. 4008
///   counts under any 4xx or 5xx status, since gateways rewrite those; code 400 only under status 400, since
///   everybody speaks of 400.
/// - Where the body cannot be read as such an object (empty, as after HEAD; cut; a proxy's page), the header
///   `X-A2C-Error-Code: 4008`, in any letter case, is enough for a mismatch without versions.
/// - `code` follows the rule for every payload: an integral float such as `4008.0` counts, text and booleans
///   never do. A body that is JSON inside a JSON string is none.
///
/// ```
/// use ackguard::handshake::{HandshakeFailure, parse_handshake_failure};
/// let none: [(&str, &str); 0] = [];
/// let body = br#"{"code":4008,"message":"m","server_version":"0.4.0","client_version":"0.2.0"}"#;
/// let Some(HandshakeFailure::VersionMismatch(mismatch)) = parse_handshake_failure(400, none, body) else {
///     unreachable!()
/// };
/// assert_eq!(mismatch.server_version.as_deref(), Some("0.4.0"));
/// assert!(parse_handshake_failure(403, none, b"").is_none());
/// ```
pub fn parse_handshake_failure<K: AsRef<str>, V: AsRef<str>>(
    status: u16,
    headers: impl IntoIterator<Item = (K, V)>,
    body: &[u8],
) -> Option<HandshakeFailure> {
    if !(400..=599).contains(&status) {
        return None;
    }
    let fields = match TextNode::parse(body) {
        Ok(node) => match Fields::read(&node) {
            Ok(fields) => fields,
        },
        Err(_) => None,
    };
    if let Some(fields) = fields {
        return fields.verdict(status == 400);
    }
    let named = headers.into_iter().any(|(name, value)| {
        name.as_ref().trim().eq_ignore_ascii_case(ERROR_CODE_HEADER)
            && value.as_ref().split(',').any(|code| code.trim() == "4008")
    });
    named.then(|| HandshakeFailure::VersionMismatch(VersionMismatch::default()))
}

/// Reads a body that the host's HTTP library has already parsed, as [`parse_handshake_failure`] does with the
/// text under status 400. `None` where it is none of ours.
///
/// # Errors
///
/// The host's own, from reading its value.
pub fn parse_handshake_body<N: Node>(body: &N) -> Result<Option<HandshakeFailure>, N::Error> {
    Ok(Fields::read(body)?.and_then(|fields| fields.verdict(true)))
}

/// A body that can be read: an object with an integer `code`.
#[derive(Default)]
pub(super) struct Fields {
    pub(super) code: i64,
    pub(super) mismatch: VersionMismatch,
}

impl Fields {
    fn read<N: Node>(node: &N) -> Result<Option<Self>, N::Error> {
        if !matches!(node.view()?, View::Object) {
            return Ok(None);
        }
        let members = node.members(&BODY)?;
        let code = match members.get(B_CODE)? {
            Some(code) => integral(&code.view()?),
            None => None,
        };
        let Some(code) = code else { return Ok(None) };
        let text = |index| {
            Ok(match members.get(index)? {
                Some(member) => match member.view()? {
                    View::String(text) => Some(text.into_owned()),
                    _ => None,
                },
                None => None,
            })
        };
        let mismatch = VersionMismatch {
            message: text(B_MESSAGE)?,
            server_version: text(B_SERVER)?,
            client_version: text(B_CLIENT)?,
            min_supported: text(B_MIN)?,
            max_supported: text(B_MAX)?,
        };
        Ok(Some(Self { code, mismatch }))
    }

    pub(super) fn verdict(self, bad_request: bool) -> Option<HandshakeFailure> {
        match self.code {
            4008 => Some(HandshakeFailure::VersionMismatch(self.mismatch)),
            400 if bad_request => Some(HandshakeFailure::Refused(RefusedHandshake {
                code: ErrorCode::BAD_REQUEST,
                message: self.mismatch.message,
            })),
            _ => None,
        }
    }
}

/// The integer a `code` is; one outside of 64 bits is as good as any other unknown code.
fn integral(view: &View<'_>) -> Option<i64> {
    match view {
        View::Integer(code) => Some(i64::try_from(*code).unwrap_or(i64::MAX)),
        View::BigInteger(_) => Some(i64::MAX),
        View::Float(code) => integral_float(*code),
        _ => None,
    }
}

pub(super) fn integral_float(code: f64) -> Option<i64> {
    if !is_integral(code) {
        return None;
    }
    #[allow(clippy::cast_possible_truncation)] // `as` saturates, and no code is near the ends
    let code = code as i64;
    Some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [(&str, &str); 0] = [];
    const HEADER: [(&str, &str); 1] = [("x-A2C-error-CODE", " 4008 ")];

    fn code(status: u16, headers: &[(&str, &str)], body: &str) -> Option<i64> {
        parse_handshake_failure(status, headers.iter().copied(), body.as_bytes()).map(|f| f.code().get())
    }

    fn mismatch(body: &str) -> VersionMismatch {
        match parse_handshake_failure(400, NONE, body.as_bytes()) {
            Some(HandshakeFailure::VersionMismatch(mismatch)) => mismatch,
            other => panic!("{body}: {other:?}"),
        }
    }

    #[test]
    fn the_body_decides() {
        for (body, expected) in [
            ("{\"code\":4008}", Some(4008)),
            (" {\"code\":4008.0,\"message\":7} ", Some(4008)),
            ("{\"code\":400,\"code\":4008}", Some(4008)),
            ("{\"code\":4008,\"code\":400}", Some(400)),
            ("{\"code\":400,\"message\":\"Missing a2c_version query parameter\"}", Some(400)),
            ("{\"code\":\"4008\"}", None),
            ("{\"code\":true}", None),
            ("{\"code\":4008.5}", None),
            ("{\"code\":4900,\"message\":\"m\"}", None),
            ("{\"code\":4014,\"message\":\"m\"}", None),
            ("{\"code\":0,\"message\":\"Transport unknown\"}", None),
            ("{\"code\":4294971304}", None),
            ("{\"code\":18446744073709555624}", None),
            ("{\"error\":{\"code\":4008}}", None),
            ("[{\"code\":4008}]", None),
            ("4008", None),
            ("\"{\\\"code\\\":4008}\"", None),
            ("\u{feff}{\"code\":4008}", None),
            ("{\"code\":4008} x", None),
            ("{'code': 4008}", None),
            ("", None),
        ] {
            assert_eq!(code(400, &NONE, body), expected, "{body}");
        }
        let deep = format!("{{\"x\":{}{},\"code\":4008}}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(code(400, &NONE, &deep), Some(4008), "depth is no reason to refuse");
    }

    #[test]
    fn the_header_steps_in_only_for_a_body_that_cannot_be_read() {
        for body in ["", "{\"code\": 40", "<html>Bad Request</html>", "\u{feff}{\"code\":400}", "null", "{}"]
        {
            assert_eq!(code(400, &HEADER, body), Some(4008), "{body}");
            assert_eq!(code(400, &[("X-A2C-Error-Code", "400")], body), None, "{body}");
            assert_eq!(code(400, &[("X-Error-Code", "4008")], body), None, "{body}");
        }
        assert_eq!(parse_handshake_failure(400, HEADER, b"\xff\xfe").unwrap().code().get(), 4008);
        assert_eq!(code(400, &HEADER, "{\"code\":400,\"message\":\"m\"}"), Some(400));
        assert_eq!(code(400, &HEADER, "{\"code\":4014,\"message\":\"m\"}"), None);
        assert_eq!(code(400, &[("A", "b"), ("X-A2C-ERROR-CODE", "4008, 4008")], ""), Some(4008));
        for value in ["", "14008", "4008x", "04008", "4008.0"] {
            assert_eq!(code(400, &[("x-a2c-error-code", value)], ""), None, "{value}");
        }
    }

    #[test]
    fn the_status_has_to_be_a_failure() {
        for status in [0, 101, 200, 302, 600, u16::MAX] {
            assert_eq!(code(status, &HEADER, "{\"code\":4008}"), None, "{status}");
        }
        assert_eq!(code(502, &NONE, "{\"code\":4008}"), Some(4008), "a gateway rewrote the status");
        assert_eq!(code(401, &NONE, "{\"code\":400,\"message\":\"m\"}"), None);
        assert_eq!(code(403, &NONE, ""), None);
    }

    #[test]
    fn fields_are_kept_as_they_came() {
        let full = mismatch(
            "{\"code\":4008,\"message\":\"m\",\"server_version\":\"v9\",\"client_version\":\"0.-4.0\",\
             \"min_supported\":2,\"max_supported\":null}",
        );
        assert_eq!(full.server_version.as_deref(), Some("v9"));
        assert_eq!(full.client_version.as_deref(), Some("0.-4.0"));
        assert_eq!((full.min_supported, full.max_supported), (None, None));
        assert_eq!(full.message.as_deref(), Some("m"));
    }

    #[test]
    fn a_parsed_body_reads_as_its_text_does() {
        let body = serde_json::json!({"code": 4008, "server_version": "0.4.0", "client_version": "0.2.0"});
        let Ok(parsed) = parse_handshake_body(&&body);
        assert_eq!(parsed, parse_handshake_failure(400, NONE, body.to_string().as_bytes()));
        let Ok(none) = parse_handshake_body(&&serde_json::json!([{"code": 4008}]));
        assert_eq!(none, None);
    }

    #[test]
    fn people_are_told_both_versions_and_nothing_else() {
        let good = mismatch("{\"code\":4008,\"server_version\":\"0.4.0\",\"client_version\":\"0.2.0\"}");
        assert_eq!(
            good.public_message(Locale::En),
            "This program speaks protocol version 0.2.0, the server 0.4.0. One of them has to be upgraded."
        );
        assert!(good.public_message(Locale::Zh).contains("0.4.0"));
        for hostile in
            ["sk-abcdef", "10.0.0.1", "0.2.0\n", "0.2.0 <b>", "1.2.3-aaaaaaaaaaaaaaa", "", "1..2", "９.0.0"]
        {
            let bad = VersionMismatch {
                message: Some("hunter2".to_owned()),
                server_version: Some(hostile.to_owned()),
                client_version: Some(hostile.to_owned()),
                min_supported: Some(hostile.to_owned()),
                max_supported: None,
            };
            let bare = VersionMismatch::default().public_message(Locale::En);
            assert_eq!(bad.public_message(Locale::En), bare, "{hostile:?}");
            assert_eq!(bad.to_string(), bare);
            let debug = format!("{bad:?}");
            assert!(!debug.contains("hunter2"));
            assert!(hostile.is_empty() || !debug.contains(hostile), "{debug}");
        }
        for fine in ["0.2.0-dev", "0.3", "4294967295.0.0"] {
            assert_eq!(shown_version(Some(fine)), Some(fine));
        }
    }

    #[test]
    fn the_advice_is_to_upgrade() {
        let advice = VersionMismatch::default().advice();
        assert_eq!(advice.automatic, crate::retry::Automatic::No);
        assert_eq!(advice.action, crate::retry::Action::Upgrade);
    }
}
