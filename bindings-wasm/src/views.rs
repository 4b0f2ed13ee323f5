//! The core's types as plain JavaScript objects, with JavaScript's names.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use ackguard::acp::rpc::{RpcId, RpcView};
use ackguard::acp::{AcpError, AcpErrorKind, RetryAdvice};
use ackguard::blob::BlobError;
use ackguard::handshake::{HandshakeFailure, VersionError};
use ackguard::host::{self, Node, View};
use ackguard::json::TextNode;
use ackguard::payload::{Classified, ErrorPayload, FieldPlace, ToolResult, classify_node};
use ackguard::rel_path::SkillResourceError;
use ackguard::retry::Advice;
use ackguard::scrub::{Finding, Scrubbed};
use ackguard::skill_name::SkillNameError;
use ackguard::tally::{AttributeValue, Row};
use ackguard::value::Value;
use ackguard::{Dialect, ErrorCode};

use crate::any::AnyNode;
use crate::out::{Out, ToOut};

fn owned(text: Option<&str>) -> Option<Out> {
    text.map(Into::into)
}

pub(crate) fn advice(advice: Advice) -> Out {
    Out::object(
        "automatic|action",
        [Some(advice.automatic.as_str().into()), Some(advice.action.as_str().into())],
    )
}

pub(crate) fn acp_advice(advice: RetryAdvice) -> Out {
    Out::object("retryable|action", [Some(advice.retryable.into()), Some(advice.action.as_str().into())])
}

fn finding(finding: &Finding) -> Out {
    Out::object(
        "path|category|action",
        [
            owned(Some(&finding.path)),
            Some(finding.category.as_str().into()),
            Some(finding.action.as_str().into()),
        ],
    )
}

pub(crate) fn findings(findings: &[Finding]) -> Out {
    Out::array(findings.iter().map(finding))
}

pub(crate) fn scrubbed(scrubbed: Scrubbed<Out>) -> Out {
    let found = findings(&scrubbed.findings);
    Out::object("value|findings", [Some(scrubbed.value), Some(found)])
}

/// A row of a tally as attributes for OpenTelemetry, and its count.
pub(crate) fn counted((row, count): (&Row, u64)) -> Out {
    let mut attributes = Out::object("", []);
    for (name, value) in row.attributes() {
        let value = match value {
            AttributeValue::Text(text) => Out::from(&*text),
            AttributeValue::Number(number) => number.into(),
            _ => continue,
        };
        attributes.add(name, &value);
    }
    Out::array([attributes, count.into()])
}

/// What was added to an error beyond its standard fields.
#[derive(Debug, Default)]
pub(crate) struct Added {
    details: Option<Out>,
    raw_details: Option<Out>,
    extra: Option<Out>,
}

impl Added {
    /// What an error that is not anybody's own value carries.
    pub(crate) fn of(error: &ErrorPayload) -> Self {
        Self {
            details: error.details().map(Into::into),
            raw_details: error.raw_details().map(Into::into),
            extra: (!error.extra().is_empty()).then(|| error.extra().into()),
        }
    }
}

pub(crate) fn error(error: &ErrorPayload, added: Added, dialect: Dialect) -> Out {
    Out::object(
        "code|name|known|message|reason|server|capability|serverVersion|clientVersion|minSupported|maxSupported|totalSize|traceId|details|rawDetails|extra|retry",
        [
            Some(error.code().into()),
            error.name().map(Into::into),
            Some(error.is_known(dialect).into()),
            owned(Some(error.message())),
            owned(error.reason()),
            owned(error.server()),
            owned(error.capability()),
            owned(error.server_version()),
            owned(error.client_version()),
            owned(error.min_supported()),
            owned(error.max_supported()),
            error.total_size().map(Into::into),
            owned(error.trace_id()),
            added.details,
            added.raw_details,
            added.extra,
            Some(advice(error.advice())),
        ],
    )
}

fn tool_result(result: ToolResult<Out>) -> Out {
    let found = findings(&result.findings);
    Out::object(
        "outcome|errorCode|mcpServer|authHint|findings|cancelReason",
        [
            Some(result.outcome.as_str().into()),
            result.error_code.map(Into::into),
            result.mcp_server.map(Into::into),
            result.auth_hint,
            Some(found),
            result.cancel_reason.map(Into::into),
        ],
    )
}

fn rpc_id(id: RpcId) -> Out {
    match id {
        RpcId::Null => Out::null(),
        RpcId::Integer(integer) => integer.into(),
        RpcId::Fraction(float) => Out::float(float),
        RpcId::String(text) => text.into(),
    }
}

fn rpc_error(view: RpcView) -> Out {
    Out::object(
        "errorCode|rpcCode|name|message|id|problem",
        [
            Some(ackguard::acp::AcpErrorCode::ProtocolError.as_str().into()),
            view.rpc_code.map(Into::into),
            view.name.map(Into::into),
            view.message.map(Into::into),
            view.id.map(rpc_id),
            view.problem.map(|problem| problem.as_str().into()),
        ],
    )
}

/// The typed view that goes with the kind, and the advice.
pub(crate) fn view(classified: &Classified<AnyNode<'_>>) -> Out {
    let advice = classified.retry().map(advice);
    let error = match (classified.error(), classified.try_error_with(&mut ToOut)) {
        (Some(payload), Ok(Some((_, parts)))) => {
            let mut extra = Out::object("", []);
            for (name, value) in &parts.extra {
                extra.add(name, value);
            }
            let added = Added {
                details: parts.details,
                raw_details: parts.raw_details,
                extra: (!extra.is_empty_object()).then_some(extra),
            };
            Some(error(&payload, added, classified.dialect()))
        }
        _ => None,
    };
    let Ok(result) = classified.try_tool_result(&mut ToOut);
    Out::object(
        "error|toolResult|eventResult|rpcError|retry",
        [
            error,
            result.map(tool_result),
            classified.event_result().map(|event| {
                Out::object("ok|message", [Some(event.ok.into()), event.message.clone().map(Into::into)])
            }),
            classified.rpc_error().map(rpc_error),
            Some(advice.into()),
        ],
    )
}

pub(crate) fn violations(classified: &Classified<AnyNode<'_>>) -> Out {
    Out::array(classified.violations().iter().map(|violation| violation.text().into_owned()))
}

/// An error on the wire, its members in the order of the page.
pub(crate) fn wire(error: &ErrorPayload, dialect: Dialect) -> Out {
    text(&error.to_json(dialect))
}

/// JSON text as plain objects, with its order and its large integers kept.
pub(crate) fn text(json: &str) -> Out {
    let Ok(node) = TextNode::parse(json.as_bytes()) else { return Out::null() };
    let Ok((value, _)) = host::copy(&AnyNode::Text(node), &mut ToOut, ackguard::payload::MAX_DEPTH);
    value
}

/// Reads an error: one on the wire, or, if `parts`, the object of named fields that `js/errors.js` makes.
pub(crate) fn read_error(node: AnyNode<'_>, parts: bool, dialect: Dialect) -> Option<ErrorPayload> {
    if !parts {
        let Ok(classified) = classify_node(node, dialect);
        return classified.error();
    }
    let mut fields = Vec::new();
    let (mut code, mut message, mut details, mut extra) = (None, String::new(), None, Vec::new());
    let Ok(()) = node.entries(&mut |name, value| {
        match (name, value.view()?) {
            (_, View::Null) => {}
            ("code", View::Integer(integer)) => code = i64::try_from(integer).ok(),
            ("message", View::String(text)) => message = text.into_owned(),
            ("details", _) => details = Some(value),
            ("extra", View::Object) => value.entries(&mut |name, value| {
                extra.push((name.to_owned(), value));
                Ok(core::ops::ControlFlow::Continue(()))
            })?,
            _ => fields.push((name.to_owned(), value)),
        }
        Ok(core::ops::ControlFlow::Continue(()))
    });
    let json = |value: &AnyNode<'_>| -> Value {
        let Ok((value, _)) = host::copy(value, &mut host::ToJson, ackguard::payload::MAX_DEPTH);
        value
    };
    let mut error = ErrorPayload::new(ErrorCode::new(code?), message);
    if let Some(details) = details {
        error = error.with_details(json(&details));
    }
    for (name, value) in fields {
        error = match (error.place_of(&name), json(&value)) {
            (FieldPlace::Standard, Value::String(text)) => {
                error.set_standard(&name, Some(text));
                error
            }
            (FieldPlace::Details, value) => error.with_detail(name, value),
            (FieldPlace::Reserved | FieldPlace::Standard, _) => error,
            (_, value) => error.with_extra(name, value),
        };
    }
    for (name, value) in extra {
        error = error.with_extra(name, json(&value));
    }
    Some(error)
}

/// A refusal, as `js/errors.js` makes the exception of that class from it.
pub(crate) fn refusal(class: &'static str, message: String, payload: &ErrorPayload) -> Out {
    Out::object(
        "class|message|code|payload",
        [
            Some(class.into()),
            Some(message.into()),
            Some(payload.code().into()),
            Some(wire(payload, Dialect::default())),
        ],
    )
}

pub(crate) fn skill_name_error(error: &SkillNameError, name: &str) -> Out {
    let span = error.utf16_span(name);
    refusal("SkillNameError", error.to_string(), &error.to_payload())
        .with("reason", error.reason().as_str())
        .with("segment", error.segment())
        .with("span", Out::array([span.start, span.end]))
        .with("skillName", error.name().to_owned())
}

pub(crate) fn skill_resource_error(error: &SkillResourceError) -> Out {
    refusal("SkillResourceError", error.to_string(), &error.to_payload())
        .with("reason", error.reason().as_str())
        .with("relPath", error.rel_path().map(str::to_owned))
        .with("totalSize", error.total_size())
}

pub(crate) fn blob_error(error: &BlobError) -> Out {
    refusal("BlobError", error.to_string(), &error.to_payload())
        .with("reason", error.reason().as_str())
        .with("chunkOffset", error.chunk_offset())
        .with("totalSize", error.total_size())
}

pub(crate) fn version_error(error: &VersionError) -> Out {
    refusal("ProtocolVersionError", error.to_string(), &error.to_payload())
        .with("reason", error.reason.as_str())
        .with("position", error.position)
}

/// What a handshake said: a mismatch is an exception's to be, a plain refusal an error payload.
pub(crate) fn handshake(failure: Option<HandshakeFailure>) -> Out {
    let Some(failure) = failure else { return Out::null() };
    let message = match &failure {
        HandshakeFailure::VersionMismatch(mismatch) => mismatch.message.clone(),
        _ => None,
    };
    let payload = failure.to_payload();
    let view = error(&payload, Added::of(&payload), Dialect::default());
    Out::object(
        "mismatch|message|payload",
        [
            Some(matches!(failure, HandshakeFailure::VersionMismatch(_)).into()),
            message.map(Into::into),
            Some(view),
        ],
    )
}

pub(crate) fn acp_error(error: &AcpError) -> Out {
    let out = Out::object(
        "kind|code|message|details",
        [
            Some(error.kind().as_str().into()),
            Some(error.code().as_str().into()),
            owned(Some(error.message())),
            Some(error.details().into()),
        ],
    );
    if let Some(rpc) = error.as_rpc() {
        let data: Option<Out> = rpc.data.as_ref().map(Into::into);
        return out
            .with("rpcCode", rpc.rpc_code)
            .with("rpcMessage", rpc.rpc_message.clone())
            .with("data", data);
    }
    if let Some((server, interaction)) = error.as_interaction() {
        return out
            .with("server", server.to_owned())
            .with("prompt", interaction.prompt.clone())
            .with("options", Out::array(&interaction.options));
    }
    out
}

/// The kinds by the names that [`acp_error`] gives them.
pub(crate) fn acp_kind(kind: &str) -> AcpErrorKind {
    match kind {
        "server_not_found" => AcpErrorKind::ServerNotFound,
        "rpc" => AcpErrorKind::Rpc,
        "interaction_required" => AcpErrorKind::InteractionRequired,
        _ => AcpErrorKind::Client,
    }
}
