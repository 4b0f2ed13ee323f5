//! Any text as a name, a path, a version, a query, a header, words about authorization; any numbers as a range.

use ackguard::authorization::{Credential, Decision, Event, Failure, decide, decide_from_text, default_hint};
use ackguard::blob::{check_range, clamp_chunk};
use ackguard::handshake::{
    HandshakeFailure, ProtocolVersion, check_handshake, classify_ws_close, parse_handshake_body,
    parse_handshake_failure, parse_handshake_text,
};
use ackguard::json::TextNode;
use ackguard::payload::{Kind, classify_json};
use ackguard::rel_path::{Forbidden, check, check_bytes};
use ackguard::skill_name::{self, SkillName, SkillNameError, suggest, suggest_for};
use ackguard::{Dialect, ErrorCode, Locale};

const NO_HEADERS: [(&str, &str); 0] = [];

/// No panic; what is accepted is accepted again, what is built can be read, and a refusal can be sent.
pub fn run(bytes: &[u8]) {
    numbers(bytes);
    body(bytes);
    for dialect in [Dialect::V0_2, Dialect::V0_3] {
        let by_bytes = SkillName::parse_bytes(bytes, dialect).map(|name| name.raw().to_owned());
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                assert_eq!(by_bytes.ok().as_deref(), SkillName::parse(text, dialect).ok().map(|it| it.raw()))
            }
            Err(_) => assert!(by_bytes.is_err()),
        }
    }
    path(bytes);
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    name(text);
    handshake(text);
    authorization(text);
    assert!(text.parse::<Dialect>().is_err() || text.starts_with("0."));
    assert!(
        Locale::from_tag(text) == Locale::En || text.get(..2).is_some_and(|it| it.eq_ignore_ascii_case("zh"))
    );
}

fn name(text: &str) {
    for dialect in [Dialect::V0_2, Dialect::V0_3] {
        match SkillName::parse(text, dialect) {
            Ok(name) => {
                let built = match (name.plugin(), name.server()) {
                    (Some(plugin), _) => skill_name::marketplace(plugin, name.skill()),
                    (None, Some(server)) => skill_name::mcp(server, name.skill(), dialect),
                    (None, None) => skill_name::user(name.skill()),
                };
                assert_eq!(built.as_deref(), Ok(text));
                let _ = (name.source().as_str(), name.hint().map(|hint| hint.as_str()));
            }
            Err(error) => refused(&error, text),
        }
        if let Some(name) = suggest_for(text, dialect) {
            assert!(SkillName::parse(&name, dialect).is_ok(), "{name}");
        }
        let (first, rest) = text.split_once(':').unwrap_or((text, text));
        for built in [
            skill_name::user(text),
            skill_name::marketplace(first, rest),
            skill_name::mcp(first, rest, dialect),
        ] {
            match built {
                Ok(name) => assert!(SkillName::parse(&name, dialect).is_ok(), "{name}"),
                Err(error) => {
                    let _ = (error.to_string(), error.to_payload());
                }
            }
        }
    }
    assert_eq!(suggest(text), suggest_for(text, Dialect::default()));
}

/// Underlining must be possible, in every language's way of counting.
fn refused(error: &SkillNameError, text: &str) {
    let Some(part) = text.get(error.span()) else { panic!("the span is not in the name") };
    assert_eq!(error.char_span(text).len(), part.chars().count());
    assert_eq!(error.utf16_span(text).len(), part.encode_utf16().count());
    let _ = (error.to_string(), error.segment(), error.reason().as_str());
    assert_eq!(error.to_payload().code(), error.code());
}

fn path(bytes: &[u8]) {
    let forbidden = Forbidden::new().with_credentials();
    match check_bytes(bytes, &forbidden).map(|path| path.into_owned()) {
        Ok(path) if !path.is_empty() => {
            assert_eq!(check(Some(&path), &forbidden).as_deref(), Ok(path.as_str()));
            // Forbidden by its own name, if there is anything in it that a careless file system does not drop.
            let name = path.split('/').next_back().filter(|name| name.contains(|c| !is_dropped(c)));
            assert!(
                name.is_none() || check(Some(&path), &Forbidden::new().with_names(name)).is_err(),
                "{path}"
            );
        }
        Ok(_) => {}
        Err(error) => {
            let _ = (error.to_string(), error.rel_path(), error.total_size());
            assert_eq!(error.to_payload().reason(), Some(error.reason().as_str()));
        }
    }
}

/// Trailing dots and spaces, and what HFS+ leaves out when it compares names.
fn is_dropped(c: char) -> bool {
    let code = u32::from(c);
    matches!(code, 0x20 | 0x2E | 0x200C..=0x200F | 0x202A..=0x202E | 0x206A..=0x206F | 0xFEFF)
}

fn handshake(text: &str) {
    if let Ok(version) = ProtocolVersion::parse(text) {
        assert_eq!(version.to_string(), text);
        assert!(version.is_compatible_with(version));
        assert_eq!(check_handshake(&format!("a2c_version={text}"), version), Ok(version));
    }
    let _ = parse_handshake_text(text).map(|failure| failure.to_payload());
    let server = ProtocolVersion::new(0, 2, 0);
    match check_handshake(text, server) {
        Ok(client) => assert!(client.is_compatible_with(server)),
        Err(answer) => {
            // A client understands what a server refuses it with.
            let headers = answer.headers.iter().map(|(name, value)| (*name, value.as_str()));
            let read = parse_handshake_failure(answer.status, headers, answer.body.as_bytes());
            assert_eq!(read.as_ref().map(HandshakeFailure::code), Some(answer.code));
            assert_eq!(classify_json(answer.body.as_bytes(), Dialect::V0_2).kind(), Kind::Error);
        }
    }
}

fn body(bytes: &[u8]) {
    let by_text = parse_handshake_failure(400, NO_HEADERS, bytes);
    if let Some(failure) = &by_text {
        if let HandshakeFailure::VersionMismatch(mismatch) = failure {
            let _ = (mismatch.server(), mismatch.client(), mismatch.advice(), format!("{mismatch:?}"));
            let _ = (mismatch.public_message(Locale::En), mismatch.public_message(Locale::Zh));
        }
        assert_eq!(failure.to_payload().code(), failure.code());
    }
    match TextNode::parse(bytes) {
        Ok(node) => assert_eq!(parse_handshake_body(&node), Ok(by_text)),
        Err(_) => assert_eq!(by_text, None),
    }
    let header = String::from_utf8_lossy(bytes);
    for (key, value) in [("X-A2C-Error-Code", header.as_ref()), (header.as_ref(), "4008")] {
        let _ = parse_handshake_failure(502, [(key, value)], b"");
    }
}

fn authorization(text: &str) {
    let _ = decide_from_text(text);
    let nothing = Failure::default();
    for failure in [
        Failure { www_authenticate: Some(text), ..nothing },
        Failure { oauth_error: Some(text), ..nothing },
        Failure { http_status: text.parse().ok(), ..nothing },
        Failure { credential: text.parse().ok(), event: text.parse().ok(), ..nothing },
    ] {
        let decision = decide(&failure);
        let _ = (decision.as_str(), format!("{failure:?}"));
        // A fault of the provider's is no matter of the user's, whatever else was seen.
        assert_eq!(decide(&Failure { provider_fault: true, ..failure }), Decision::ExecutionFailed);
        // A challenge under 401 is a matter of authorization, whatever it says.
        let refused = decide(&Failure { http_status: Some(401), ..failure });
        assert_ne!(refused, Decision::NotAuthorization);
        if let Some(code) = decision.code().filter(|code| *code != ErrorCode::TOOL_EXECUTION_FAILED) {
            assert!(default_hint(code, Locale::En).is_some());
        }
    }
    if let Err(error) = text.parse::<Credential>() {
        let _ = error.to_string();
    }
    assert!(text.parse::<Event>().is_err() || text.parse::<Credential>().is_err());
}

/// The first bytes as numbers.
fn numbers(bytes: &[u8]) {
    let mut words = bytes.chunks_exact(8).filter_map(|word| word.try_into().ok()).map(u64::from_le_bytes);
    let mut next = || words.next().unwrap_or(7);
    let (offset, total, wanted, cap) = (next().cast_signed(), next(), next(), next());
    let range = check_range(offset, total);
    match clamp_chunk(offset, total, wanted, cap) {
        Ok(chunk) => {
            assert!(chunk.len <= wanted.min(cap));
            let end = i128::from(offset) + i128::from(chunk.len);
            assert!(end <= i128::from(total));
            assert_eq!(chunk.eof, end == i128::from(total));
            assert_eq!(range.map(|range| range.eof), Ok(i128::from(offset) == i128::from(total)));
        }
        Err(error) => {
            assert_eq!(range, Err(error));
            let _ = (error.to_string(), error.to_payload());
        }
    }
    let close = classify_ws_close(offset);
    assert!(close.may_reconnect() || !close.as_str().is_empty());
    let code = ErrorCode::new(offset);
    let _ = (code.name(), code.is_known(Dialect::V0_3), code.advice(None));
}
