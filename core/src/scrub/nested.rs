//! JSON inside a text, scrubbed as JSON.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::convert::Infallible;

use super::walk::Walker;
#[cfg(all(feature = "small", target_family = "wasm"))]
use super::{Limits, Rules, Scrubbed};
use crate::host::{Build, Keys, Members, Node, View, Visit, made};
use crate::json::{TextMembers, TextNode};
#[cfg(all(feature = "small", target_family = "wasm"))]
use crate::value::Value;
use crate::value::join;

/// The JSON object or array that begins at `start`. What a failing attempt has read is taken from `fuel`.
pub(super) fn prefix<'a>(text: &'a [u8], start: usize, fuel: &mut usize) -> Option<&'a [u8]> {
    let rest = text.get(start..)?;
    if *fuel == 0 || !matches!(rest.first(), Some(b'{' | b'[')) {
        return None;
    }
    // Two bytes tell most of what is no JSON.
    let next = rest.iter().skip(1).find(|byte| !byte.is_ascii_whitespace())?;
    let may_be = match rest.first()? {
        b'{' => matches!(next, b'"' | b'}'),
        _ => matches!(next, b'"' | b'{' | b'[' | b']' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n'),
    };
    if !may_be {
        return None;
    }
    match TextNode::prefix(rest.get(..rest.len().min(*fuel))?) {
        Ok(node) => Some(node.as_str().as_bytes()),
        Err(error) => {
            *fuel = fuel.saturating_sub(error.offset.max(1));
            None
        }
    }
}

/// The JSON without its secrets; `None` where it has none.
pub(super) fn scrub(walker: &mut Walker, json: &[u8], depth: usize) -> Option<String> {
    let node = Every(TextNode::parse(json).ok()?);
    let found = walker.count();
    let Some(below) = depth.checked_sub(1) else {
        walker.out_of_bounds();
        return Some(format!("\"{}\"", super::TRUNCATED));
    };
    let Ok(text) = made(&mut ToText, |to| walker.nested(|walker| walker.value(&node, to, below, false)));
    (walker.count() > found).then_some(text)
}

/// A whole value without its secrets, by way of its text: the walk is then compiled once, for texts.
#[cfg(all(feature = "small", target_family = "wasm"))]
pub(crate) fn scrub_value(value: &Value, rules: Rules) -> Scrubbed<Value> {
    let mut walker = Walker::new(rules, Limits::DEFAULT);
    let text = value.to_string();
    let clean = TextNode::parse(text.as_bytes()).ok().and_then(|node| {
        let depth = Limits::DEFAULT.depth();
        let Ok(clean) = made(&mut ToText, |to| walker.value(&Every(node), to, depth, false));
        let node = TextNode::parse(clean.as_bytes()).ok()?;
        let Ok((value, _)) = crate::host::copy(&node, &mut crate::host::ToJson, usize::MAX);
        Some(value)
    });
    Scrubbed { value: clean.unwrap_or_default(), findings: walker.into_findings() }
}

/// A node whose object shows every entry, those too that a later one of the same name hides: the text still has them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Every<'a>(TextNode<'a>);

#[derive(Debug)]
pub(super) struct EveryMembers<'a>(TextMembers<'a>);

impl<'a> Members for EveryMembers<'a> {
    type Node = Every<'a>;

    fn get(&self, index: usize) -> Result<Option<Every<'a>>, Infallible> {
        Ok(self.0.get(index)?.map(Every))
    }
}

impl<'a> Node for Every<'a> {
    type Error = Infallible;
    type Members = EveryMembers<'a>;

    fn view(&self) -> Result<View<'_>, Infallible> {
        self.0.view()
    }

    fn members(&self, keys: &'static Keys) -> Result<EveryMembers<'a>, Infallible> {
        self.0.members(keys).map(EveryMembers)
    }

    fn entries(&self, visit: &mut dyn FnMut(&str, Self) -> Visit<Infallible>) -> Result<(), Infallible> {
        self.0.every_entry(&mut |key, value| visit(key, Every(value)))
    }

    fn items(&self, visit: &mut dyn FnMut(Self) -> Visit<Infallible>) -> Result<(), Infallible> {
        self.0.items(&mut |item| visit(Every(item)))
    }
}

/// Builds JSON text. What was not touched is written as it was read.
struct ToText;

impl<'a> Build<Every<'a>> for ToText {
    type Value = String;

    fn scalar(&mut self, node: &Every<'a>) -> Result<String, Infallible> {
        Ok(node.0.as_str().to_owned())
    }

    fn string(&mut self, text: &str) -> Result<String, Infallible> {
        Ok(quoted(text))
    }

    fn array(&mut self, items: Vec<String>) -> Result<String, Infallible> {
        Ok(String::from("[") + &join(items.iter().map(String::as_str), ",") + "]")
    }

    fn object(&mut self, members: Vec<(String, String)>) -> Result<String, Infallible> {
        let mut out = String::from("{");
        for (at, (key, value)) in members.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            out.push_str(&quoted(key));
            out.push(':');
            out.push_str(value);
        }
        out.push('}');
        Ok(out)
    }
}

fn quoted(text: &str) -> String {
    crate::value::Value::from(text).to_string()
}
