//! Names, paths and ranges against independent statements of the same rules.

use std::cell::Cell;

use ackguard::Dialect;
use ackguard::blob::{check_range, clamp_chunk};
use ackguard::rel_path::{Forbidden, SkillResourceReason, check, check_bytes};
use ackguard::skill_name::{
    SkillName, SkillNameReason, SkillSource, marketplace, mcp, suggest, suggest_for, user,
};
use proptest::prelude::*;

const DIALECTS: [Dialect; 2] = [Dialect::V0_2, Dialect::V0_3];

/// The page's table, written down as slowly as it reads.
fn is_kebab(segment: &str) -> bool {
    (1..=64).contains(&segment.len())
        && segment.chars().all(|c| matches!(c, 'a'..='z' | '0'..='9' | '-'))
        && !segment.starts_with('-')
        && !segment.ends_with('-')
        && !segment.contains("--")
}

fn is_server(segment: &str, dialect: Dialect) -> bool {
    let fits = segment.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    fits && match dialect {
        Dialect::V0_2 => (1..=64).contains(&segment.len()),
        Dialect::V0_3 => !segment.is_empty() && !segment.contains("__"),
    }
}

fn source(name: &str, dialect: Dialect) -> Option<SkillSource> {
    match name.split(':').collect::<Vec<_>>()[..] {
        [skill] => is_kebab(skill).then_some(SkillSource::User),
        [plugin, skill] => (is_kebab(plugin) && is_kebab(skill)).then_some(SkillSource::Marketplace),
        ["mcp", server, skill] => (is_server(server, dialect) && is_kebab(skill)).then_some(SkillSource::Mcp),
        _ => None,
    }
}

/// What is wrong with a name whose segments are all short, in the order of the lexer's documentation.
fn reason(name: &str, dialect: Dialect) -> (SkillNameReason, Option<usize>) {
    let segments: Vec<&str> = name.split(':').collect();
    if name.is_empty() {
        return (SkillNameReason::Empty, None);
    }
    if segments.len() > 3 {
        return (SkillNameReason::SegmentCount, Some(3));
    }
    if segments.len() == 3 && segments[0] != "mcp" {
        return (SkillNameReason::ReservedPrefix, Some(0));
    }
    for (index, segment) in segments.iter().enumerate() {
        let server = segments.len() == 3 && index == 1;
        let allowed = |c: char| {
            if server { is_server(&c.to_string(), dialect) } else { matches!(c, 'a'..='z' | '0'..='9' | '-') }
        };
        let reason = if segment.is_empty() {
            SkillNameReason::EmptySegment
        } else if !segment.chars().all(allowed) {
            SkillNameReason::BadChar
        } else if server {
            if is_server(segment, dialect) { continue } else { SkillNameReason::DoubleUnderscore }
        } else if segment.starts_with('-') {
            SkillNameReason::LeadingHyphen
        } else if segment.ends_with('-') {
            SkillNameReason::TrailingHyphen
        } else if segment.contains("--") {
            SkillNameReason::DoubleHyphen
        } else {
            continue;
        };
        return (reason, Some(index));
    }
    panic!("{name:?} is legal");
}

/// Texts near the border: few characters, many of them special.
fn near_names() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-c0:_A -]{0,12}",
        "(mcp:)?[ab_-]{0,5}:?[ab_é-]{0,5}:?[ab-]{0,5}",
        "(mcp:)?[a-zA-Z_]{60,70}(:[a-z]{1,3}){0,2}",
        "(mcp|a):[ab]{62,66}:[ab]{62,66}",
        "(a|mcp:a|mcp:a:)[a-]{0,66}",
        "\\PC{0,20}",
        ".{0,8}",
    ]
}

fn kebab() -> impl Strategy<Value = String> {
    "[a-z0-9]{1,4}(-[a-z0-9]{1,4}){0,11}"
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn a_name_is_what_the_page_says(name in near_names()) {
        for dialect in DIALECTS {
            let expected = source(&name, dialect);
            let parsed = SkillName::parse(&name, dialect);
            prop_assert_eq!(parsed.as_ref().ok().map(SkillName::source), expected, "{:?}", name);
            prop_assert_eq!(&SkillName::parse_bytes(name.as_bytes(), dialect), &parsed);
            match parsed {
                Ok(parsed) => {
                    let parts: Vec<&str> = name.split(':').collect();
                    prop_assert_eq!(parsed.raw(), &name);
                    prop_assert_eq!(parsed.to_string(), name.clone());
                    prop_assert_eq!(Some(parsed.skill()), parts.last().copied());
                    prop_assert_eq!(parsed.plugin(), (parts.len() == 2).then(|| parts[0]));
                    prop_assert_eq!(parsed.server(), (parts.len() == 3).then(|| parts[1]));
                    prop_assert_eq!(parsed.hint().is_some(), parts.len() == 2 && parts[0] == "mcp");
                }
                Err(error) => {
                    let span = error.span();
                    prop_assert!(name.get(span.clone()).is_some(), "{:?} of {:?}", span, name);
                    prop_assert!(span.len() <= 128);
                    if name.split(':').all(|segment| segment.len() <= 64) {
                        prop_assert_eq!((error.reason(), error.segment()), reason(&name, dialect), "{:?}", name);
                    }
                    let underlined = &name[span.clone()];
                    match error.reason() {
                        SkillNameReason::BadChar => prop_assert_eq!(underlined.chars().count(), 1),
                        SkillNameReason::Empty | SkillNameReason::EmptySegment => prop_assert_eq!(underlined, ""),
                        SkillNameReason::TooLong => prop_assert!(underlined.len() > 64 && !underlined.contains(':')),
                        SkillNameReason::LeadingHyphen | SkillNameReason::TrailingHyphen => prop_assert_eq!(underlined, "-"),
                        SkillNameReason::DoubleHyphen => prop_assert_eq!(underlined.trim_matches('-'), ""),
                        SkillNameReason::DoubleUnderscore => prop_assert_eq!(underlined.trim_matches('_'), ""),
                        SkillNameReason::SegmentCount => prop_assert!(underlined.starts_with(':')),
                        _ => {}
                    }
                    // The same place in the units of other languages.
                    let utf16: Vec<u16> = name.encode_utf16().collect();
                    prop_assert_eq!(String::from_utf16(&utf16[error.utf16_span(&name)]).unwrap(), underlined);
                    let chars: Vec<char> = name.chars().collect();
                    prop_assert_eq!(chars[error.char_span(&name)].iter().collect::<String>(), underlined);
                    prop_assert!(error.to_string().len() < 1000);
                    prop_assert!(!error.to_string().contains(char::is_control));
                }
            }
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        for dialect in DIALECTS {
            match (std::str::from_utf8(&bytes), SkillName::parse_bytes(&bytes, dialect)) {
                (Ok(text), parsed) => prop_assert_eq!(SkillName::parse(text, dialect), parsed),
                (Err(_), parsed) => {
                    let span = parsed.unwrap_err().span();
                    prop_assert!(span.start <= span.end && span.end <= bytes.len());
                }
            }
        }
    }

    #[test]
    fn what_is_built_is_read_back(skill in kebab(), plugin in kebab(), server in "[A-Za-z0-9_-]{1,70}") {
        let built = user(&skill);
        prop_assert_eq!(built.is_ok(), is_kebab(&skill));
        if let Ok(name) = built {
            let parsed = SkillName::parse(&name, Dialect::V0_2).unwrap();
            prop_assert_eq!((parsed.source(), parsed.skill()), (SkillSource::User, &*skill));
        }
        if let Ok(name) = marketplace(&plugin, &skill) {
            let parsed = SkillName::parse(&name, Dialect::V0_2).unwrap();
            prop_assert_eq!((parsed.plugin(), parsed.skill()), (Some(&*plugin), &*skill));
        }
        for dialect in DIALECTS {
            let built = mcp(&server, &skill, dialect);
            prop_assert_eq!(built.is_ok(), is_kebab(&skill) && is_server(&server, dialect));
            if let Ok(name) = built {
                let parsed = SkillName::parse(&name, dialect).unwrap();
                prop_assert_eq!((parsed.server(), parsed.skill()), (Some(&*server), &*skill));
            }
        }
    }

    #[test]
    fn what_cannot_be_read_back_is_not_built(a in near_names(), b in near_names()) {
        for dialect in DIALECTS {
            for (built, parts) in [
                (user(&a), vec![a.clone()]),
                (marketplace(&a, &b), vec![a.clone(), b.clone()]),
                (mcp(&a, &b, dialect), vec!["mcp".to_owned(), a.clone(), b.clone()]),
            ] {
                let name = parts.join(":");
                let same = name.split(':').count() == parts.len() && source(&name, dialect).is_some();
                prop_assert_eq!(built.is_ok(), same, "{:?}", parts);
                match built {
                    Ok(built) => prop_assert_eq!(built, name),
                    Err(error) => prop_assert!(name.get(error.span()).is_some()),
                }
            }
        }
    }

    #[test]
    fn a_suggestion_is_legal_and_something_else(text in prop_oneof![near_names(), "[ A-Za-z_!.'：]{0,40}"]) {
        for dialect in DIALECTS {
            if let Some(name) = suggest_for(&text, dialect) {
                prop_assert!(SkillName::parse(&name, dialect).is_ok(), "{:?} gives {:?}", text, name);
                prop_assert!(SkillName::parse(&text, dialect).is_err(), "{:?} is legal", text);
                prop_assert_eq!(suggest_for(&name, dialect), None);
            }
        }
    }

    #[test]
    fn a_checked_path_has_nothing_left_to_check(rel in prop_oneof!["[a./\\\\:~-]{0,16}", "\\PC{0,20}", "([.]{0,3}[a/]{0,2}){0,6}"]) {
        let forbidden = Forbidden::new();
        let traversal = rel.contains(['\0', '\\', ':'])
            || rel.starts_with('/')
            || rel.split('/').any(|component| component == "..");
        match check(Some(&rel), &forbidden) {
            Ok(path) => {
                prop_assert!(!traversal);
                let kept: Vec<&str> = rel.split('/').filter(|c| !matches!(*c, "" | ".")).collect();
                prop_assert_eq!(&*path, if rel.is_empty() { "SKILL.md".to_owned() } else { kept.join("/") });
                if !path.is_empty() {
                    prop_assert_eq!(check(Some(&path), &forbidden).unwrap(), path.clone());
                }
            }
            Err(error) => {
                prop_assert_eq!(error.reason() == SkillResourceReason::Traversal, traversal);
                prop_assert_eq!(error.rel_path(), Some(&*rel));
            }
        }
        prop_assert_eq!(check(Some(&rel), &forbidden), check_bytes(rel.as_bytes(), &forbidden));
    }

    #[test]
    fn no_disguise_hides_a_forbidden_name(
        name in prop::sample::select(vec![".skillenv", "id_rsa", "server.pem", ".env.local", "SKILLE~1", "sk12af~3"]),
        ignored in prop::collection::vec((0..10_usize, prop::sample::select(IGNORED.to_vec())), 0..6),
        cases in any::<u32>(),
        tail in "[. ]{0,4}",
        before in "([a-z]{1,3}/|\\./|/){0,3}",
        after in "(/[a-z.]{0,3}|/){0,2}",
    ) {
        let folds = Cell::new(cases);
        let mut disguised: Vec<char> = name.chars().map(|c| disguise(c, &folds)).collect();
        for (at, c) in ignored {
            disguised.insert(at.min(disguised.len()), c);
        }
        let rel = format!("a/{before}{}{tail}{after}", disguised.iter().collect::<String>());
        let forbidden = Forbidden::new().with_credentials();
        prop_assume!(!rel.split('/').any(|component| component == ".."));
        let error = check(Some(&rel), &forbidden).unwrap_err();
        prop_assert_eq!(error.reason(), SkillResourceReason::Forbidden, "{:?}", rel);
    }

    #[test]
    fn ranges_are_arithmetic_without_limits(offset in edges(), total in edges(), wanted in edges(), cap in edges()) {
        let fits = offset <= total;
        for offset in [i128::from(offset), -i128::from(offset) - 1] {
            let fits = fits && offset >= 0;
            prop_assert_eq!(check_range(offset, total).map(|range| range.eof).ok(), fits.then(|| offset == i128::from(total)));
            let chunk = clamp_chunk(offset, total, wanted, cap).ok();
            prop_assert_eq!(chunk.is_some(), fits);
            if let Some(chunk) = chunk {
                let end = offset + i128::from(chunk.len);
                prop_assert!(chunk.len <= wanted && chunk.len <= cap && end <= i128::from(total));
                prop_assert_eq!(chunk.eof, end == i128::from(total));
                prop_assert!(chunk.eof || chunk.len == wanted || chunk.len == cap);
            }
        }
    }
}

/// Some of the code points that HFS+ ignores.
const IGNORED: [char; 8] =
    ['\u{200c}', '\u{200f}', '\u{202a}', '\u{202e}', '\u{206a}', '\u{206f}', '\u{feff}', '\u{200d}'];

/// The letter in another case, as the next bits say.
fn disguise(c: char, bits: &Cell<u32>) -> char {
    let bit = bits.get() & 3;
    bits.set(bits.get().rotate_right(2));
    match (c.to_ascii_lowercase(), bit) {
        ('s', 3) => '\u{17f}',
        ('k', 3) => '\u{212a}',
        (_, 1 | 3) => c.to_ascii_uppercase(),
        _ => c,
    }
}

fn edges() -> impl Strategy<Value = u64> {
    let near = |center: u64| (0..5_u64).prop_map(move |by| center.saturating_sub(2).saturating_add(by));
    prop_oneof![near(0), near(1 << 53), near(1 << 63), near(u64::MAX), any::<u64>(), 0..100_u64]
}

#[test]
fn a_megabyte_is_refused_and_described_briefly() {
    for text in ["!", "a", ":", "mcp:", "mcp:a", "mcp:a_", "技能", "-", "\n"] {
        let text = text.repeat(1 << 18);
        for dialect in DIALECTS {
            let error = SkillName::parse(&text, dialect).unwrap_err();
            assert!(error.to_string().len() < 1000);
            assert!(error.name().len() < 264);
            assert!(error.to_payload().to_json(dialect).len() < 2000);
            assert!(text.get(error.span()).is_some_and(|part| part.len() <= 128));
            assert!(suggest(&text).is_none());
            assert!(user(&text).is_err());
        }
    }
}
