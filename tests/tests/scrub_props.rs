//! Secrets of every category in every disguise are gone, benign text comes back unchanged, and scrubbing twice is
//! scrubbing once.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use ackguard::host::ToJson;
use ackguard::scrub::{self, Finding, HintPolicy, Limits, Rules, Scrubbed};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const KEYS: &[&str] = &[
    "access_token",
    "refresh_token",
    "id_token",
    "bearer_token",
    "session_id",
    "sid",
    "cookie",
    "api_key",
    "x-api-key",
    "authorization",
    "jwt",
    "ticket",
    "signature",
    "code",
    "state",
    "nonce",
    "code_verifier",
    "code_challenge",
    "device_code",
    "user_code",
    "client_id",
    "client_secret",
    "client_assertion",
    "assertion",
    "private_key",
    "password",
    "passwd",
    "pwd",
    "passphrase",
    "passcode",
    "pin",
    "otp",
    "totp",
    "mfa_code",
    "security_answer",
    "密码",
    "令牌",
    "验证码",
    "私钥",
    "授权码",
];

/// Labels that bind a value without a separator.
const STRONG: &[&str] =
    &["token", "access token", "password", "client secret", "API key", "令牌 ", "密码 ", "refresh_token"];

fn hint(value: &Value) -> Scrubbed<Value> {
    let Ok(clean) = scrub::auth_hint(&value, HintPolicy::Standard, &mut ToJson);
    assert_eq!(scrub::check_auth_hint(&value), Ok(clean.findings.clone()));
    clean
}

/// Scrubbing what came out finds nothing and changes nothing.
fn is_stable(clean: &Scrubbed<Value>) -> bool {
    let again = hint(&clean.value);
    again.value == clean.value && again.findings.is_empty()
}

fn details(value: &Value) -> Scrubbed<Value> {
    let Ok(clean) = scrub::details(&value, &mut ToJson);
    clean
}

fn decoded(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..7 {
        let mut out = Vec::with_capacity(bytes.len());
        let mut at = 0;
        while at < bytes.len() {
            let hex = bytes.get(at + 1..at + 3).and_then(|two| std::str::from_utf8(two).ok());
            match hex.and_then(|two| u8::from_str_radix(two, 16).ok()).filter(|_| bytes[at] == b'%') {
                Some(byte) => {
                    out.push(byte);
                    at += 3;
                }
                None => {
                    out.push(bytes[at]);
                    at += 1;
                }
            }
        }
        bytes = out;
    }
    String::from_utf8_lossy(&bytes).replace(['\u{200b}', '\u{2060}', '\u{feff}'], "")
}

fn shows(findings: &[Finding], value: &str, secret: &str) -> bool {
    let findings = serde_json::to_string(findings).unwrap();
    [value, &findings].iter().any(|text| decoded(text).contains(secret))
}

fn encode(text: &str, all: bool) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() && !all {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
        out
    })
}

/// A key as somebody who wants it to pass would write it.
fn disguised(key: &str, disguise: u8, at: usize) -> String {
    let chars: Vec<char> = key.chars().collect();
    let at = at % chars.len();
    match disguise {
        1 => key.to_uppercase(),
        2 => chars
            .iter()
            .enumerate()
            .map(|(i, c)| if i == at { format!("\u{200b}{c}") } else { c.to_string() })
            .collect(),
        3 => chars
            .iter()
            .map(|c| match c {
                '!'..='~' => char::from_u32(u32::from(*c) + 0xFEE0).unwrap(),
                other => *other,
            })
            .collect(),
        4 => encode(key, true),
        5 => key.replace('o', "\u{43e}").replace('a', "\u{430}").replace('e', "\u{435}"),
        6 => key.replace('_', "-"),
        7 => {
            let mut upper = false;
            let mut out = String::new();
            for c in key.chars() {
                if c == '_' || c == '-' {
                    upper = true;
                } else if std::mem::take(&mut upper) {
                    out.extend(c.to_uppercase());
                } else {
                    out.push(c);
                }
            }
            out
        }
        8 => encode(&encode(key, true), false),
        9 => key.replace('o', "ö").replace('a', "å").replace('e', "é").replace('_', "\u{2011}"),
        _ => key.to_owned(),
    }
}

fn key() -> impl Strategy<Value = String> {
    (proptest::sample::select(KEYS), 0_u8..10, 0_usize..12)
        .prop_map(|(key, disguise, at)| disguised(key, disguise, at))
}

/// Eight characters and more, with letters of both cases and a digit.
fn secret() -> impl Strategy<Value = String> {
    "[A-Z][a-z]{2,4}[0-9]{2,3}[a-zA-Z]{3,10}[0-9]"
}

fn separator() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(
        &[
            "=", ": ", ":", " = ", "：", "＝", " is ", "=\"", "': '", "\": \"", " => ", ":\t", "∶", "﹕",
            " ?= ", "+=", ":: ", " is: ", ": |\n  ", ": !v ", " – ", "= = ", "....: ",
        ][..],
    )
}

fn around() -> impl Strategy<Value = (&'static str, &'static str)> {
    proptest::sample::select(
        &[
            ("", ""),
            ("upstream said ", " and gave up"),
            ("请使用 ", "，完成后重试"),
            ("错误（", "）"),
            ("[", "]"),
            ("- ", "\n- next"),
        ][..],
    )
}

fn token() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Za-z0-9]{36}".prop_map(|body| format!("gh{}_{body}", "p")),
        "[A-Za-z0-9_]{20}".prop_map(|body| format!("glp{}-{body}", "at")),
        "[0-9]{10}-[A-Za-z0-9]{24}".prop_map(|body| format!("xox{}-{body}", "b")),
        "[0-9][A-Z0-9]{15}".prop_map(|body| format!("AK{}{body}", "IA")),
        "[A-Za-z0-9]{33}9a".prop_map(|body| format!("AI{}{body}", "za")),
        "[A-Za-z0-9]{40}".prop_map(|body| format!("sk-{}-{body}", "ant")),
        "[A-Za-z0-9]{24}".prop_map(|body| format!("sk_{}_{body}", "live")),
        "[A-Za-z0-9]{36}".prop_map(|body| format!("npm{}{body}1a", "_")),
        "[A-Za-z0-9]{34}".prop_map(|body| format!("hf{}{body}1a", "_")),
        ("[A-Za-z0-9_-]{17}", "[A-Za-z0-9_-]{20}", "[A-Za-z0-9_-]{21}a")
            .prop_map(|(head, body, sign)| format!("ey{}{head}.eyJ{body}.{sign}", "J")),
        "[A-Za-z0-9_]{20}".prop_map(|body| format!("ya29{}{body}", ".")),
        "[a-z]{20,48}".prop_map(|body| format!("sk{}{body}", "-")),
        "[A-Z]{16}".prop_map(|body| format!("AK{}{body}", "IA")),
    ]
}

fn url(secret: &str, form: u8) -> String {
    match form {
        0 => format!("https://idp.example/cb?code={secret}&state=1"),
        1 => format!("HTTPS://idp.example/cb?x=1&amp;y={secret}"),
        2 => format!("//idp.example/cb?x={secret}"),
        3 => format!("com.example.app:/cb?x={secret}"),
        4 => format!("idp.example/cb?x={secret}"),
        5 => format!("https:\\\\idp.example\\cb?x={secret}"),
        6 => format!("https://user:{secret}@idp.example/login"),
        7 => format!("https://{secret}@idp.example/login"),
        8 => format!("https://idp.example/cb#x={secret}"),
        9 => format!("https://idp.example/cb;x={secret}"),
        10 => format!("https://idp.example/cb？x＝{secret}"),
        11 => format!("[sign in](https://idp.example/cb?x={secret})"),
        12 => format!("<a href=\"https://idp.example/cb?x={secret}\">"),
        13 => format!("https://idp.example/cb?\nx={secret}"),
        14 => format!("https://alice:a@{secret}@idp.example/login"),
        15 => format!("https://a.example/x?y=1https://idp.example/cb?x={secret}"),
        16 => format!("https:\\/\\/idp.example\\/cb?x={secret}"),
        _ => format!("https://idp.example/token/{secret}"),
    }
}

fn nested(value: Value, levels: usize) -> Value {
    (0..levels).fold(value, |value, level| match level % 3 {
        0 => Value::from(value.to_string()),
        1 => json!({ "data": value, "keep": "me" }),
        _ => json!(["first", value]),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn under_a_key(key in key(), secret in secret(), number in 100_000_u64..u64::MAX, levels in 0_usize..7) {
        for inner in [json!(secret), json!({"x": [secret]}), json!(number), json!([number])] {
            let mut object = Map::new();
            object.insert(key.clone(), inner);
            object.insert("message".into(), "kept".into());
            let clean = hint(&nested(Value::Object(object), levels));
            let text = clean.value.to_string();
            prop_assert!(!shows(&clean.findings, &text, &secret), "{key}: {text}");
            prop_assert!(!text.contains(&number.to_string()), "{key}: {text}");
            prop_assert!(text.contains("kept"), "{key}: {text}");
            prop_assert!(!clean.findings.is_empty());
            prop_assert!(is_stable(&clean), "{}", clean.value);
        }
    }

    #[test]
    fn as_a_key(secret in token(), levels in 0_usize..4) {
        let clean = hint(&nested(json!({ secret.clone(): 1, "keep": "me" }), levels));
        prop_assert!(!shows(&clean.findings, &clean.value.to_string(), &secret), "{}", clean.value);
        prop_assert!(clean.value.to_string().contains("keep"));
    }

    #[test]
    fn in_prose(key in key(), separator in separator(), secret in secret(), around in around(), encodings in 0_usize..6) {
        let inner = (0..encodings).fold(format!("{key}{separator}{secret}"), |text, _| encode(&text, false));
        let text = format!("{}{inner}{}", around.0, around.1);
        let clean = hint(&json!({ "message": text }));
        let after = clean.value.to_string();
        prop_assert!(!shows(&clean.findings, &after, &secret), "{text:?} -> {after}");
        prop_assert!(after.contains(around.0.trim_end()), "{text:?} -> {after}");
        prop_assert!(is_stable(&clean), "{text:?}");
    }

    #[test]
    fn in_prose_without_a_separator(label in proptest::sample::select(STRONG), secret in secret(), around in around()) {
        for text in [format!("{}{label} {secret}{}", around.0, around.1), format!("{}{label} '{secret}'{}", around.0, around.1)] {
            let (after, findings) = scrub::text(&text, Rules::Hint);
            prop_assert!(!shows(&findings, &after, &secret), "{text:?} -> {after}");
            prop_assert!(after.starts_with(around.0) && after.ends_with(around.1), "{text:?} -> {after}");
        }
    }

    #[test]
    fn by_its_shape(token in token(), around in around(), zero_width in proptest::option::of(1_usize..8), encodings in 0_usize..6, levels in 0_usize..5) {
        let mut disguised = token.clone();
        if let Some(at) = zero_width {
            disguised.insert(at, '\u{200b}');
        }
        let disguised = (0..encodings).fold(disguised, |text, _| encode(&text, false));
        let text = format!("{}{disguised}{}", around.0, around.1);
        for clean in [hint(&nested(json!({ "message": text }), levels)), details(&nested(json!({ "message": text }), levels))] {
            prop_assert!(!shows(&clean.findings, &clean.value.to_string(), &token), "{text:?} -> {}", clean.value);
        }
        let (after, _) = scrub::text(&text, Rules::Hint);
        prop_assert!(after.starts_with(around.0) && after.ends_with(around.1), "{text:?} -> {after}");
    }

    #[test]
    fn in_a_url(form in 0_u8..18, secret in secret(), around in around(), encodings in 0_usize..6, levels in 0_usize..5) {
        let inner = (0..encodings).fold(url(&secret, form), |text, _| encode(&text, false));
        let text = format!("{}{inner}{}", around.0, around.1);
        let value = nested(json!({ "url": text }), levels);
        for clean in [hint(&value), details(&value)] {
            prop_assert!(!shows(&clean.findings, &clean.value.to_string(), &secret), "{text:?} -> {}", clean.value);
        }
        let (after, _) = scrub::text(&text, Rules::Hint);
        prop_assert!(decoded(&after).contains("idp.example") || form == 3, "{text:?} -> {after}");
        prop_assert!(after.starts_with(around.0), "{text:?} -> {after}");
        if encodings == 0 {
            prop_assert!(after.ends_with(around.1), "{text:?} -> {after}");
        }
        let (again, _) = scrub::text(&after, Rules::Hint);
        prop_assert_eq!(&again, &after, "{:?}", text);
    }

    #[test]
    fn beside_its_label(key in key(), secret in secret()) {
        for value in [
            json!([key, secret]),
            json!({ "name": key, "value": secret }),
            json!([{ "key": key, "value": secret }]),
            json!([["Host", "x"], [key, secret]]),
        ] {
            let clean = hint(&value);
            prop_assert!(!shows(&clean.findings, &clean.value.to_string(), &secret), "{value} -> {}", clean.value);
        }
    }

    #[test]
    fn any_text_twice_is_once(text in "(token|code|state|password|密码|https://|a\\.b/|\\?|=|:|：| is |\"|'|\\{|\\}|\\[|\\]|\\(|\\)|@|#|%3D|%25|\\\\|/|,|;|&|\\.| |\n|abc1|Xy9zQ2w8|12345678|\\[redacted\\]|10\\.0\\.0\\.1|at f \\(x.js:1:2\\)|是|为){0,14}") {
        for rules in [Rules::Hint, Rules::Details] {
            let (once, _) = scrub::text(&text, rules);
            let (twice, findings) = scrub::text(&once, rules);
            prop_assert_eq!(&twice, &once, "{:?}", text);
            prop_assert!(findings.is_empty(), "{text:?} -> {once:?}: {findings:?}");
        }
    }

    #[test]
    fn bounds_hold(levels in 60_usize..200, secret in secret()) {
        let mut deep = json!({ "note": secret });
        for _ in 0..levels {
            deep = json!([deep]);
        }
        let clean = hint(&deep);
        if levels >= 64 {
            let text = clean.value.to_string();
            prop_assert!(text.contains(scrub::TRUNCATED) && !text.contains(&secret));
        }
        prop_assert!(is_stable(&clean), "{}", clean.value);
    }
}

#[test]
fn benign_text_and_keys_come_back_unchanged() {
    let file = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("data/benign.txt")).unwrap();
    let mut part = "";
    let (mut count, mut problems) = (0, Vec::new());
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix("== ") {
            part = name;
            continue;
        }
        count += 1;
        let mut unchanged = |rules: Rules| {
            let (clean, findings) = scrub::text(line, rules);
            if !matches!(clean, Cow::Borrowed(same) if same == line) || !findings.is_empty() {
                problems.push(format!("{rules:?}: {line:?} -> {clean:?} {findings:?}"));
            }
        };
        match part {
            "hint" => {
                unchanged(Rules::Hint);
                unchanged(Rules::Details);
            }
            "details" => unchanged(Rules::Details),
            _ => {
                let value = json!({ line: "VISIBLE", "n": { line: 1 } });
                for clean in [hint(&value), details(&value)] {
                    if clean.value != value || !clean.findings.is_empty() {
                        problems.push(format!("key {line:?} -> {} {:?}", clean.value, clean.findings));
                    }
                }
            }
        }
    }
    assert!(count >= 300, "only {count} lines");
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn what_lies_beyond_the_bounds_is_replaced() {
    let long = "a word or two ".repeat(40_000) + "token=Abc123Def456";
    let clean = hint(&json!({ "message": long, "after": "kept?" }));
    let text = clean.value.to_string();
    assert!(text.contains(scrub::TRUNCATED) && !text.contains("Abc123Def456") && text.len() < 300_000);
    assert!(is_stable(&clean), "not stable");

    let many: Vec<Value> = (0..500_000).map(Value::from).collect();
    let clean = hint(&json!(many));
    assert!(clean.value.as_array().unwrap().len() < 300_000);
    assert!(is_stable(&clean), "not stable");

    let dirty = "token=Abc123Def456 ".repeat(20_000);
    let (once, findings) = scrub::text(&dirty, Rules::Hint);
    assert!(!once.contains("Abc123Def456") && findings.len() <= 1000);
    assert!(scrub::text(&once, Rules::Hint).0 == once, "not stable");

    let limits = Limits { depth: 2, text: 64 };
    let value = json!({ "a": { "b": { "c": "deep" } } });
    let Ok(clean) = scrub::auth_hint_with(&&value, HintPolicy::Standard, &mut ToJson, limits);
    assert_eq!(clean.value, json!({ "a": { "b": "[truncated]" } }));
}

#[test]
fn a_long_value_goes_as_a_whole() {
    // What is judged is its first part; what goes is all of it.
    let pairs = format!("Server=x;{}Password=y", "a=b;".repeat(200));
    assert_eq!(scrub::text(&pairs, Rules::Details).0, "[redacted]");
    // The 64th byte, where the judged part ends, is a full stop.
    let cut_at_a_stop = format!("{}x.{}", "x9".repeat(31), "y8".repeat(20));
    for value in ["x9".repeat(5_000), "秘".repeat(5_000), cut_at_a_stop] {
        for label in ["token: ", "token=", "令牌：", "password is "] {
            if label == "password is " && value.starts_with('秘') {
                continue; // a sentence may go on so
            }
            let text = format!("{label}{value}");
            let (clean, _) = scrub::text(&text, Rules::Details);
            assert!(clean.len() < 40, "{label}{}: {} bytes are left", &value[..3], clean.len());
        }
    }
}

#[test]
fn time_grows_with_the_size_and_no_faster() {
    use std::time::Instant;
    let limits = Limits { depth: 64, text: usize::MAX };
    let time = |text: &str, rules, times: usize| {
        (0..3)
            .map(|_| {
                let start = Instant::now();
                for _ in 0..times {
                    let _ = std::hint::black_box(scrub::text_with(text, rules, limits));
                }
                start.elapsed().as_secs_f64()
            })
            .fold(f64::INFINITY, f64::min)
    };
    for unit in [
        "a",
        "%25",
        ":",
        "http",
        "\"",
        "{",
        "[",
        "\\",
        "a=",
        "token(",
        "token ",
        "?",
        "x?",
        "/",
        "@",
        "a@",
        "sk-",
        "eyJ.",
        "Bearer ",
        "a:b@",
        "https://",
        "{\"a\":",
        "密码：",
        "-----BEGIN",
        "&amp;",
        "\u{200b}",
        "token='",
        "password is ",
        "1:",
        "at f (",
        "Server=",
        "?a=",
        "密码\"",
        "[[1,",
        "x.",
        "\\n",
        "\n",
        "1",
        "1.",
        "local.",
        "10.0.0.1-",
        "eyJabcdefg=",
        ".user id=",
        ":密码",
        ",?",
    ] {
        for rules in [Rules::Hint, Rules::Details] {
            let (small, large) = (unit.repeat(8_192 / unit.len()), unit.repeat(8_192 * 16 / unit.len()));
            // Sixteen small ones take as long as a large one, so that a busy machine interrupts both alike.
            let ratio = (0..12)
                .map(|_| time(&large, rules, 1) / time(&small, rules, 16))
                .find(|ratio| *ratio < 8.0)
                .unwrap_or(f64::INFINITY);
            // A quadratic step would show as 16; the noise of a busy machine stays below eight.
            assert!(ratio < 8.0, "{unit:?} {rules:?}: the time per byte grows with the size");
        }
    }
}
