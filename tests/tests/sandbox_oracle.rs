//! Nothing tells whether something exists outside of the package: not the reason, not the payload, not one system
//! call.
#![cfg(target_os = "linux")]

mod sandbox_support;

use std::fs;
use std::path::Path;
use std::process::Command;

use ackguard::Dialect;
use ackguard::sandbox::{Options, SkillRoot};
use sandbox_support::Folder;

/// Set in the process that is watched: the package's directory.
const PACKAGE: &str = "ACKGUARD_TEST_ORACLE";
const FALLBACK: &str = "ACKGUARD_TEST_ORACLE_FALLBACK";

/// Every kind of way out, and what is behind it where there is anything.
const WAYS_OUT: &[&str] = &[
    "file",
    "file/x",
    "dir",
    "dir/file.txt",
    "dir/deep/file.txt",
    "absolute_file",
    "absolute_dir/file.txt",
    "absolute_dir/deep/file.txt",
    "chain",
    "chain_of_dirs/file.txt",
    "in/up",
    "to_in/up",
    "to_in/absolute",
    "in/through/file.txt",
    "parent/outside/file.txt",
    "sibling",
    "env",
    "absolute_env",
    "absolute_by_dots",
    "in_then_out",
    "link_then_out",
    "proc/file.txt",
    "long_way",
    "to_fifo",
    "to_socket_dir/x",
    "to_closed/x",
    "to_loop",
];

fn package() -> Folder {
    let folder = Folder::new();
    let outside = folder.path("outside");
    folder
        .file("pkg/SKILL.md", "body")
        .file("pkg/in/note.txt", "note")
        .link("pkg/file", "../outside/file.txt")
        .link("pkg/dir", "../outside")
        .link("pkg/absolute_file", outside.join("file.txt"))
        .link("pkg/absolute_dir", &outside)
        .link("pkg/chain", "file")
        .link("pkg/chain_of_dirs", "dir")
        .link("pkg/in/up", "../../outside/file.txt")
        .link("pkg/in/through", "../dir")
        .link("pkg/in/absolute", outside.join("file.txt"))
        .link("pkg/to_in", "in")
        .link("pkg/parent", "..")
        .link("pkg/sibling", "../pkg-evil/file.txt")
        .link("pkg/env", "../outside/.skillenv")
        .link("pkg/absolute_env", outside.join(".skillenv"))
        .link("pkg/absolute_by_dots", format!("{}/../outside/file.txt", folder.path("pkg").display()))
        .link("pkg/in_then_out", "in/../../outside/file.txt")
        .link("pkg/link_then_out", "to_in/../../outside/file.txt")
        .link("pkg/proc", "/proc/self/cwd")
        .link("pkg/long_way", "in/.././in/../../outside/deep/../file.txt")
        .link("pkg/to_fifo", "../outside/fifo")
        .link("pkg/to_socket_dir", "../outside/deep/file.txt")
        .link("pkg/to_closed", "../outside/closed")
        .link("pkg/to_loop", "../outside/loop");
    folder
}

/// Puts something at the end of every way out.
fn populate(folder: &Folder) {
    folder
        .file("outside/file.txt", "OUTSIDE")
        .file("outside/.skillenv", "OUTSIDE")
        .file("outside/deep/file.txt", "OUTSIDE")
        .file("outside/closed/x", "OUTSIDE")
        .link("outside/loop", "loop")
        .fifo("outside/fifo")
        .file("pkg-evil/file.txt", "OUTSIDE");
}

/// What is watched: asks for every way out, with a call before each that can be found again in the trace.
fn watched(package: &str) {
    let options = Options::default();
    let fallback = std::env::var_os(FALLBACK).is_some();
    let root = SkillRoot::open(package, if fallback { options.with_fallback() } else { options }).unwrap();
    for rel in WAYS_OUT {
        let _ = fs::read_link(format!("/ackguard-begin-{rel}"));
        let answers = [
            root.read(*rel).map(|_| ()),
            root.open_file(*rel).map(|_| ()),
            root.resolve(*rel).map(|_| ()),
            root.stat(*rel).map(|_| ()),
        ];
        let _ = fs::read_link("/ackguard-end");
        for answer in answers {
            let error = answer.unwrap_err();
            println!("answer {rel} {} {error} {error:?}", error.to_payload().to_json(Dialect::V0_2));
        }
    }
}

struct Seen {
    /// Reason, payload, sentence and debug text of each.
    answers: Vec<String>,
    /// The system calls of each, in order.
    calls: Vec<(String, Vec<String>)>,
}

fn watch(folder: &Folder, fallback: bool) -> Seen {
    let trace = folder.path("trace");
    let mut strace = Command::new("strace");
    strace
        .args(["-f", "-qq", "-s", "4096", "-e", "signal=none", "-e"])
        .arg("trace=%file,%network,close,fstat,read,pread64,readv,getdents64,fcntl,ioctl,dup,poll,fork,vfork,clone3")
        .arg("-o")
        .arg(&trace)
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "outside_is_a_secret", "--nocapture", "--test-threads=1"])
        .env(PACKAGE, folder.path("pkg"));
    if fallback {
        strace.env(FALLBACK, "1");
    }
    let output =
        strace.output().unwrap_or_else(|error| panic!("this test needs strace: install it ({error})"));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let answers = text.lines().filter_map(|line| Some(line.split_once("answer ")?.1.to_owned())).collect();
    Seen { answers, calls: calls(&fs::read_to_string(trace).unwrap(), folder.path("").as_path()) }
}

/// The calls between the marks, without the process's number.
fn calls(trace: &str, base: &Path) -> Vec<(String, Vec<String>)> {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in trace.lines() {
        let call = line.split_once(' ').map_or(line, |(_, call)| call).trim();
        if let Some((_, rest)) = call.split_once("/ackguard-begin-") {
            all.push((rest.split('"').next().unwrap().to_owned(), Vec::new()));
            inside = true;
        } else if call.contains("/ackguard-end") {
            inside = false;
        } else if inside {
            all.last_mut().unwrap().1.push(call.replace(&base.display().to_string(), "BASE"));
        }
    }
    all
}

#[test]
fn outside_is_a_secret() {
    if let Ok(package) = std::env::var(PACKAGE) {
        watched(&package);
        return;
    }
    for fallback in [false, true] {
        // The same package in the same place, before and after there is something outside.
        let folder = package();
        let missing = watch(&folder, fallback);
        populate(&folder);
        let existing = watch(&folder, fallback);
        assert_eq!(missing.answers.len(), WAYS_OUT.len() * 4, "{:#?}", missing.answers);
        assert_eq!(missing.answers, existing.answers);
        for answer in &missing.answers {
            assert!(answer.contains(r#""reason":"traversal""#), "{answer}");
            assert!(!answer.contains("outside") || answer.starts_with("parent/outside"), "{answer}");
        }
        let asked: Vec<&str> = missing.calls.iter().map(|(rel, _)| rel.as_str()).collect();
        assert_eq!(asked, WAYS_OUT);
        for ((rel, before), (_, after)) in missing.calls.iter().zip(&existing.calls) {
            assert_eq!(before, after, "{rel}, fallback {fallback}: the system calls differ");
            assert!(before.iter().any(|call| call.starts_with("openat")), "{rel}: nothing was traced");
            for call in before {
                // Outside may be read of, in the text of a link, and never be asked for.
                let asked = call.split_once(", \"").map_or("", |(_, rest)| rest.split('"').next().unwrap());
                let name =
                    if call.starts_with("readlinkat") || call.starts_with("openat") { asked } else { call };
                let is_way = *rel == name;
                assert!(is_way || !name.contains("outside"), "{rel}: {call}");
                assert!(!name.starts_with('/') && !name.split('/').any(|part| part == ".."), "{rel}: {call}");
            }
        }
    }
}
