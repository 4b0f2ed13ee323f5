//! One line of a log: a bare payload, or `{"event": ..., "ack": ...}`.

use alloc::borrow::Cow;

use super::{Classified, Kind, P_CODE, P_CONTENT, P_ERROR, P_IS_ERROR, P_JSONRPC, P_REQ_ID, PAYLOAD, of_top};
use crate::Dialect;
use crate::host::{Node, View};
use crate::json::{self, InvalidJson, TextNode, Top};

/// A classified line of a log.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Record<'a> {
    /// The event that was answered, where the line names one. A peer wrote it.
    pub event: Option<Cow<'a, str>>,
    /// The payload.
    pub payload: Classified<TextNode<'a>>,
}

/// Classifies a line of a log: an object with a text `event` and an `ack` stands for the `ack`, everything
/// else for itself.
///
/// An object that says something by itself (an error, a tool result, a JSON-RPC error, a malformed error)
/// or echoes a `req_id`, as a Computer's answers do, is a payload that merely has such members.
///
/// ```
/// use ackguard::payload::{Kind, classify_record};
/// use ackguard::Dialect;
///
/// let line = br#"{"event": "server:join_office", "ack": [false, "full"]}"#;
/// let record = classify_record(line, Dialect::V0_2).unwrap();
/// assert_eq!(record.event.as_deref(), Some("server:join_office"));
/// assert_eq!(record.payload.kind(), Kind::EventResult);
/// ```
///
/// # Errors
///
/// [`InvalidJson`] where the line is not JSON.
pub fn classify_record(line: &[u8], dialect: Dialect) -> Result<Record<'_>, InvalidJson> {
    let json::Recorded { top, event, ack, members, ack_members } = json::scan_record(line, &PAYLOAD)?;
    if let (Some(event), Some(ack)) = (event, ack) {
        if let Top::Object(node) = &top
            && may_be_payload(&members)
        {
            let by_itself = of_top(Top::Object(*node), &members, dialect);
            if by_itself.kind() != Kind::Data || members.has(P_REQ_ID) {
                return Ok(Record { event: None, payload: by_itself });
            }
        }
        if let Some(event) = text_of(event) {
            return Ok(Record { event: Some(event), payload: of_top(ack, &ack_members, dialect) });
        }
    }
    Ok(Record { event: None, payload: of_top(top, &members, dialect) })
}

/// Whether an object has a member by which it could be anything but data, or an answer that echoes its
/// request. Records seldom have one, and are spared a decision of their own.
fn may_be_payload(members: &json::TextMembers<'_>) -> bool {
    [P_JSONRPC, P_ERROR, P_CONTENT, P_CODE, P_IS_ERROR, P_REQ_ID].iter().any(|index| members.has(*index))
}

/// A text, borrowed from the line where it has no escapes.
fn text_of(node: TextNode<'_>) -> Option<Cow<'_, str>> {
    match node.view() {
        Ok(View::String(Cow::Owned(text))) => Some(Cow::Owned(text)),
        // Without escapes the text is what stands between the quotes.
        Ok(View::String(Cow::Borrowed(_))) => {
            node.as_str().strip_prefix('"')?.strip_suffix('"').map(Cow::Borrowed)
        }
        Ok(_) => None,
    }
}

impl<'a> Classified<TextNode<'a>> {
    /// The text of the kinds that are read further: an error, a tool result, a JSON-RPC error.
    pub(crate) fn text(&self) -> Option<&'a [u8]> {
        self.object.as_ref().map(|(node, _)| node.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> (Option<String>, Kind) {
        let record = classify_record(line.as_bytes(), Dialect::V0_2).unwrap();
        (record.event.map(Cow::into_owned), record.payload.kind())
    }

    #[test]
    fn a_record_stands_for_its_ack() {
        let event = Some("client:x".to_owned());
        for (ack, kind) in [
            ("null", Kind::None),
            ("[true,null]", Kind::EventResult),
            (r#"{"code":404,"message":"m"}"#, Kind::Error),
            (r#"{"content":[]}"#, Kind::ToolResult),
            (r#"{"tools":[],"req_id":"r"}"#, Kind::Data),
            // The last of equal names counts, in a record too.
            (r#"{"code":404,"message":"m","code":7}"#, Kind::Data),
            (r#"{"code":7,"message":"m"},"ack":{"code":404,"message":"m"}"#, Kind::Error),
            // A record in a record is an answer that holds whatever it holds.
            (r#"{"event":"y","ack":{"code":404}}"#, Kind::Data),
        ] {
            assert_eq!(read(&format!(r#"{{"event":"client:x","ack":{ack}}}"#)), (event.clone(), kind));
            let line = format!(r#"{{"event":"client:x","ack":{ack},"error":null,"code":0}}"#);
            assert_eq!(read(&line), (event.clone(), kind));
            let line = format!(r#" {{"ts":1,"a\u0063k":{ack}, "event" : "client\u003ax"}} "#);
            assert_eq!(read(&line), (event.clone(), kind));
        }
    }

    #[test]
    fn a_payload_that_merely_has_such_members_stands_for_itself() {
        for (line, kind) in [
            (r#"{"code":404,"message":"m","event":"e","ack":null}"#, Kind::Error),
            (r#"{"content":[],"event":"e","ack":null}"#, Kind::ToolResult),
            (r#"{"jsonrpc":"2.0","error":{},"event":"e","ack":null}"#, Kind::RpcError),
            (r#"{"error":{"code":1},"event":"e","ack":null}"#, Kind::MalformedError),
            (r#"{"req_id":"r","event":"e","ack":[true,null]}"#, Kind::Data),
            (r#"{"code":"404","message":"m","event":"e","ack":[true,null]}"#, Kind::MalformedError),
            (r#"{"event":5,"ack":[true,null]}"#, Kind::Data),
            (r#"{"event":"e"}"#, Kind::Data),
            (r#"{"ack":[true,null]}"#, Kind::Data),
            ("[true,null]", Kind::EventResult),
            ("null", Kind::None),
        ] {
            assert_eq!(read(line), (None, kind), "{line}");
        }
    }

    #[test]
    fn what_is_not_json_says_where() {
        assert_eq!(classify_record(b"{\"event\":\"e\",}", Dialect::V0_2).unwrap_err().offset, 13);
    }
}
