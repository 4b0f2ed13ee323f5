use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::*;
use crate::Dialect;
use crate::payload::{classify, classify_json};

fn tally(payloads: &[Value]) -> Tally {
    let mut tally = Tally::new();
    for payload in payloads {
        tally.add(&classify(payload, Dialect::V0_2));
    }
    tally
}

fn sample() -> Vec<Value> {
    vec![
        json!({"code": 4017, "message": "m", "details": {"reason": "too_large", "total_size": 5}}),
        json!({"code": 4017, "message": "m", "details": {"reason": "too_large", "total_size": 6}}),
        json!({"code": 4017, "message": "m", "details": {"reason": "brand_new"}}),
        json!({"code": 4017, "message": "m"}),
        json!({"code": 4010, "message": "m"}),
        json!({"content": [], "isError": true, "meta": {"error_code": 4006, "mcp_server": "s"}}),
        json!({"content": [], "isError": true, "meta": {"a2c_cancelled": true}}),
        json!({"content": []}),
        json!([true, null]),
        json!([false, "full"]),
        json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "m"}}),
        json!({"jsonrpc": "2.0", "id": 1, "error": {"code": "x", "message": "m"}}),
        json!({"error": {"code": 4014}}),
        json!(null),
        json!({"tools": []}),
    ]
}

fn row_text(row: &Row, count: u64) -> String {
    format!(
        "{} {} {} {} {count}",
        row.kind(),
        row.code().map(|it| it.to_string()).unwrap_or_default(),
        row.reason().unwrap_or_default(),
        row.outcome().map_or("", RowOutcome::as_str)
    )
}

#[test]
fn counts_by_kind_code_reason_and_outcome() {
    let tally = tally(&sample());
    let rows: Vec<_> = tally.rows().map(|(row, count)| row_text(row, count)).collect();
    assert_eq!(
        rows,
        [
            "error 4010   1",
            "error 4017   1",
            "error 4017 brand_new  1",
            "error 4017 too_large  2",
            "tool_result   cancelled 1",
            "tool_result   completed 1",
            "tool_result 4006  authorization_required 1",
            "event_result   ok 1",
            "event_result   refused 1",
            "rpc_error    1",
            "rpc_error -32000   1",
            "malformed_error    1",
            "none    1",
            "data    1",
        ]
    );
    assert_eq!(tally.total(), 15);
    assert_eq!(tally.of_kind(Kind::Error), 5);
    let violations: Vec<_> = tally.violations().map(|(it, count)| format!("{it} {count}")).collect();
    assert_eq!(violations, ["field_missing:reason 1", "reason_unknown 1", "nested_envelope 1"]);
    assert_eq!(tally.frames().collect::<Vec<_>>(), [("error_code", 1)]);
}

#[test]
fn what_is_out_of_bounds_is_no_leak_however_it_is_counted() {
    let deep = format!("{}{}", "[".repeat(80), "]".repeat(80));
    let nested: Value = serde_json::from_str(&deep).unwrap();
    for (details, leaks) in [
        (json!({ deep.as_str(): "x" }), &[][..]),
        (json!({ "x": deep }), &[]),
        (json!({ "x": nested }), &[]),
        (json!({ "x": deep, "password": "swordfish-22" }), &[(Category::UserSecret, 1)]),
    ] {
        let payload = json!({"code": 404, "message": "m", "details": details});
        let classified = classify(&payload, Dialect::V0_2);
        let (mut by_payload, mut by_report) = (Tally::new(), Tally::new());
        by_payload.add(&classified);
        by_report.add_report(&classified.report());
        assert_eq!(by_payload, by_report);
        assert_eq!(by_payload.leaks().collect::<Vec<_>>(), leaks);
    }
}

#[test]
fn a_report_counts_as_the_payload_does() {
    let mut by_report = Tally::new();
    for payload in sample() {
        by_report.add_report(&classify(&payload, Dialect::V0_2).report());
    }
    assert_eq!(by_report, tally(&sample()));
}

#[test]
fn merging_is_adding_up() {
    let all = sample();
    for cut in 0..=all.len() {
        let (left, right) = all.split_at(cut);
        let mut merged = tally(left);
        merged.merge(&tally(right));
        assert_eq!(merged, tally(&all));
    }
}

#[test]
fn hostile_codes_and_reasons_fill_nothing_and_crowd_out_nothing() {
    let mut tally = Tally::new();
    for i in 0..20_000_i64 {
        tally.add(&classify(
            &json!({"content": [], "isError": true, "meta": {"error_code": i * 7919}}),
            Dialect::V0_2,
        ));
        tally.add(&classify(
            &json!({"code": 4018, "message": "", "details": {"reason": format!("r{}", i % 9999)}}),
            Dialect::V0_2,
        ));
        let frame = json!({"jsonrpc": "2.0", "id": 1, "error": {"code": i, "message": ""}});
        tally.add(&classify(&frame, Dialect::V0_2));
    }
    for info in crate::code::ALL {
        for reason in info.reasons {
            let payload = json!({"code": info.code, "message": "", "details": {"reason": reason.name}});
            tally.add(&classify(&payload, Dialect::V0_2));
            let known = tally.rows().any(|(row, count)| {
                row.name() == Some(info.name) && row.reason() == Some(reason.name) && count == 1
            });
            assert!(known, "{} {}", info.name, reason.name);
        }
    }
    assert!(tally.rows().count() < Tally::MAX_OPEN_ROWS + 100, "{}", tally.rows().count());
    let sum: u64 = tally.rows().map(|(_, count)| count).sum();
    assert_eq!(sum, tally.total());
    assert!(tally.rows().any(|(row, _)| row.code() == Some(RowCode::Other)));

    let mut twice = tally.clone();
    twice.merge(&tally);
    assert_eq!(twice.rows().count(), tally.rows().count());
    assert_eq!(twice.total(), 2 * tally.total());
}

#[test]
fn a_reason_that_is_no_word_is_not_repeated() {
    for reason in [
        "",
        "two words",
        "Upper",
        "a\"b",
        "line\nbreak",
        "\u{1b}[31mred",
        "原因",
        "9lives",
        "sk_live_9f8e7d6c5b4a",
        &"x".repeat(33),
    ] {
        let payload = json!({"code": 4018, "message": "", "details": {"reason": reason}});
        let tally = tally(&[payload]);
        let (row, _) = tally.rows().next().unwrap();
        assert_eq!(row.reason(), Some(OTHER), "{reason:?}");
        assert_eq!(row.code(), Some(RowCode::Number(4018)));
    }
    let tally = tally(&[json!({"code": 500, "message": "", "details": {"reason": "disk_full"}})]);
    assert_eq!(tally.rows().next().unwrap().0.reason(), Some("disk_full"));
}

#[test]
fn numbers_beyond_64_bits_are_counted_together() {
    let mut tally = Tally::new();
    for code in ["170141183460469231731687303715884105727", "18446744073709551616"] {
        let text = format!(r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":{code},"message":""}}}}"#);
        tally.add(&classify_json(text.as_bytes(), Dialect::V0_2));
    }
    let (row, count) = tally.rows().next().unwrap();
    assert_eq!((row.code(), count), (Some(RowCode::Other), 2));
}

#[test]
fn counts_stay_at_the_largest_number() {
    let mut sum = tally(&sample());
    for _ in 0..70 {
        let copy = sum.clone();
        sum.merge(&copy);
    }
    assert_eq!(sum.total(), u64::MAX);
    assert_eq!(sum.of_kind(Kind::Error), u64::MAX);
}

#[test]
fn json_has_every_count() {
    let value: Value = serde_json::from_str(&tally(&sample()).to_json()).unwrap();
    assert_eq!(value["total"], 15);
    assert_eq!(value["kinds"]["error"], 5);
    assert_eq!(value["kinds"].get("invalid"), None);
    let row = json!({
        "kind": "error", "code": 4017, "name": "SKILL_RESOURCE_NOT_ACCESSIBLE", "reason": "too_large", "count": 2
    });
    assert!(value["rows"].as_array().unwrap().contains(&row));
    assert_eq!(value["violations"]["field_missing:reason"], 1);
    assert_eq!(value["frames"]["error_code"], 1);
    assert_eq!(value["leaks"], json!({}));
}

/// A metric's name, its labels and its value.
type Sample = (String, Vec<(String, String)>, u64);

/// A reader of the format that knows nothing of how it was written.
fn read_prometheus(text: &str) -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut declared = BTreeSet::new();
    assert!(text.ends_with('\n'));
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').unwrap();
            assert_eq!(kind, "counter");
            assert!(name.ends_with("_total"));
            assert!(declared.insert(name.to_owned()), "{name} twice");
            continue;
        }
        if line.starts_with("# HELP ") {
            continue;
        }
        let (name, rest) = line.split_once('{').unwrap();
        assert!(declared.contains(name), "{name} before its type");
        let (labels, value) = rest.rsplit_once("} ").unwrap();
        let mut read = Vec::new();
        let mut chars = labels.chars().peekable();
        while chars.peek().is_some() {
            let label: String = chars.by_ref().take_while(|c| *c != '=').collect();
            assert_eq!(chars.next(), Some('"'));
            let mut value = String::new();
            loop {
                match chars.next().unwrap() {
                    '"' => break,
                    '\\' => match chars.next().unwrap() {
                        'n' => value.push('\n'),
                        c @ ('\\' | '"') => value.push(c),
                        c => panic!("unknown escape {c}"),
                    },
                    c => value.push(c),
                }
            }
            read.push((label, value));
            assert!(matches!(chars.next(), None | Some(',')));
        }
        samples.push((name.to_owned(), read, value.parse().unwrap()));
    }
    samples
}

#[test]
fn prometheus_can_be_read_back() {
    let tally = tally(&sample());
    let samples = read_prometheus(&tally.to_prometheus());
    let payloads: Vec<_> = samples.iter().filter(|it| it.0 == "ackguard_payloads_total").collect();
    assert_eq!(payloads.len(), tally.rows().count());
    assert_eq!(payloads.iter().map(|it| it.2).sum::<u64>(), tally.total());
    let distinct: BTreeSet<_> = samples.iter().map(|it| (&it.0, &it.1)).collect();
    assert_eq!(distinct.len(), samples.len(), "a series twice");
    let empty = read_prometheus(&Tally::new().to_prometheus());
    assert!(empty.is_empty());
}

#[test]
fn label_values_are_escaped() {
    let mut out = String::from("# TYPE a_total counter\n");
    render::sample(&mut out, "a_total", &[("x", "q\"b\\n\nz"), ("y", "")], 7);
    let samples = read_prometheus(&out);
    assert_eq!(samples[0].1, [("x".to_owned(), "q\"b\\n\nz".to_owned()), ("y".to_owned(), String::new())]);
}

#[test]
fn the_table_names_what_was_counted() {
    let text = tally(&sample()).to_string();
    assert!(text.contains("SKILL_RESOURCE_NOT_ACCESSIBLE"));
    assert!(text.contains("reason_unknown"));
    assert!(text.contains("no leaks"));
    assert!(text.lines().all(|line| line.len() < 100 && line.trim_end() == line), "{text}");
    assert!(Tally::new().to_string().contains("0  in all"));
}
