//! `make bench`: the core against named peers, in one run.

use std::hint::black_box;
use std::io;
use std::process::ExitCode;

use ackguard::Dialect;
use ackguard::acp::{AcpError, RawFailure, classify_failure};
use ackguard::payload::{classify, classify_json};
use ackguard::skill_name::SkillName;
use ackguard_tests::bench::{Bound, Table};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// What a host would write by hand: the two fields that matter, the rest ignored.
#[derive(Deserialize)]
#[expect(dead_code, reason = "only decoding is measured")]
struct Two {
    #[serde(default)]
    code: Option<i64>,
    #[serde(default)]
    message: Option<String>,
}

fn main() -> io::Result<ExitCode> {
    let mut table = Table::new()?;
    payloads(&mut table)?;
    names(&mut table)?;
    sandbox(&mut table)?;
    scrubbing(&mut table)?;
    acp(&mut table)?;
    Ok(table.finish())
}

fn payloads(table: &mut Table) -> io::Result<()> {
    for (size, bound) in [(200, 3.0), (2_000, 6.0), (64_000, 6.0)] {
        for (kind, payload, bound) in [
            ("error", error(size), Some(bound)),
            ("tool result", tool_result(size), Some(bound)),
            ("data", data(size), Some(bound)),
            ("escapes", escapes(size), None),
            ("Chinese", chinese(size), None),
        ] {
            let text = payload.to_string();
            let name = format!("classify_json {kind} {size} B");
            let ours = || classify_json(black_box(text.as_bytes()), Dialect::V0_2).kind();
            let two = || serde_json::from_slice::<Two>(black_box(text.as_bytes())).is_ok();
            // What it ignores it does not check to be UTF-8, so text that is not ASCII has no bound.
            let most = if kind == "Chinese" { Bound::None } else { Bound::AtMost(1.0) };
            table.ratio(&name, ours, "serde_json, two fields", two, most)?;
            let value = || serde_json::from_slice::<Value>(black_box(text.as_bytes())).is_ok();
            table.ratio(&name, ours, "serde_json::Value", value, bound.map_or(Bound::None, Bound::Faster))?;
            #[cfg(feature = "peers")]
            table.ratio(
                &name,
                ours,
                "sonic-rs, two fields",
                || sonic_rs::from_slice::<Two>(black_box(text.as_bytes())).is_ok(),
                Bound::None,
            )?;
        }
    }
    let (small, large) = (error(200), error(64_000));
    table.time("classify(Value) error 200 B", || classify(black_box(&small), Dialect::V0_2).kind(), 50.0)?;
    table.ratio(
        "classify(Value) error 64 KB",
        || classify(black_box(&large), Dialect::V0_2).kind(),
        "classify(Value) error 200 B",
        || classify(black_box(&small), Dialect::V0_2).kind(),
        Bound::AtMost(1.5),
    )
}

fn names(table: &mut Table) -> io::Result<()> {
    let garbage = "\u{0}".repeat(1 << 20);
    table.ratio(
        "SkillName::parse a megabyte of garbage",
        || SkillName::parse(black_box(&garbage), Dialect::V0_2).is_ok(),
        "its first byte",
        || SkillName::parse(black_box(&garbage[..1]), Dialect::V0_2).is_ok(),
        Bound::AtMost(1.5),
    )?;
    for name in ["my-skill", "my-plugin:my-skill", "mcp:My_Server:my-skill"] {
        table.time(
            &format!("SkillName::parse {name}"),
            || SkillName::parse(black_box(name), Dialect::V0_2).is_ok(),
            25.0,
        )?;
        table.ratio(
            &format!("SkillName::parse {name}"),
            || SkillName::parse(black_box(name), Dialect::V0_2).is_ok(),
            "a copy of the name",
            || black_box(name).to_owned(),
            Bound::None,
        )?;
    }
    Ok(())
}

fn acp(table: &mut Table) -> io::Result<()> {
    // What is left over the peer's time is what the taxonomy costs: not more than 200 ns are allowed for it.
    table.surplus(
        "AcpError built and reclassified",
        || {
            let mut error = AcpError::request_timeout(black_box("helper"), black_box("initialize"), 30.0);
            error.reclassify_handshake(black_box("helper"));
            error
        },
        "a map with the same strings",
        || {
            let mut details = Map::new();
            details.insert("server".to_owned(), black_box("helper").into());
            details.insert("method".to_owned(), black_box("initialize").into());
            details.insert("timeout".to_owned(), 30.into());
            details.insert("underlying_code".to_owned(), "request_timeout".into());
            details.insert("phase".to_owned(), "handshake".into());
            (details, format!("timeout waiting for response to '{}'", black_box("initialize")))
        },
        200.0,
    )?;
    let text = "lorem ipsum ".repeat(160);
    let frames = [
        ("success", json!({"jsonrpc": "2.0", "id": 1, "result": {"text": text}})),
        ("error", json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": text}})),
    ];
    for (kind, frame) in frames {
        let line = frame.to_string();
        table.ratio(
            &format!("classify_failure {kind} 2 KB"),
            || {
                let seen = RawFailure { expected_id: Some(1.into()), ..RawFailure::default() };
                classify_failure(Some(black_box(line.as_bytes())), seen)
            },
            "classify_json, and its view",
            || {
                let classified = classify_json(black_box(line.as_bytes()), Dialect::V0_2);
                (classified.kind(), classified.rpc_error())
            },
            // Not slower: the two scan the same bytes once, and a tie must not fail by chance.
            Bound::AtMost(1.1),
        )?;
    }
    Ok(())
}

/// A flat error whose details hold a log, line by line.
fn error(size: usize) -> Value {
    let log: Vec<Value> = (0..size.saturating_sub(110) / 84)
        .map(|line| {
            format!("{line:06} upstream answered after 12 ms, cache miss, 3 parts, next try in 40 ms").into()
        })
        .collect();
    json!({"code": 4014, "message": "MCP server not found", "mcp_server_name": "files", "details": {"log": log}})
}

/// A tool result of several texts, each a few lines long with a quoted word here and there.
fn tool_result(size: usize) -> Value {
    let line = "The report lists all open items of the \"north\" region and who is to act on them next.\n";
    let lines = (size.saturating_sub(40) / 96).max(1);
    let content: Vec<Value> =
        (0..lines.div_ceil(8)).map(|_| json!({"type": "text", "text": line.repeat(lines.min(8))})).collect();
    json!({"content": content, "isError": false, "meta": null})
}

/// An answer with many small members.
fn data(size: usize) -> Value {
    let tools: Vec<Value> = (0..size / 95)
        .map(|i| json!({"name": format!("tool_{i}"), "description": "does a thing", "params": {"type": "object"}}))
        .collect();
    json!({"tools": tools, "req_id": "r-1"})
}

/// One text with an escape every few bytes: the worst for whoever skips, and no bound of its own.
fn escapes(size: usize) -> Value {
    json!({"content": [{"type": "text", "text": "lorem \"ipsum\" dolor ".repeat(size / 22)}]})
}

/// Text that is hardly ASCII at all, which has to be looked at character by character.
fn chinese(size: usize) -> Value {
    let line = "报告列出了“北方”地区所有未完成的项目，以及下一步由谁负责处理。\n";
    json!({"content": [{"type": "text", "text": line.repeat(size / line.len())}]})
}

fn sandbox(table: &mut Table) -> io::Result<()> {
    use ackguard::sandbox::{Options, SkillRoot};
    use rustix::fs::{Mode, OFlags, ResolveFlags, fstat, open, openat2};
    use std::io::Read;

    let dir = std::env::temp_dir().join(format!("ackguard-bench-{}", std::process::id()));
    std::fs::create_dir_all(dir.join("a/b"))?;
    std::fs::write(dir.join("a/b/file.md"), [b'x'; 4096])?;
    let root = SkillRoot::open(&dir, Options::default()).map_err(io::Error::other)?;
    let bare = open(&dir, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    let bare_open = || {
        let file = openat2(&bare, "a/b/file.md", flags, Mode::empty(), resolve).unwrap();
        (fstat(&file).unwrap().st_size, file)
    };
    table.ratio(
        "SkillRoot::open_file, two directories down",
        || root.open_file(Some(black_box("a/b/file.md"))).unwrap(),
        "openat2 and fstat",
        bare_open,
        Bound::AtMost(1.3),
    )?;
    table.ratio(
        "SkillRoot::read 4 KB",
        || root.read(Some(black_box("a/b/file.md"))).unwrap(),
        "openat2, fstat and read",
        || {
            let (size, file) = bare_open();
            let mut bytes = Vec::with_capacity(size as usize);
            std::fs::File::from(file).read_to_end(&mut bytes).unwrap();
            bytes
        },
        Bound::AtMost(1.3),
    )?;
    let walking = SkillRoot::open(&dir, Options::default().with_fallback()).map_err(io::Error::other)?;
    table.ratio(
        "SkillRoot::open_file without openat2",
        || walking.open_file(Some(black_box("a/b/file.md"))).unwrap(),
        "openat2 and fstat",
        bare_open,
        Bound::AtMost(3.0),
    )?;
    std::fs::remove_dir_all(&dir)
}

fn scrubbing(table: &mut Table) -> io::Result<()> {
    use ackguard::scrub::{Limits, Rules, text_with};
    let clean = "The quick brown fox jumps over the lazy dog near the river bank, and nobody minds. ";
    let dirty = "The quick brown fox jumps over the lazy password=hunter2x7 ";
    let of = |line: &str, size: usize| line.repeat(size / line.len());
    let limits = Limits { text: 64 << 20, ..Limits::default() };
    let run = move |text: &str| text_with(black_box(text), Rules::Hint, limits).1.len();
    let (prose, secrets) = (of(clean, 64 << 10), of(dirty, 64 << 10));
    table.throughput("scrub, 64 KB of clean prose", prose.len(), || run(&prose), 300.0)?;
    table.throughput("scrub, every tenth word a secret", secrets.len(), || run(&secrets), 100.0)?;
    let hurt = ["x", "%25", ":", "http", "\"", "@", "sk-", "\\", "{", "a?b=", clean, dirty];
    for unit in hurt {
        // As many bytes on both sides, in one text of 16 MB and in 1024 texts of 16 KB.
        let (small, large) = (of(unit, 16 << 10), of(unit, 16 << 20));
        let name: String = unit.chars().take(12).collect();
        table.ratio(
            &format!("scrub, 16 MB of {name:?}"),
            || run(&large),
            "the same in pieces of 16 KB",
            || (0..1024).map(|_| run(&small)).sum::<usize>(),
            Bound::AtMost(1.2),
        )?;
    }
    Ok(())
}
