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
    acp(&mut table)?;
    Ok(table.finish())
}

fn payloads(table: &mut Table) -> io::Result<()> {
    for (size, bound) in [(200, 3.0), (2_000, 6.0), (64_000, 6.0)] {
        for (kind, payload) in
            [("error", error(size)), ("tool result", tool_result(size)), ("data", data(size))]
        {
            let text = payload.to_string();
            let name = format!("classify_json {kind} {size} B");
            let ours = || classify_json(black_box(text.as_bytes()), Dialect::V0_2).kind();
            let two = || serde_json::from_slice::<Two>(black_box(text.as_bytes())).is_ok();
            table.ratio(&name, ours, "serde_json, two fields", two, Bound::AtMost(1.0))?;
            let value = || serde_json::from_slice::<Value>(black_box(text.as_bytes())).is_ok();
            table.ratio(&name, ours, "serde_json::Value", value, Bound::Faster(bound))?;
        }
    }
    let (small, large) = (error(200), error(64_000));
    table.ratio(
        "classify(Value) error 64 KB",
        || classify(black_box(&large), Dialect::V0_2).kind(),
        "classify(Value) error 200 B",
        || classify(black_box(&small), Dialect::V0_2).kind(),
        Bound::AtMost(1.5),
    )
}

fn names(table: &mut Table) -> io::Result<()> {
    for name in ["my-skill", "my-plugin:my-skill", "mcp:My_Server:my-skill"] {
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

fn error(size: usize) -> Value {
    let note = "x".repeat(size.saturating_sub(120));
    json!({"code": 4014, "message": "MCP server not found", "mcp_server_name": "files", "details": {"note": note}})
}

fn tool_result(size: usize) -> Value {
    let text = "lorem \"ipsum\" dolor ".repeat(size / 22);
    json!({"content": [{"type": "text", "text": text}], "isError": false, "meta": null})
}

fn data(size: usize) -> Value {
    let tools: Vec<Value> = (0..size / 95)
        .map(|i| json!({"name": format!("tool_{i}"), "description": "does a thing", "params": {"type": "object"}}))
        .collect();
    json!({"tools": tools, "req_id": "r-1"})
}
