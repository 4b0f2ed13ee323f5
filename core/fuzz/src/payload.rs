//! Any bytes as a payload, alone, in a log, as an ack's arguments.

use core::ops::ControlFlow;

use ackguard::batch::Reader;
use ackguard::host::{Discard, Node, ToJson};
use ackguard::json::TextNode;
use ackguard::payload::{
    Classified, Kind, Report, ToolResult, auth_error_result, classify, classify_ack_args, classify_json,
    classify_record, guard_tool_result,
};
use ackguard::tally::Tally;
use ackguard::{Dialect, ErrorCode, Locale};
use serde_json::Value;

use super::exact_value;

/// No panic; the text is judged like the value that a JSON parser makes of it, and counted as it is judged.
pub fn run(text: &[u8]) {
    let value = exact_value(text);
    for dialect in [Dialect::V0_2, Dialect::V0_3] {
        let classified = classify_json(text, dialect);
        let of_text = classified.report();
        if let Some(value) = &value {
            assert_eq!(in_order(classify(value, dialect).report()), in_order(of_text.clone()));
        } else if let Err(error) = serde_json::from_slice::<Value>(text)
            && of_text.kind != Kind::Invalid
        {
            // What is too deep or too large a number for `Value` is JSON all the same.
            assert!(error.to_string().contains("recursion") || error.to_string().contains("out of range"));
        }
        apart_and_together(&classified, &of_text);
        views(&classified, &of_text, dialect);
        counted(text, &classified, &of_text, dialect);
    }
    if let Ok(node) = TextNode::parse(text) {
        arguments(&node);
        guarded(&node);
    }
}

fn apart_and_together(classified: &Classified<TextNode<'_>>, report: &Report) {
    let (verdict, node) = classified.clone().into_parts();
    assert_eq!(verdict.needs_value(), node.is_some());
    let Ok(again) = verdict.about(node);
    assert_eq!(again.report(), *report);
}

fn views(classified: &Classified<TextNode<'_>>, report: &Report, dialect: Dialect) {
    assert!(serde_json::to_string(report).is_ok());
    let _ = format!("{report:?}{classified:?}");
    if let Some(schedule) = report.retry.and_then(|advice| advice.schedule()) {
        assert!(schedule.waits_with(|| 0.5).take(64).count() > 0, "a schedule without a wait");
    }
    let malformed = classified.malformed();
    assert_eq!(malformed.is_some(), report.kind == Kind::MalformedError);
    if let Some(malformed) = malformed {
        assert!(!malformed.violations().is_empty());
        assert_eq!(malformed.to_payload().code(), malformed.code());
    }
    if let Some(error) = &report.error {
        for locale in [Locale::En, Locale::Zh] {
            let public = error.public(locale);
            assert_eq!(public.message, error.public_message(locale));
        }
        let _ = (
            error.log_fields(),
            error.advice(),
            error.trace_id(),
            error.total_size(),
            error.is_known(dialect),
        );
        for (name, text) in error.standard_fields(dialect) {
            let mut copy = error.clone();
            assert!(copy.set_standard(name, Some(text.to_owned())), "{name}");
            let _ = copy.place_of(name);
        }
        for written in [error.to_json(dialect), error.clone().without_nulls().to_json(dialect)] {
            assert_eq!(classify_json(written.as_bytes(), dialect).kind(), Kind::Error, "{written}");
        }
    }
    if let Some(result) = &report.tool_result {
        made_again(result, dialect);
    }
}

/// What says the same as a tool result that was read, written by ackguard, is read as that.
fn made_again(result: &ToolResult, dialect: Dialect) {
    let _ = (result.advice(), result.default_hint(Locale::Zh));
    let Some(code) = result.error_code else { return };
    let server = result.mcp_server.as_deref().unwrap_or("s");
    let Ok(made) = auth_error_result(server, code, result.auth_hint.as_ref(), Locale::En) else {
        assert!(![4006, 4007].contains(&code.get()));
        return;
    };
    let read = classify(&made.value, dialect).report().tool_result;
    assert_eq!(read.and_then(|read| read.error_code), Some(code));
}

fn counted(text: &[u8], classified: &Classified<TextNode<'_>>, report: &Report, dialect: Dialect) {
    let (mut by_payload, mut by_report, mut twice) = (Tally::new(), Tally::new(), Tally::new());
    by_payload.add(classified);
    by_report.add_report(report);
    assert_eq!(by_payload, by_report);
    twice.merge(&by_payload);
    twice.merge(&by_report);
    assert_eq!((twice.total(), twice.of_kind(report.kind)), (2, 2));
    assert!(serde_json::from_str::<Value>(&by_payload.to_json()).is_ok());
    assert!(by_payload.to_prometheus().is_ascii());
    let mut table = String::new();
    assert!(by_payload.write_table(&mut table, &|_, text| text.to_owned()).is_ok());
    assert!(table.bytes().all(|byte| byte == b'\n' || !byte.is_ascii_control()), "{table:?}");

    let mut reader = Reader::new(dialect);
    for _ in 0..2 {
        let row = reader.read(text, |entry| entry.row().clone());
        assert_eq!(row.as_ref(), by_payload.rows().next().map(|(row, _)| row));
        let _ = row.map(|row| (row.attributes().len(), row.name(), row.advice()));
    }
    let of_records = Reader::of_records(dialect).read(text, |entry| entry.row().kind());
    match classify_record(text, dialect) {
        Ok(record) => assert_eq!(of_records, Some(record.payload.kind())),
        Err(_) => assert!(matches!(of_records, None | Some(Kind::Invalid))),
    }
}

fn arguments(node: &TextNode<'_>) {
    let mut items = Vec::new();
    let Ok(()) = node.items(&mut |item| {
        items.push(item);
        Ok(ControlFlow::Continue(()))
    });
    let Ok(by_arguments) = classify_ack_args(&items, Dialect::V0_2);
    let whole = classify_json(node.as_str().as_bytes(), Dialect::V0_2);
    if whole.kind() == Kind::EventResult {
        assert_eq!(by_arguments.report(), whole.report());
    }
}

/// What the guard has let through has nothing left that it would take out.
fn guarded(node: &TextNode<'_>) {
    let Ok(once) = guard_tool_result(node, &mut ToJson);
    let Ok(twice) = guard_tool_result(&&once.value, &mut ToJson);
    assert_eq!(once.value, twice.value);
    assert!(twice.findings.is_empty(), "{:?}", twice.findings);
    let Ok(looked) = guard_tool_result(node, &mut Discard);
    assert_eq!(looked.findings, once.findings);
    let code = classify(&once.value, Dialect::V0_2).report().tool_result.and_then(|result| result.error_code);
    assert_eq!(code, None::<ErrorCode>);
}

/// `Value` sorts members, and findings come in the order of the members.
fn in_order(mut report: Report) -> Report {
    if let Some(result) = &mut report.tool_result {
        result.findings.sort_by(|a, b| {
            (&a.path, a.category.as_str(), a.action.as_str()).cmp(&(
                &b.path,
                b.category.as_str(),
                b.action.as_str(),
            ))
        });
    }
    report
}
