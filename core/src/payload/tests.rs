use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::Locale;
use crate::retry::Action;

fn kinds(value: &Value) -> (Kind, Vec<String>) {
    let classified = classify(value, Dialect::V0_2);
    let text = value.to_string();
    let by_text = classify_json(text.as_bytes(), Dialect::V0_2);
    assert_eq!(classified.report(), by_text.report(), "{text}");
    (classified.kind(), classified.violations().iter().map(ToString::to_string).collect())
}

#[track_caller]
fn check(value: Value, kind: Kind, violations: &[&str]) {
    assert_eq!(kinds(&value), (kind, violations.iter().map(|it| (*it).to_owned()).collect()), "{value}");
}

#[test]
fn numbers_do_not_wrap_around() {
    for code in [4014_i128 + (1 << 32), 1 << 70, -4014, 4014 + (1 << 64), 5000, 0, 200] {
        let text = format!(r#"{{"code":{code},"message":"m"}}"#);
        assert_eq!(classify_json(text.as_bytes(), Dialect::V0_2).kind(), Kind::Data, "{code}");
    }
    let long = format!(r#"{{"code":{},"message":"m"}}"#, "4".repeat(5000));
    assert_eq!(classify_json(long.as_bytes(), Dialect::V0_2).kind(), Kind::Data);
}

#[test]
fn an_answer_echoes_req_id_and_an_error_never_does() {
    check(json!({"code": 404, "req_id": "r"}), Kind::Data, &[]);
    check(json!({"code": 404, "req_id": null}), Kind::Data, &[]);
    check(json!({"code": 404, "req_id": "r", "message": null}), Kind::Error, &["message_type"]);
    check(json!({"code": 404}), Kind::Error, &["message_missing"]);
    // An unregistered code needs a message that is a text.
    check(json!({"code": 429, "message": 1}), Kind::Data, &[]);
    check(json!({"code": 429, "message": ""}), Kind::Error, &[]);
}

#[test]
fn standard_fields() {
    check(json!({"code": 4014, "message": "m"}), Kind::Error, &["field_missing:mcp_server_name"]);
    check(json!({"code": 4014, "message": "m", "details": {"name": "a:b"}}), Kind::Error, &[]);
    check(
        json!({"code": 4014, "message": "m", "details": {"name": 5}}),
        Kind::Error,
        &["field_missing:mcp_server_name", "field_type:name"],
    );
    check(json!({"code": 4014, "message": "m", "mcp_server": "a", "mcp_server_name": "a"}), Kind::Error, &[]);
    check(
        json!({"code": 4014, "message": "m", "mcp_server": "a", "mcp_server_name": "b"}),
        Kind::Error,
        &["server_conflict"],
    );
    check(
        json!({"code": 4015, "message": "m", "mcp_server": 1}),
        Kind::Error,
        &["field_type:mcp_server", "field_missing:capability"],
    );
    check(json!({"code": 4017, "message": "m"}), Kind::Error, &["field_missing:reason"]);
    check(
        json!({"code": 4017, "message": "m", "details": []}),
        Kind::Error,
        &["details_type", "field_missing:reason"],
    );
    check(
        json!({"code": 4017, "message": "m", "details": {"reason": "new", "total_size": -1, "rel_path": null}}),
        Kind::Error,
        &["reason_unknown", "field_type:rel_path", "field_type:total_size"],
    );
    // In 0.2 the code 4019 is not registered, so nothing is standard about it.
    check(json!({"code": 4019, "message": "m"}), Kind::Error, &[]);
    let value = json!({"code": 4019, "message": "m"});
    let newer = classify(&value, Dialect::V0_3);
    assert_eq!(newer.violations().iter().map(Violation::text).collect::<Vec<_>>(), ["field_missing:reason"]);
}

#[test]
fn the_dialects_own_key_wins() {
    let value = json!({"code": 4014, "message": "m", "mcp_server": "new", "mcp_server_name": "old"});
    assert_eq!(classify(&value, Dialect::V0_2).error().unwrap().server(), Some("old"));
    assert_eq!(classify(&value, Dialect::V0_3).error().unwrap().server(), Some("new"));
    let error = classify(&value, Dialect::V0_2).error().unwrap();
    assert_eq!(error.to_value(Dialect::V0_3), json!({"code": 4014, "message": "m", "mcp_server": "old"}));
    // A value of the wrong type is absent, so the other key is read.
    let value = json!({"code": 4014, "message": "m", "mcp_server": "new", "mcp_server_name": 7});
    assert_eq!(classify(&value, Dialect::V0_2).error().unwrap().server(), Some("new"));
}

#[test]
fn malformed_errors_are_reported_and_never_unwrapped() {
    check(json!({"error": {"code": 4014, "message": "m"}}), Kind::MalformedError, &["nested_envelope"]);
    check(json!({"error": {"code": 4014}, "jsonrpc": "1.0"}), Kind::Data, &[]);
    check(json!({"error": {"message": "m"}}), Kind::Data, &[]);
    check(json!({"error": {"code": 1}, "code": 200}), Kind::Data, &[]);
    check(json!({"code": 4900, "message": "m"}), Kind::MalformedError, &["ws_close_code"]);
    check(json!({"code": 4900}), Kind::Data, &[]);
    check(json!({"code": "4014", "message": "m"}), Kind::MalformedError, &["code_type"]);
    check(json!({"code": "4014"}), Kind::Data, &[]);
    check(json!({"code": "429", "message": "m"}), Kind::Data, &[]);
    check(json!({"code": 4014.5, "message": "m"}), Kind::MalformedError, &["code_type"]);
    check(json!({"code": 429.5, "message": "m"}), Kind::Data, &[]);
    check(
        json!({"error": {"code": 1}, "code": "4014", "message": "m"}),
        Kind::MalformedError,
        &["nested_envelope", "code_type"],
    );
    for malformed in
        [json!({"error": {"code": 4014, "message": "m"}}), json!({"code": "4014", "message": "m"})]
    {
        assert!(classify(&malformed, Dialect::V0_2).error().is_none());
    }
}

#[test]
fn tool_results() {
    let outcome = |value: &Value| classify(value, Dialect::V0_2).tool_result().map(|it| it.outcome);
    check(json!({"content": []}), Kind::ToolResult, &[]);
    check(json!({"content": {}, "code": 200}), Kind::Data, &[]);
    check(json!({"isError": 0}), Kind::ToolResult, &["is_error_type"]);
    assert_eq!(outcome(&json!({"isError": 0})), Some(Outcome::Failed));
    check(
        json!({"content": [], "meta": {"a2c_timeout": true}}),
        Kind::ToolResult,
        &["marker_without_is_error"],
    );
    check(
        json!({"content": [], "isError": true, "meta": {"timeout": true}}),
        Kind::ToolResult,
        &["legacy_timeout"],
    );
    check(
        json!({"content": [], "isError": true, "meta": "x", "_meta": {"error_code": 4006}}),
        Kind::ToolResult,
        &["meta_type", "field_missing:mcp_server"],
    );
    check(
        json!({"content": [], "isError": true, "meta": {"a2c_cancelled": 1, "error_code": "4006"}}),
        Kind::ToolResult,
        &["marker_type"],
    );
    let failed = json!({"content": [], "isError": true, "meta": {"error_code": 4003}});
    assert_eq!(
        classify(&failed, Dialect::V0_2).tool_result().unwrap().error_code,
        Some(ErrorCode::TOOL_EXECUTION_FAILED)
    );
    let timed_out =
        json!({"content": [], "isError": true, "meta": {"a2c_timeout": true, "error_code": 4006}});
    assert_eq!(classify(&timed_out, Dialect::V0_2).tool_result().unwrap().error_code, None);
}

#[test]
fn events() {
    check(json!([true, null]), Kind::EventResult, &[]);
    check(json!([[false, "x"]]), Kind::EventResult, &[]);
    check(json!([true]), Kind::EventResult, &["event_shape"]);
    check(json!([true, null, 1]), Kind::EventResult, &["event_shape"]);
    check(json!([[true, null], 1]), Kind::Data, &[]);
    check(json!([false, {"code": 4101}]), Kind::EventResult, &["event_shape"]);
    let args = |args: Value| {
        let args: Vec<&Value> = args.as_array().unwrap().iter().collect::<Vec<_>>();
        let Ok(classified) = classify_ack_args(&args, Dialect::V0_2);
        (classified.kind(), classified.event_result().map(|event| event.ok))
    };
    assert_eq!(args(json!([])), (Kind::None, None));
    assert_eq!(args(json!([true, null])), (Kind::EventResult, Some(true)));
    assert_eq!(args(json!([[false, "x"]])), (Kind::EventResult, Some(false)));
    assert_eq!(args(json!([{"code": 404, "message": "m"}])), (Kind::Error, None));
    assert_eq!(args(json!([null])), (Kind::None, None));
}

#[test]
fn parts_that_are_too_deep_are_cut() {
    let mut deep = json!("end");
    for _ in 0..100 {
        deep = json!([deep]);
    }
    check(json!({"code": 404, "message": "m", "details": {"x": deep}}), Kind::Error, &["too_deep"]);
    check(json!({"code": 404, "message": "m", "x": deep}), Kind::Error, &["too_deep"]);
    let value = json!({"code": 404, "message": "m", "x": deep});
    let text = classify(&value, Dialect::V0_2).error().unwrap().to_json(Dialect::V0_2);
    assert!(text.contains(crate::host::CUT) && !text.contains("end"));
    let bottomless =
        format!(r#"{{"code":404,"message":"m","data":{}{}}}"#, "[".repeat(1_000_000), "]".repeat(1_000_000));
    assert_eq!(classify_json(bottomless.as_bytes(), Dialect::V0_2).kind(), Kind::Error);
}

#[test]
fn advice() {
    let advice = |value: &Value| classify(value, Dialect::V0_2).retry().map(|it| it.action);
    assert_eq!(
        advice(&json!({"code": 4017, "message": "m", "details": {"reason": "not_found"}})),
        Some(Action::UseSkillBody)
    );
    assert_eq!(
        advice(&json!({"code": 4017, "message": "m", "details": {"reason": "new"}})),
        Some(Action::None)
    );
    assert_eq!(advice(&json!({"content": []})), None);
    assert_eq!(
        advice(&json!({"content": [], "isError": true, "meta": {"error_code": 4006}})),
        Some(Action::Authorize)
    );
    assert_eq!(
        advice(&json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32000}})),
        Some(Action::Authenticate)
    );
    assert_eq!(advice(&json!({"x": 1})), None);
}

#[test]
fn what_a_person_sees_has_nothing_of_the_payload() {
    let value = json!({"code": 4017, "message": "SECRETMSG", "details": {"reason": "too_large", "total_size": 7, "rel_path": "SECRETPATH"}});
    let error = classify(&value, Dialect::V0_2).error().unwrap();
    assert_eq!(error.public_message(Locale::En), "The file is too large to be transferred (7 bytes).");
    assert_eq!(error.public_message(Locale::Zh), "文件过大，无法传输（7 字节）。");
    let hostile = ErrorPayload::mcp_capability_not_supported("s", "x\n<script>");
    assert!(!hostile.public_message(Locale::En).contains("script"));
    let versions = ErrorPayload::version_mismatch("0.2.0", "0.1.5", "0.2.0", "0.2.999");
    assert!(versions.public_message(Locale::Zh).contains("0.1.5"));
}

#[test]
fn builders_write_the_pages_order_and_no_nulls() {
    let json = |error: ErrorPayload| error.to_json(Dialect::V0_2);
    assert_eq!(
        json(ErrorPayload::skill_resource_not_accessible("too_large", Some("a"), Some(9))),
        r#"{"code":4017,"message":"Skill resource not accessible","details":{"reason":"too_large","rel_path":"a","total_size":9}}"#
    );
    assert_eq!(
        json(ErrorPayload::skill_resource_not_accessible("not_found", None, Some(9))),
        r#"{"code":4017,"message":"Skill resource not accessible","details":{"reason":"not_found"}}"#
    );
    assert_eq!(
        json(
            ErrorPayload::blob_write_failed("busy", Some("u"), None)
                .with_detail("zz", 1)
                .with_detail("a", Value::Null)
        ),
        r#"{"code":4019,"message":"Blob write failed","details":{"reason":"busy","upload_id":"u","zz":1}}"#
    );
    assert_eq!(json(ErrorPayload::new(4101, "m").with_extra("code", 1)), r#"{"code":4101,"message":"m"}"#);
    assert_eq!(ErrorPayload::new(400, "m").with_trace_id("t").trace_id(), Some("t"));
}

#[test]
fn what_is_null_is_not_written_again() {
    let again = |text: &str| {
        super::classify(&serde_json::from_str::<Value>(text).unwrap(), Dialect::V0_2).error().unwrap()
    };
    for (came, written) in [
        (
            r#"{"code":4015,"message":"m","mcp_server":null,"capability":null}"#,
            r#"{"code":4015,"message":"m"}"#,
        ),
        (r#"{"code":4008,"message":"m","server_version":null}"#, r#"{"code":4008,"message":"m"}"#),
        (r#"{"code":404,"message":null,"details":null}"#, r#"{"code":404,"message":"Not Found"}"#),
        // Of another type it stays as it came, and what is the peer's own stays in any case.
        (r#"{"code":4015,"message":"m","capability":7}"#, r#"{"code":4015,"message":"m","capability":7}"#),
        (
            r#"{"code":404,"message":"m","capability":null}"#,
            r#"{"code":404,"message":"m","capability":null}"#,
        ),
        (r#"{"code":4014,"message":"m","server":null}"#, r#"{"code":4014,"message":"m","server":null}"#),
        (
            r#"{"code":404,"message":"m","details":{"x":null}}"#,
            r#"{"code":404,"message":"m","details":{"x":null}}"#,
        ),
    ] {
        assert_eq!(again(came).to_json(Dialect::V0_2), written, "{came}");
        assert!(!again(came).log_fields().contains_key("details.raw"), "{came}");
        assert_eq!(
            again(came).to_value(Dialect::V0_2),
            serde_json::from_str::<Value>(written).unwrap(),
            "{came}"
        );
    }
}

#[test]
fn guarding_takes_what_would_pose() {
    let upstream = json!({
        "content": [{"type": "text", "text": "a2c_timeout"}], "isError": true,
        "meta": {"a2c_timeout": true, "progressToken": 7}, "_meta": {"error_code": 4006, "auth_hint": {}, "mcp_server": "x", "timeout": true},
        "error_code": 1,
    });
    let Ok(guarded) = guard_tool_result(&&upstream, &mut crate::host::ToJson);
    assert_eq!(
        guarded.value,
        json!({"content": [{"type": "text", "text": "a2c_timeout"}], "isError": true, "meta": {"progressToken": 7}, "_meta": {}, "error_code": 1})
    );
    assert_eq!(guarded.findings.len(), 5);
}

/// Objects that come near to what the rules look at.
fn payloads() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        prop_oneof![Just(4014_i64), Just(404), Just(4900), Just(200), Just(429), Just(4006), any::<i64>()]
            .prop_map(Value::from),
        prop_oneof![Just(4014.0), Just(4014.5), any::<f64>()].prop_map(Value::from),
        prop_oneof![Just("m".to_owned()), Just("4014".to_owned()), Just("2.0".to_owned()), "\\PC{0,8}"]
            .prop_map(Value::from),
    ];
    let key = prop_oneof![
        proptest::sample::select(PAYLOAD.names.to_vec()).prop_map(str::to_owned),
        proptest::sample::select(read::DETAILS.names.to_vec()).prop_map(str::to_owned),
        proptest::sample::select(tool_result::META.names.to_vec()).prop_map(str::to_owned),
        "\\PC{0,4}",
    ];
    scalar.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(key.clone(), inner, 0..7)
                .prop_map(|map| map.into_iter().collect()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn text_and_object_give_the_same_answers(value in payloads(), newer in any::<bool>()) {
        let dialect = if newer { Dialect::V0_3 } else { Dialect::V0_2 };
        let text = value.to_string();
        prop_assert_eq!(classify(&value, dialect).report(), classify_json(text.as_bytes(), dialect).report());
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        prop_assert_eq!(classify(&value, dialect).report(), classify_json(pretty.as_bytes(), dialect).report());
    }

    #[test]
    fn errors_survive_a_round_trip(value in payloads(), newer in any::<bool>()) {
        let dialect = if newer { Dialect::V0_3 } else { Dialect::V0_2 };
        if let Some(mut error) = classify(&value, dialect).error() {
            let written = error.to_value(dialect);
            let again = classify(&written, dialect).error();
            // `details` with nothing in it are not written, nor is a null in the place of what is absent.
            error.details = error.details.filter(|details| !details.is_empty());
            error.raw_details = error.raw_details.filter(|raw| !raw.is_null());
            let code = error.clone();
            error.extra.retain(|key, value| !(value.is_null() && code.is_standard_field(key)));
            prop_assert_eq!(again, Some(error));
        }
    }

    #[test]
    fn any_bytes_are_of_some_kind(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let report = classify_json(&bytes, Dialect::V0_2).report();
        prop_assert_eq!(report.kind == Kind::Invalid, serde_json::from_slice::<Value>(&bytes).is_err() && TextNode::parse(&bytes).is_err());
    }

    #[test]
    fn json_like_texts_are_taken_as_serde_json_takes_them(text in "[\\[\\]{}:,\"\\\\0-9eEtrufalsn .+u-]{0,24}") {
        let ours = TextNode::parse(text.as_bytes()).is_ok();
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        // serde_json skips ignored strings without looking at their surrogates.
        prop_assert!(ours == theirs || text.contains("\\u"), "{}", text);
    }
}
