//! The command as it is used: the real program, its outputs and its exit codes.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

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

#[test]
fn the_recorded_acks_are_all_counted() {
    for (name, lines) in [("acks.jsonl", 218), ("acks-0.2.jsonl", 52)] {
        let output = run(&["triage", "--json", data(name).to_str().unwrap()], b"");
        assert_eq!(code(&output), 0, "{}", err(&output));
        let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(value["total"], lines);
        assert_eq!(value["broken"]["not_json"], 0);
    }
}

#[test]
fn what_cannot_be_read_is_said_in_one_line() {
    for command in ["explain", "triage"] {
        assert_unusable(&run(&[command, "/no/such/file"], b""), "no such file");
        assert_unusable(&run(&[command, env!("CARGO_MANIFEST_DIR")], b""), "directory");
    }
    assert_unusable(&run(&[], b""), "a command is missing");
    assert_unusable(&run(&["tirage"], b""), "tirage");
    assert_unusable(&run(&["triage"], b""), "FILE");
    assert_unusable(&run(&["explain", "--dialect", "0.1"], b""), "dialect");
    assert_unusable(&run(&["triage", "--json", "--prometheus", "-"], b""), "cannot be used with");
}
