//! `acp.json`.

use std::collections::BTreeMap;

use ackguard::acp::{
    AcpError, ErrorLedger, Interaction, IoFailure, RawFailure, RpcId, Timestamp, check_initialize_result,
    check_session_result, classify_failure, method_not_found_reply, parse_acp_config, readiness_of,
    rpc_code_name,
};
use ackguard_tests::vectors::Fields;
use serde_json::{Map, Value, json};

use super::{Answer, needed, object};

pub(super) fn answer(op: &str, input: &mut Fields) -> Result<Answer, String> {
    Ok(object(match op {
        "reclassify" => {
            let mut error = error(input)?;
            let server = needed("server", input.text("server"))?;
            let counts = error.reclassify_handshake(&server);
            let mut answer = told(&error);
            answer.insert("counts".to_owned(), counts.into());
            answer.insert("handshake".to_owned(), error.is_handshake_failure().into());
            return Ok(answer);
        }
        "retry" => {
            let advice = error(input)?.retry();
            json!({ "retryable": advice.retryable, "action": advice.action.as_str() })
        }
        "records_last_error" => json!({ "recorded": error(input)?.is_recorded() }),
        "readiness" => {
            let state = needed("state", input.text("state"))?;
            let turn =
                needed("has_active_turn", input.take("has_active_turn").and_then(|turn| turn.as_bool()))?;
            json!({ "readiness": readiness_of(&state, turn).as_str() })
        }
        "rpc_code_name" => json!({ "name": rpc_code_name(integer(input, "code")?.into()) }),
        "response" => return response(input),
        "config" => {
            let text = needed("json", input.text("json"))?;
            let env = serde_json::from_value(input.take("env").unwrap_or_else(|| json!({})));
            let env: BTreeMap<String, String> = env.map_err(|error| format!("env: {error}"))?;
            match parse_acp_config(text, |name| env.get(name).cloned()) {
                Ok(_) => json!({ "ok": true }),
                Err(errors) => {
                    let places = errors.problems().iter().map(|it| json!([it.server, it.field()]));
                    json!({ "ok": false, "code": "config_invalid", "problems": places.collect::<Value>() })
                }
            }
        }
        "initialize_result" => {
            let result = needed("result", input.take("result"))?;
            let Ok(checked) = check_initialize_result(&&result);
            match checked {
                Ok(version) => json!({ "ok": true, "protocol_version": version }),
                Err(error) => return Ok(told(&error)),
            }
        }
        "session_result" => {
            let result = needed("result", input.take("result"))?;
            let Ok(checked) = check_session_result(&&result);
            match checked {
                Ok(session) => json!({ "ok": true, "session_id": session }),
                Err(error) => return Ok(told(&error)),
            }
        }
        "missing_details" => json!({ "missing": error(input)?.missing_details() }),
        "method_not_found_reply" => {
            let id = needed("id", input.take("id"))?;
            let id = RpcId::read(&&id).unwrap().ok_or("id")?;
            let reply = method_not_found_reply(&id, &needed("method", input.text("method"))?);
            json!({ "reply": reply.parse::<Value>().map_err(|error| error.to_string())? })
        }
        "ledger" => ledger(input)?,
        other => return Err(format!("acp: does not know the operation {other}")),
    }))
}

fn response(input: &mut Fields) -> Result<Answer, String> {
    let line = input.text("line");
    let id = input.take("expected_id");
    let (server, method) = (input.text("server"), input.text("method"));
    let seen = RawFailure {
        expected_id: id.map(|id| RpcId::read(&&id).unwrap().ok_or("expected_id")).transpose()?,
        exit_code: input.take("exit_code").and_then(|code| code.as_i64()),
        io_error: input.text("io_error").map(|name| IoFailure::from_name(&name)),
        timeout: input.take("timeout").and_then(|seconds| seconds.as_f64()),
        interaction: input.take("interaction").map(interaction).transpose()?,
        server: server.as_deref(),
        method: method.as_deref(),
    };
    Ok(match classify_failure(line.as_deref().map(str::as_bytes), seen) {
        Some(error) => told(&error),
        None => object(json!({ "ok": true })),
    })
}

fn ledger(input: &mut Fields) -> Result<Value, String> {
    let ledger = ErrorLedger::new();
    let (mut recorded, mut last) = (Vec::new(), Map::new());
    let Some(Value::Array(steps)) = input.take("steps") else { return Err("steps is no array".to_owned()) };
    for step in steps {
        let mut step = Fields::new(step.as_object().cloned().ok_or("a step is no object")?);
        let server = needed("server", step.text("server"))?;
        last.insert(server.clone(), Value::Null);
        match needed("do", step.text("do"))?.as_str() {
            "record" => {
                let error = error(&mut step)?;
                let now = Timestamp::from_unix_millis(integer(&mut step, "now_ms")?);
                recorded.push(ledger.record(&server, &error, now));
            }
            "reset" => drop(ledger.reset(&server)),
            // A turn that went well is not the ledger's business: there is nothing to call.
            "success" => {}
            other => return Err(format!("does not know the step {other}")),
        }
        if let [first, ..] = step.rest().as_slice() {
            return Err(format!("does not know the step's {first}"));
        }
    }
    for (server, shown) in &mut last {
        if let Some(error) = ledger.last_error(server) {
            *shown = json!({ "code": error.code.as_str(), "at_ms": error.at.unix_millis() });
        }
    }
    Ok(json!({ "recorded": recorded, "last": last }))
}

fn told(error: &AcpError) -> Answer {
    object(json!({
        "ok": false,
        "kind": error.kind().as_str(),
        "code": error.code().as_str(),
        "details": error.details(),
        "message": error.message(),
        "rpc_code": error.rpc_code().map(|code| code.to_string().parse::<Value>().unwrap()),
        "rpc_message": error.as_rpc().map(|rpc| &rpc.rpc_message),
        "data": error.as_rpc().and_then(|rpc| rpc.data.as_ref()),
    }))
}

/// The error that a case describes, through the constructor for its kind.
fn error(input: &mut Fields) -> Result<AcpError, String> {
    let described = needed("error", input.take("error"))?;
    let mut described = Fields::new(described.as_object().cloned().ok_or("error is no object")?);
    let kind = needed("error.kind", described.text("kind"))?;
    let error = match kind.as_str() {
        "client" => {
            let code = needed("error.code", described.text("code"))?;
            AcpError::client(code.parse().map_err(|error| format!("{code}: {error}"))?, "m")
        }
        "server_not_found" => AcpError::server_not_found(&needed("error.name", described.text("name"))?),
        "rpc" => AcpError::rpc(
            integer(&mut described, "rpc_code")?.into(),
            needed("error.rpc_message", described.text("rpc_message"))?,
            described.take("data"),
        ),
        "interaction" => {
            let server = needed("error.server", described.text("server"))?;
            AcpError::interaction_required(&server, asked(&mut described)?)
        }
        other => return Err(format!("does not know the error {other}")),
    };
    let details: Map<String, Value> = match described.take("details") {
        Some(Value::Object(details)) => details,
        None => Map::new(),
        Some(other) => return Err(format!("error.details is {other}")),
    };
    match described.rest().as_slice() {
        [] => Ok(error.with_details(details)),
        rest => Err(format!("does not know the error's {}", rest.join(", "))),
    }
}

fn interaction(described: Value) -> Result<Interaction, String> {
    asked(&mut Fields::new(described.as_object().cloned().ok_or("interaction is no object")?))
}

fn asked(described: &mut Fields) -> Result<Interaction, String> {
    Ok(Interaction {
        method: needed("method", described.text("method"))?,
        prompt: described.text("prompt").unwrap_or_default(),
        options: match described.take("options") {
            Some(Value::Array(options)) => options,
            None => Vec::new(),
            Some(other) => return Err(format!("options is {other}")),
        },
    })
}

fn integer(input: &mut Fields, name: &str) -> Result<i64, String> {
    needed(name, input.take(name).as_ref().and_then(Value::as_i64))
}
