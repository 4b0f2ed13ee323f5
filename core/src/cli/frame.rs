//! JSON-RPC frames that are no `rpc_error` to payload classification, because nothing in them says so.

use std::ops::ControlFlow;

use crate::acp::rpc::{
    F_ERROR, F_ID, F_JSONRPC, F_METHOD, F_RESULT, FRAME, FrameProblem, RpcId, is_text, is_there,
};
use crate::host::{Members, Node, View};
use crate::json::TextNode;

/// What is broken in a frame of a log: `None` for a sound one, and for what is no frame at all.
///
/// A log has both directions, so a request or a notification is sound, and an `id` may belong to any request.
pub(super) fn problem(node: &TextNode<'_>) -> Option<FrameProblem> {
    let Ok(found) = read(node);
    found
}

fn read<N: Node>(node: &N) -> Result<Option<FrameProblem>, N::Error> {
    if matches!(node.view()?, View::Array) {
        return Ok(is_batch(node)?.then_some(FrameProblem::Batch));
    }
    let frame = node.members(&FRAME)?;
    let Some(version) = frame.get(F_JSONRPC)? else { return Ok(None) };
    if !is_text(&version, "2.0")? {
        return Ok(Some(FrameProblem::Version));
    }
    let (result, error) = (frame.get(F_RESULT)?, frame.get(F_ERROR)?);
    if frame.get(F_METHOD)?.is_some() {
        let answers = result.is_some() || error.is_some();
        return Ok(answers.then_some(FrameProblem::UnexpectedMethod));
    }
    let id = match frame.get(F_ID)? {
        Some(id) => RpcId::read(&id)?,
        None => None,
    };
    if id.is_none() {
        return Ok(Some(FrameProblem::IdType));
    }
    Ok(match (result, error) {
        (None, None) => Some(FrameProblem::Empty),
        (result, Some(error)) if is_there(Some(&error))? => {
            if is_there(result.as_ref())? {
                Some(FrameProblem::ResultAndError)
            } else if matches!(error.view()?, View::Object) {
                None
            } else {
                Some(FrameProblem::ErrorType)
            }
        }
        // A null beside the other one is how JSON-RPC 1.0 said "not this one".
        (None, Some(_)) => Some(FrameProblem::ErrorType),
        (Some(_), _) => None,
    })
}

/// Whether the first item of an array is a frame.
fn is_batch<N: Node>(node: &N) -> Result<bool, N::Error> {
    let mut batch = false;
    node.items(&mut |item| {
        batch = item.members(&FRAME)?.get(F_JSONRPC)?.is_some();
        Ok(ControlFlow::Break(()))
    })?;
    Ok(batch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_frames_are_told_from_sound_ones() {
        for (line, expected) in [
            (r#"{"jsonrpc":"2.0","id":1,"result":null}"#, None),
            (r#"{"jsonrpc":"2.0","id":"a","result":{},"error":null}"#, None),
            (r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#, None),
            (r#"{"jsonrpc":"2.0","method":"session/update"}"#, None),
            (r#"{"tools":[]}"#, None),
            ("[1,2]", None),
            ("[]", None),
            ("7", None),
            (r#"{"jsonrpc":"2.0","id":1}"#, Some(FrameProblem::Empty)),
            (r#"{"jsonrpc":"2.0","id":1,"error":null}"#, Some(FrameProblem::ErrorType)),
            (r#"{"jsonrpc":"2.0","id":1,"error":"boom"}"#, Some(FrameProblem::ErrorType)),
            (r#"{"jsonrpc":"2.0","id":1,"error":"boom","result":1}"#, Some(FrameProblem::ResultAndError)),
            (r#"{"jsonrpc":"2.0","result":{}}"#, Some(FrameProblem::IdType)),
            (r#"{"jsonrpc":"2.0","id":[1],"result":{}}"#, Some(FrameProblem::IdType)),
            (r#"{"jsonrpc":"1.0","id":1,"result":{}}"#, Some(FrameProblem::Version)),
            (r#"{"jsonrpc":2,"id":1,"result":{}}"#, Some(FrameProblem::Version)),
            (r#"{"jsonrpc":"2.0","id":1,"method":"m","result":1}"#, Some(FrameProblem::UnexpectedMethod)),
            (r#"[{"jsonrpc":"2.0","id":1,"result":1}]"#, Some(FrameProblem::Batch)),
        ] {
            let node = TextNode::parse(line.as_bytes()).unwrap();
            assert_eq!(problem(&node), expected, "{line}");
        }
    }
}
