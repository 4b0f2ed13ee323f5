//! Any text as a name, a path, a version, a query, words about authorization: no panic, and what is accepted is accepted
//! again.
#![no_main]

use ackguard::Dialect;
use ackguard::authorization::decide_from_text;
use ackguard::handshake::{ProtocolVersion, check_handshake, parse_handshake_failure, parse_handshake_text};
use ackguard::rel_path::{Forbidden, check, check_bytes};
use ackguard::skill_name::{SkillName, suggest};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let none: [(&str, &str); 0] = [];
    let _ = parse_handshake_failure(400, none, bytes);
    for dialect in [Dialect::V0_2, Dialect::V0_3] {
        let _ = SkillName::parse_bytes(bytes, dialect);
    }
    let forbidden = Forbidden::new().with_credentials();
    let by_bytes = check_bytes(bytes, &forbidden).map(|path| path.into_owned());

    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Err(error) = SkillName::parse(text, Dialect::V0_2) {
        // Underlining must be possible.
        assert!(text.get(error.span()).is_some());
        let _ = error.to_string();
    }
    if let Some(name) = suggest(text) {
        assert!(SkillName::parse(&name, Dialect::V0_2).is_ok(), "{name}");
    }
    if let Ok(version) = ProtocolVersion::parse(text) {
        assert_eq!(version.to_string(), text);
    }
    if let Ok(path) = by_bytes
        && !path.is_empty()
    {
        assert_eq!(check(Some(&path), &forbidden).as_deref(), Ok(path.as_str()));
    }
    let _ = check_handshake(text, ProtocolVersion::new(0, 2, 0));
    let _ = (parse_handshake_text(text), decide_from_text(text));
});
