//! The command as it is used: the real program, its outputs and its exit codes.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ackguard"));
    command.env_remove("NO_COLOR").env("TERM", "xterm-256color");
    command
}

fn run(args: &[&str], stdin: &[u8]) -> Output {
    let mut child = program()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that does not read its input closes it.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    child.wait_with_output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Exit code 2, nothing on standard output, one line on standard error.
#[track_caller]
fn assert_unusable(output: &Output, says: &str) {
    let text = err(output);
    assert_eq!(code(output), 2, "{text}");
    assert!(output.stdout.is_empty());
    assert!(text.starts_with("ackguard: ") && text.ends_with('\n') && text.lines().count() == 1, "{text:?}");
    assert!(text.contains(says), "{text:?}");
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data").join(name)
}

fn json_of(args: &[&str], stdin: &[u8]) -> Value {
    let output = run(args, stdin);
    assert!(code(&output) < 2, "{}", err(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A directory of its own for one test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("ackguard-cli-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.0.join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

// --- triage -----------------------------------------------------------------------------------------------

/// The table beside a recording says what each of its lines is; it was written from the peers' sources and
/// the specification, and by no classifier.
#[test]
fn every_recorded_ack_is_of_the_kind_that_was_expected() {
    for (name, dialect, many) in [("acks", "0.3", 218), ("acks-0.2", "0.2", 52)] {
        let expected = fs::read_to_string(data(&format!("{name}.expected.tsv"))).unwrap();
        let recorded = fs::read_to_string(data(&format!("{name}.jsonl"))).unwrap();
        let mut rows: BTreeMap<[String; 4], u64> = BTreeMap::new();
        let mut lines = 0;
        for (row, line) in expected.lines().skip(1).zip(recorded.lines()) {
            lines += 1;
            let cells: Vec<_> = row.split('\t').collect();
            let [number, event, kind, code, reason, outcome] = cells[..] else { panic!("{row}") };
            assert_eq!(number, lines.to_string());
            let record =
                ackguard::payload::classify_record(line.as_bytes(), dialect.parse().unwrap()).unwrap();
            assert_eq!(record.event.as_deref(), Some(event), "{name}:{number}");
            assert_eq!(record.payload.kind().as_str(), kind, "{name}:{number}");
            *rows.entry([kind, code, reason, outcome].map(str::to_owned)).or_default() += 1;
        }
        assert_eq!((lines, expected.lines().count(), recorded.lines().count()), (many, many + 1, many));

        let file = data(&format!("{name}.jsonl"));
        let value = json_of(&["triage", "--json", "--dialect", dialect, file.to_str().unwrap()], b"");
        let counted: BTreeMap<_, _> = value["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| {
                let cell = |key: &str| match &row[key] {
                    Value::String(text) => text.clone(),
                    Value::Null => String::new(),
                    other => other.to_string(),
                };
                (["kind", "code", "reason", "outcome"].map(cell), row["count"].as_u64().unwrap())
            })
            .collect();
        assert_eq!(counted, rows, "{name}");
        assert_eq!(value["total"], many);
        assert_eq!(value["broken"], json!({"named": [], "not_json": 0, "too_long": 0}));
    }
}

#[test]
fn lines_come_bare_or_with_their_event_and_in_any_dress() {
    let text = b"\xEF\xBB\xBF{\"event\":\"x\",\"ack\":[true,null]}\r\n\r\n  \t\n[false,\"no\"]\n\
        {\"code\":4101,\"message\":\"full\"}\n{\"code\":4101,\"message\":\"full\",\"event\":\"e\",\"ack\":null}";
    let scratch = Scratch::new("dress");
    let plain = scratch.file("a.jsonl", text);
    // Two members of one file, and a name that says nothing.
    let packed = scratch.file("b", &[gzip(text), gzip(b"\nnull\n")].concat());
    for (args, stdin, total) in [
        (vec!["triage", "--json", &*plain], &b""[..], 4),
        (vec!["triage", "--json", &*packed], b"", 5),
        (vec!["triage", "--json", &*plain, &*packed], b"", 9),
        (vec!["triage", "--json", "-"], text, 4),
        (vec!["triage", "--json", "-"], &gzip(text), 4),
        (vec!["triage", "--json", "-"], b"", 0),
    ] {
        let value = json_of(&args, stdin);
        assert_eq!(value["total"], total, "{args:?}");
        assert_eq!(value["lines"], total, "{args:?}");
        assert_eq!(value["broken"]["not_json"], 0);
        assert_eq!(value["damaged"], json!([]));
        if total == 4 {
            assert_eq!(value["kinds"], json!({"error": 2, "event_result": 2}));
        }
    }
}

#[test]
fn broken_lines_are_counted_and_the_first_are_named() {
    let scratch = Scratch::new("broken");
    let mut text = b"[true,null]\n{\"a\":}\n".to_vec();
    for _ in 0..30 {
        text.extend_from_slice(b"\x1b[31mboom token=s3cr3t\n");
    }
    let file = scratch.file("x.jsonl", &text);
    let output = run(&["triage", &*file], b"");
    assert_eq!(code(&output), 0);
    let shown = out(&output);
    assert!(shown.contains("broken lines (31 of 32)"), "{shown}");
    assert!(shown.contains("x.jsonl:2:6: not JSON (byte 17)"), "{shown}");
    assert!(shown.contains("x.jsonl:3:1: not JSON"), "{shown}");
    assert!(shown.contains("and 21 more"), "{shown}");
    assert!(!shown.contains("s3cr3t") && !shown.contains('\u{1b}'), "{shown}");

    let value = json_of(&["triage", "--json", "--name-lines", "2", &*file], b"");
    assert_eq!(value["broken"]["not_json"], 31);
    let place = json!({"file": &*file, "line": 2, "column": 6, "offset": 17, "problem": "not_json"});
    assert_eq!(value["broken"]["named"][0], place);
    assert_eq!(value["broken"]["named"].as_array().unwrap().len(), 2);

    let output = run(&["triage", "--prometheus", &*file], b"");
    assert!(out(&output).contains("ackguard_broken_lines_total{problem=\"not_json\"} 31\n"));
    assert!(err(&output).contains("x.jsonl:2:6"));
}

#[test]
fn damaged_gzip_data_is_said_and_what_came_before_is_counted() {
    let scratch = Scratch::new("damage");
    let packed = gzip(&b"[true,null]\n".repeat(50_000));
    let (head, _) = packed.split_at(packed.len() * 2 / 3);
    for (name, bytes, says) in [
        ("cut.gz", head.to_vec(), "breaks off"),
        ("tail.gz", [&packed[..], b"garbage behind it"].concat(), "damaged"),
        ("magic.gz", b"\x1f\x8b".to_vec(), "breaks off"),
        ("header.gz", b"\x1f\x8b\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff".to_vec(), "damaged"),
    ] {
        let file = scratch.file(name, &bytes);
        let output = run(&["triage", &*file], b"");
        assert_eq!(code(&output), 0, "{name}");
        assert!(out(&output).contains(says), "{name}: {}", out(&output));
        let value = json_of(&["triage", "--json", &*file], b"");
        assert_eq!(value["damaged"].as_array().unwrap().len(), 1);
        match name {
            "cut.gz" => assert!(value["kinds"]["event_result"].as_u64().unwrap() > 1000),
            "tail.gz" => assert_eq!(value["kinds"]["event_result"], 50_000),
            _ => assert_eq!(value["total"], 0),
        }
    }
}

#[test]
fn hostile_lines_end_in_an_answer() {
    let mut text = Vec::new();
    // 10^6 brackets, 10^5 equal keys, invalid UTF-8, a line that is too long, a surrogate, NUL bytes.
    text.extend_from_slice(&b"[".repeat(1_000_000));
    text.push(b'\n');
    text.extend_from_slice(&b"[".repeat(100_000));
    text.extend_from_slice(&b"]".repeat(100_000));
    text.extend_from_slice(b"\n{");
    text.extend_from_slice(&br#""code":404,"#.repeat(100_000));
    text.extend_from_slice(b"\"message\":\"m\"}\n\"\xff\xfe\"\n\"");
    text.extend_from_slice(&b"x".repeat(3 * 1024 * 1024));
    text.extend_from_slice(b"\"\n\"\\ud800\"\n\0\0\0\n[true,null]");
    let value = json_of(&["triage", "--json", "--max-line", "2", "-"], &text);
    assert_eq!(value["kinds"], json!({"data": 1, "error": 1, "event_result": 1, "invalid": 4}));
    assert_eq!(value["broken"]["not_json"], 4);
    assert_eq!(value["broken"]["too_long"], 1);
    assert_eq!(value["lines"], 8);
    let lines: Vec<_> =
        value["broken"]["named"].as_array().unwrap().iter().map(|it| it["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [1, 4, 5, 6, 7]);
}

#[test]
fn frames_of_an_acp_log_are_judged() {
    let log = br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}
{"jsonrpc":"2.0","id":1,"result":{}}
{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"Login required"}}
{"jsonrpc":"2.0","id":3,"error":{"code":"x","message":"m"}}
{"jsonrpc":"2.0","id":4}
Starting agent v1.2 ...
"#;
    let value = json_of(&["triage", "--json", "-"], log);
    assert_eq!(value["kinds"], json!({"data": 3, "invalid": 1, "rpc_error": 2}));
    assert_eq!(value["frames"], json!({"empty": 1, "error_code": 1}));
    let shown = out(&run(&["triage", "-"], log));
    assert!(shown.contains("authentication_required") && shown.contains("broken frames"), "{shown}");
}

#[test]
fn the_prometheus_text_has_every_family() {
    let output = run(&["triage", "--prometheus", data("acks.jsonl").to_str().unwrap()], b"");
    let text = out(&output);
    let help = "# HELP ackguard_payloads_total Payloads by kind, code, reason and outcome.\n\
                # TYPE ackguard_payloads_total counter\n";
    assert!(text.starts_with(help));
    let row = r#"ackguard_payloads_total{kind="error",code="4017",reason="too_large",outcome=""} 1"#;
    assert!(text.lines().any(|line| line == row), "{text}");
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (series, count) = line.rsplit_once(' ').unwrap();
        assert!(series.starts_with("ackguard_") && series.contains("_total"));
        count.parse::<u64>().unwrap();
    }
}

// --- explain ----------------------------------------------------------------------------------------------

#[test]
fn an_error_is_explained_in_both_languages() {
    let payload = br#"{"code":4017,"message":"Skill resource not accessible",
        "details":{"reason":"too_large","rel_path":"models/big.bin","total_size":734003200}}"#;
    let output = run(&["explain"], payload);
    assert_eq!(code(&output), 0);
    let shown = out(&output);
    for part in [
        "4017 SKILL_RESOURCE_NOT_ACCESSIBLE (too_large)",
        "who acts",
        "report_size",
        "The file is too large to be transferred (734003200 bytes).",
        "models/big.bin",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let shown = out(&run(&["explain", "--locale", "zh-CN", "-"], payload));
    assert!(shown.contains("协议错误 4017") && shown.contains("（734003200 字节）"), "{shown}");
    assert!(!shown.contains("who acts"));
}

#[test]
fn every_kind_is_explained() {
    for (payload, title, user) in [
        (
            r#"{"code":4101,"message":"m"}"#,
            "Protocol error 4101 ROOM_FULL",
            "Another agent is already in this room.",
        ),
        (r#"{"code":4010,"message":"m"}"#, "Protocol error 4010", "does not know"),
        (r#"{"content":[],"isError":true}"#, "Tool result: failed", "tell the user"),
        (r#"{"content":[]}"#, "Tool result: completed", "nothing"),
        (
            r#"{"content":[],"isError":true,"meta":{"error_code":4006,"mcp_server":"s","auth_hint":{"message":"Sign in"}}}"#,
            "Tool result: authorization_required 4006 TOOL_AUTHORIZATION_REQUIRED",
            "Sign in",
        ),
        (
            r#"{"content":[],"isError":true,"meta":{"a2c_cancelled":true}}"#,
            "Tool result: cancelled",
            "cancelled",
        ),
        ("[true,null]", "Answer of an event: true", "nothing"),
        (r#"[false,"full"]"#, "Answer of an event: false", "full"),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"m"}}"#,
            "JSON-RPC error -32000 authentication_required",
            "sign in to the agent",
        ),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1}}"#, "JSON-RPC error -1", "error_message"),
        (r#"{"jsonrpc":"2.0","id":1}"#, "Data", "neither result nor error"),
        (r#"{"error":{"code":4014,"message":"m"}}"#, "Malformed protocol error", "nested_envelope"),
        ("null", "Nothing", "by itself no failure"),
        (r#"{"tools":[]}"#, "Data", "A successful answer"),
        (
            r#"{"event":"server:join_office","ack":[false,"full"]}"#,
            "Answer of an event: false",
            "server:join_office",
        ),
    ] {
        let output = run(&["explain"], payload.as_bytes());
        let shown = out(&output);
        assert_eq!(code(&output), 0, "{payload}: {}", err(&output));
        assert_eq!(shown.lines().next(), Some(title), "{payload}");
        assert!(shown.contains(user), "{payload}: {shown}");
        assert!(shown.contains("who acts") && shown.contains("retry"), "{shown}");
        let chinese = out(&run(&["explain", "--locale", "zh"], payload.as_bytes()));
        assert!(chinese.contains("谁来处理"), "{chinese}");
    }
}

#[test]
fn what_is_not_json_is_said_to_be_so() {
    for (text, says) in [
        (&b"{"[..], "byte 1"),
        (b"", "nothing in it"),
        (b"\n \n", "nothing in it"),
        (b"\xEF\xBB\xBF{}", "byte order mark"),
        (b"\xff\xfe{\0}\0", "it is UTF-16"),
        (b"\x1f\x8b\x08\x00", "it is gzip"),
        (b"null\nnull\n", "triage counts"),
        (b"Traceback (most recent call last):", "byte 0"),
        (b"{'code': 4018}", "byte 1: it looks like what Python prints"),
        (b"{\"code\": None}", "byte 9: it looks like what Python prints"),
        (b"[True, \"x\"]", "byte 1: it looks like what Python prints"),
    ] {
        let output = run(&["explain"], text);
        assert_eq!(code(&output), 1, "{says}");
        assert!(out(&output).starts_with("Not JSON\n"), "{}", out(&output));
        assert!(out(&output).contains(says), "{says}: {}", out(&output));
        assert_eq!(json_of(&["explain", "--json"], text)["kind"], "invalid");
        // In Chinese there is no English sentence left, only names: of formats, of a function, of this program.
        let chinese = out(&run(&["explain", "--locale", "zh"], text));
        assert!(chinese.starts_with("不是 JSON\n") && !chinese.contains(says), "{chinese}");
        for word in [" the ", " it ", " is ", "there", "unexpected", "only"] {
            assert!(!chinese.contains(word), "{word}: {chinese}");
        }
        // A hint that is not JSON is refused with the same words.
        let output = run(&["hint"], text);
        assert_eq!((code(&output), out(&output)), (1, String::new()), "{says}");
        assert!(err(&output).starts_with("not JSON: ") && err(&output).contains(says), "{}", err(&output));
    }
}

#[test]
fn the_report_is_the_canonical_one() {
    let value = json_of(&["explain", "--json", "--dialect", "0.4"], br#"{"code":4019,"message":"m"}"#);
    let expected = json!({
        "kind": "error",
        "error": {"code": 4019, "known": true, "message": "m", "name": "BLOB_WRITE_FAILED"},
        "violations": ["field_missing:reason"],
        "retry": {"automatic": "no", "action": "none"},
    });
    assert_eq!(value, expected);
    let old = json_of(&["explain", "--json"], br#"{"code":4019,"message":"m"}"#);
    assert_eq!(old["error"]["known"], false);
}

#[test]
fn a_terminal_is_never_given_control_characters() {
    let payload = json!({
        "code": 4014, "message": "a\u{1b}[2J\u{202e}\u{9b}31m\u{7}b\nc",
        "details": {"k\u{1b}\n": "v\r\u{200b}", "reason": "\u{1b}]0;x\u{7}"}, "mcp_server_name": "\u{8}s"
    })
    .to_string();
    for args in [&["explain"][..], &["explain", "--json"], &["triage", "-"], &["explain", "--locale", "zh"]] {
        let output = run(args, payload.as_bytes());
        let shown = out(&output) + &err(&output);
        let bad =
            shown.chars().find(|c| (c.is_control() && *c != '\n') || matches!(c, '\u{202e}' | '\u{200b}'));
        assert_eq!(bad, None, "{args:?}: {shown:?}");
        assert!(shown.lines().all(|line| line != "c"), "{shown}");
    }
    let output = run(&["explain", "\u{1b}[31m\nx"], b"");
    assert_unusable(&output, "no such file");
    let output = run(&["\u{1b}[31m\nx"], b"");
    assert_unusable(&output, "unrecognized");
}

// --- the other commands -----------------------------------------------------------------------------------

#[test]
fn codes_come_in_three_forms() {
    let value = json_of(&["codes", "--json"], b"");
    assert_eq!(value.as_array().unwrap().len(), 24);
    assert_eq!(value[0]["code"], 400);
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).unwrap();
    let markdown = out(&run(&["codes", "--markdown"], b""));
    assert!(readme.contains(&markdown), "{markdown}");
    let table = out(&run(&["codes", "--locale", "zh"], b""));
    assert_eq!(table.lines().count(), 25);
    assert!(table.contains("房间已有 Agent"));
}

#[test]
fn versions_are_compared() {
    for (client, server, expected, says) in [
        ("0.2.1", "0.2.0", 0, "compatible"),
        ("0.2.0", "0.4.0", 1, "not compatible"),
        ("1.2.0", "1.3.9", 0, "compatible"),
        ("1.4.0", "1.3.0", 1, "above"),
        ("1.0.0", "2.0.0", 1, "major"),
        ("v0.2.0", "0.2.0", 1, "client's version"),
        ("0.2.0", "0.2", 1, "server's version"),
        ("-1.0.0", "0.2.0", 1, "client's version"),
    ] {
        let output = run(&["version-check", client, server], b"");
        assert_eq!(code(&output), expected, "{client} {server}");
        assert!(out(&output).contains(says), "{}", out(&output));
        assert_eq!(out(&output).lines().count(), 1);
    }
    assert_unusable(&run(&["version-check", "0.2.0"], b""), "SERVER");
}

#[test]
fn names_are_judged_and_underlined() {
    let output = run(&["name", "code-review", "mcp:tools:x", "acme:y"], b"");
    assert_eq!(code(&output), 0);
    assert!(out(&output).contains("server tools") && out(&output).contains("plugin acme"));

    let output = run(&["name", "acme:Code Review"], b"");
    assert_eq!(code(&output), 1);
    let lines: Vec<String> = out(&output).lines().map(str::to_owned).collect();
    assert_eq!(lines[0], "acme:Code Review");
    assert_eq!(lines[1], "     ^ bad_char");
    assert!(lines[3].contains("acme:code-review"), "{lines:?}");

    // A character of two columns is underlined by two.
    let output = run(&["name", "审-技:x"], b"");
    assert_eq!(out(&output).lines().nth(1), Some("^^ bad_char"));
    let output = run(&["name", "a审"], b"");
    assert_eq!(out(&output).lines().nth(1), Some(" ^^ bad_char"));

    let long = format!("mcp:{}:x", "s".repeat(65));
    assert_eq!(code(&run(&["name", &long], b"")), 1);
    assert_eq!(code(&run(&["name", "--dialect", "0.3", &long], b"")), 0);
    // A name is what stands there, even if it looks like an option.
    let output = run(&["name", "--", "-x"], b"");
    assert!(out(&output).contains("leading_hyphen"), "{}", out(&output));
    assert_eq!(code(&run(&["name", ""], b"")), 1);
    assert_unusable(&run(&["name"], b""), "NAME");
}

#[test]
fn files_of_a_package_are_judged() {
    let scratch = Scratch::new("path");
    scratch.file("SKILL.md", b"body\n");
    scratch.file(".skillenv", b"TOKEN=x");
    scratch.file("key.pem", b"k");
    let root = scratch.0.to_str().unwrap();
    for (args, expected, says) in [
        (vec!["path", root, "SKILL.md"], 0, "SKILL.md  5 bytes\n"),
        (vec!["path", root, "./SKILL.md"], 0, "SKILL.md  5 bytes\n"),
        (vec!["path", root, ""], 0, "SKILL.md  5 bytes\n"),
        (vec!["path", root, "."], 1, "4017 not_found"),
        (vec!["path", "--read", root, "SKILL.md"], 0, "body\n"),
        (vec!["path", root, ".skillenv"], 1, "4017 forbidden"),
        (vec!["path", "--read", root, ".skillenv/"], 1, "4017 forbidden"),
        (vec!["path", root, "../x"], 1, "4017 traversal"),
        (vec!["path", root, "nope"], 1, "4017 not_found"),
        (vec!["path", root, "key.pem"], 0, "1 bytes"),
        (vec!["path", "--credentials", root, "key.pem"], 1, "4017 forbidden"),
        (vec!["path", "--forbid", "SKILL.*", root, "SKILL.md"], 1, "4017 forbidden"),
        (vec!["path", "--max-size", "4", root, "SKILL.md"], 1, "4017 too_large"),
        // The text is judged before anything is looked at.
        (vec!["path", "/no/such/package", "../x"], 1, "4017 traversal"),
    ] {
        let output = run(&args, b"");
        assert_eq!(code(&output), expected, "{args:?}: {}", err(&output));
        let text = if expected == 0 { out(&output) } else { err(&output) };
        assert!(text.contains(says), "{args:?}: {text}");
        assert!(expected == 0 || output.stdout.is_empty());
    }
    assert_unusable(&run(&["path", "/no/such/package", "x"], b""), "no such directory");
}

/// An invented secret; it must not come out anywhere.
const SECRET: &str = "s3cr3tV4lue9Zq7";

#[test]
fn hints_are_scrubbed_and_findings_hold_no_secret() {
    let clean = br#"{"action":"open_page","message":"Sign in on the host"}"#;
    let output = run(&["hint"], clean);
    assert_eq!((code(&output), err(&output)), (0, String::new()));
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap()["action"], "open_page");
    let output = run(&["hint", "--check", "-"], clean);
    assert_eq!((code(&output), out(&output), err(&output)), (0, String::new(), String::new()));

    let dirty = format!(
        r#"{{"message":"password is {SECRET}","access_token":"{SECRET}","extra":"kept",
            "url":"https://x.example/login?code={SECRET}&state={SECRET}"}}"#
    );
    for args in [&["hint"][..], &["hint", "--check"], &["hint", "--strict"], &["hint", "--details"]] {
        let output = run(args, dirty.as_bytes());
        assert_eq!(code(&output), 1, "{args:?}");
        let all = out(&output) + &err(&output);
        assert!(!all.contains(SECRET), "{args:?}: {all}");
        assert!(err(&output).lines().count() >= 3, "{}", err(&output));
        assert!(err(&output).contains("/access_token: access_credential, removed"), "{}", err(&output));
        assert_eq!(output.stdout.is_empty(), args.contains(&"--check"));
        assert_eq!(out(&output).contains("kept"), !args.contains(&"--check") && !args.contains(&"--strict"));
    }
    // An internal address may stand in a hint, and not in details.
    let inside = br#"{"message":"connect to 10.1.2.3:5432"}"#;
    assert_eq!(code(&run(&["hint"], inside)), 0);
    assert_eq!(code(&run(&["hint", "--details"], inside)), 1);
}

#[test]
fn nothing_that_is_explained_or_counted_shows_a_secret() {
    for payload in [
        format!(
            r#"{{"code":500,"message":"token={SECRET}","details":{{"api_key":"{SECRET}","a":"password: {SECRET}"}}}}"#
        ),
        format!(
            r#"{{"code":500,"message":"m","details":"password={SECRET}","x":{{"client_secret":"{SECRET}"}}}}"#
        ),
        format!(
            r#"{{"code":500,"message":"m","details":{{"reason":"Bearer {SECRET}","trace_id":"token={SECRET}"}}}}"#
        ),
        format!(
            r#"{{"code":4014,"message":"m","mcp_server":"https://u:{SECRET}@x.example/?token={SECRET}"}}"#
        ),
        format!(
            r#"{{"content":[],"isError":true,"meta":{{"error_code":4006,"mcp_server":"password={SECRET}","auth_hint":{{"message":"code={SECRET}","token":"{SECRET}"}}}}}}"#
        ),
        format!(r#"{{"content":[],"meta":{{"a2c_cancelled":true,"a2c_cancel_reason":"api_key={SECRET}"}}}}"#),
        format!(r#"[false,"password={SECRET}"]"#),
        format!(
            r#"{{"jsonrpc":"2.0","id":"token={SECRET}","error":{{"code":1,"message":"password={SECRET}","data":"{SECRET}"}}}}"#
        ),
        format!(r#"{{"event":"password={SECRET}","ack":[true,null]}}"#),
        format!(r#"{{"error":{{"code":4014,"message":"{SECRET}"}}}}"#),
        format!(r#"{{"anything":"{SECRET}"}}"#),
        format!("token={SECRET}"),
    ] {
        for args in [
            &["explain"][..],
            &["explain", "--json"],
            &["explain", "--locale", "zh"],
            &["triage", "-"],
            &["triage", "--json", "-"],
            &["triage", "--prometheus", "-"],
        ] {
            let output = run(args, payload.as_bytes());
            let all = out(&output) + &err(&output);
            assert!(!all.contains(SECRET), "{args:?} {payload}: {all}");
        }
    }
    let leaking = format!(r#"{{"code":500,"message":"m","details":{{"api_key":"{SECRET}"}}}}"#);
    let value = json_of(&["triage", "--json", "-"], leaking.as_bytes());
    assert_eq!(value["leaks"], json!({"access_credential": 1}));
    assert_eq!(value["violations"], json!({"details_sensitive": 1}));
    let shown = out(&run(&["explain"], leaking.as_bytes()));
    assert!(shown.contains("leaks") && shown.contains("access_credential (/api_key)"), "{shown}");
}

#[test]
fn a_configuration_is_checked_whole() {
    let sound = br#"{"servers":{"a":{"command":"x","args":[],"env":{},"cwd":"."}}}"#;
    let output = run(&["acp-config", "-"], sound);
    assert_eq!((code(&output), out(&output)), (0, "standard input: 1 server\n".to_owned()));
    let broken = br#"{"servers":{"a":{"command":"","args":1,"env":{"K":"$ACKGUARD_NOT_SET"},"cwd":"."}}}"#;
    let output = run(&["acp-config", "-"], broken);
    assert_eq!(code(&output), 1);
    assert_eq!(out(&output).lines().count(), 3, "{}", out(&output));
    assert_eq!(out(&run(&["acp-config", "--any-env", "-"], broken)).lines().count(), 2);
    assert_eq!(code(&run(&["acp-config", "-"], b"{")), 1);
    assert_unusable(&run(&["acp-config"], b""), "FILE");
}

// --- manners ----------------------------------------------------------------------------------------------

#[test]
fn what_cannot_be_read_is_said_in_one_line() {
    let scratch = Scratch::new("unreadable");
    for command in ["explain", "triage", "hint", "acp-config"] {
        assert_unusable(&run(&[command, "/no/such/file"], b""), "no such file");
        assert_unusable(&run(&[command, scratch.0.to_str().unwrap()], b""), "directory");
        assert_unusable(&run(&[command, "--bogus"], b""), "--bogus");
    }
    let utf16 = scratch.file("utf16.jsonl", b"\xff\xfe[\0]\0\n\0");
    assert_unusable(&run(&["triage", &*utf16], b""), "UTF-16");
    assert_unusable(&run(&["triage", "-"], b"(\xb5\x2f\xfd...."), "zstd");
    // A file that is not there is said before the others are read.
    assert_unusable(&run(&["triage", &*utf16, "/no/such/file"], b""), "no such file");
    assert_unusable(&run(&[], b""), "a command is missing");
    assert_unusable(&run(&["tirage"], b""), "triage");
    assert_unusable(&run(&["triage"], b""), "FILE");
    // The help that is named is that of the command that was meant.
    assert_unusable(&run(&["triage"], b""), "(see ackguard triage --help)");
    assert_unusable(&run(&["version-check", "1"], b""), "(see ackguard version-check --help)");
    assert_unusable(&run(&["explain", "--locle"], b""), "(see ackguard explain --help)");
    assert_unusable(&run(&["tirage"], b""), "(see ackguard --help)");
    assert_unusable(&run(&["path", "--max-size", "1MB", ".", "a"], b""), "(see ackguard path --help)");
    assert_unusable(&run(&["explain", "--dialect", "0.1"], b""), "dialect");
    assert_unusable(&run(&["triage", "--json", "--prometheus", "-"], b""), "cannot be used with");
    assert_unusable(&run(&["triage", "--max-line", "0", "-"], b""), "max-line");
}

#[test]
fn help_and_version_are_on_standard_output() {
    for command in ["explain", "triage", "codes", "version-check", "name", "path", "hint", "acp-config"] {
        let output = run(&[command, "--help"], b"");
        assert_eq!(code(&output), 0);
        assert!(out(&output).contains("Usage: ackguard ") && output.stderr.is_empty(), "{command}");
        assert!(out(&run(&["--help"], b"")).contains(command));
    }
    assert!(out(&run(&["help"], b"")).contains("Commands:"));
    assert!(out(&run(&["help", "triage"], b"")).contains("Usage: ackguard triage"));
    assert_eq!(out(&run(&["--version"], b"")), format!("ackguard {}\n", ackguard::VERSION));
}

#[test]
fn there_is_no_colour_where_there_is_no_terminal() {
    for args in [&["triage", "-"][..], &["explain"], &["codes"], &["name", "X"]] {
        let output = run(args, b"[false,null]");
        assert!(!output.stdout.contains(&0x1b), "{args:?}");
    }
    let mut look = ackguard::cli::Look::default();
    look.color = true;
    let args = ["ackguard", "explain"].map(Into::into);
    let answer = ackguard::cli::run(args, &mut &b"[false,null]"[..], look);
    assert!(answer.stdout.contains(&0x1b));
}

#[test]
fn a_terminal_of_80_columns_is_filled_and_no_word_is_broken() {
    let path = "models/".to_owned() + &"a".repeat(90);
    let payload = json!({
        "code": 4017, "message": "The file is larger than what this Computer is willing to hand out at a time.",
        "details": {"reason": "too_large", "rel_path": path, "total_size": 734_003_200}
    })
    .to_string();
    let shown = |columns: Option<usize>, args: &[&str]| {
        let mut look = ackguard::cli::Look::default();
        look.columns = columns;
        let args = ["ackguard"].iter().chain(args).map(Into::into);
        let answer = ackguard::cli::run(args, &mut payload.as_bytes(), look);
        String::from_utf8(answer.stdout).unwrap()
    };
    for args in [&["explain"][..], &["explain", "--locale", "zh"], &["codes"], &["codes", "--locale", "zh"]] {
        let (wide, narrow) = (shown(None, args), shown(Some(80), args));
        for line in narrow.lines().filter(|line| !line.contains(&path)) {
            assert!(unicode_width::UnicodeWidthStr::width(line) <= 80, "{line}");
        }
        if args[0] == "explain" {
            let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            assert_eq!(letters(&wide), letters(&narrow));
            assert!(narrow.lines().count() > wide.lines().count());
            // What is too long for any line is left whole.
            assert!(narrow.contains(&path), "{narrow}");
        } else {
            assert_eq!(narrow.lines().count(), wide.lines().count());
            assert!(narrow.contains("refresh_servers"));
        }
    }
    assert!(shown(Some(80), &["codes", "--locale", "zh"]).contains("房间已有 Agent"));
    assert!(shown(Some(80), &["codes"]).contains("ROOM_FULL"));
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error_and_keeps_the_verdict() {
    for (args, stdin, expected) in
        [(&["codes"][..], &b""[..], 0), (&["name", "X"], b"", 1), (&["triage", "-"], b"null\n", 0)]
    {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut child =
            program().args(args).stdin(Stdio::piped()).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(stdin);
        let output = child.wait_with_output().unwrap();
        assert_eq!((code(&output), err(&output)), (expected, String::new()), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = program().arg("codes").stdout(full).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(code(&output), 2);
    assert!(err(&output).starts_with("ackguard: cannot write the output"), "{}", err(&output));
}

#[cfg(unix)]
#[test]
fn a_pipe_is_a_file_like_any_other() {
    let scratch = Scratch::new("fifo");
    let path = scratch.0.join("fifo");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    let text = b"[true,null]\n".repeat(100_000);
    let writer = std::thread::spawn({
        let path = path.clone();
        move || fs::write(path, text).unwrap()
    });
    let value = json_of(&["triage", "--json", path.to_str().unwrap()], b"");
    writer.join().unwrap();
    assert_eq!(value["total"], 100_000);
}
