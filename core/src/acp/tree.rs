//! JSON that keeps every member of an object, so that a name given twice can be seen.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::rpc::integer_value;
use crate::host::{Node, View};
use crate::json::TextNode;
use crate::value::{Map, Number, Value};

/// A JSON value whose objects keep all their members, in the order of the text.
#[derive(Clone, PartialEq)]
pub(crate) enum Tree {
    Null,
    Bool(bool),
    Number(Number),
    String(String),
    Array(Vec<Tree>),
    Object(Vec<(String, Tree)>),
}

impl Tree {
    /// What this is, in the words of a message.
    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }

    /// As plain JSON; the last of equal names counts.
    pub(crate) fn to_value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(b) => Value::Bool(*b),
            #[allow(clippy::clone_on_copy)] // serde_json's is none that is copied
            Self::Number(n) => Value::Number(n.clone()),
            Self::String(s) => Value::String(s.clone()),
            Self::Array(items) => Value::Array(items.iter().map(Self::to_value).collect()),
            Self::Object(members) => {
                Value::Object(members.iter().map(|(k, v)| (k.clone(), v.to_value())).collect::<Map<_, _>>())
            }
        }
    }
}

/// How many containers may lie in each other.
const LEVELS: usize = 127;

/// Reads a text. An error is the place of the byte at which it stops being JSON, or being what is read here.
pub(crate) fn read(json: &[u8]) -> Result<Tree, usize> {
    let node = TextNode::parse(json).map_err(|error| error.offset)?;
    below(node, LEVELS).map_err(|rest| rest.as_ptr().addr() - json.as_ptr().addr())
}

fn below<'a>(node: TextNode<'a>, levels: usize) -> Result<Tree, &'a str> {
    let Ok(view) = node.view();
    let down = levels.checked_sub(1).ok_or(node.as_str());
    let mut beyond = Ok(());
    let tree = match view {
        View::Null | View::Opaque => Tree::Null,
        View::Bool(flag) => Tree::Bool(flag),
        View::Integer(integer) => match integer_value(integer) {
            Value::Number(number) => Tree::Number(number),
            _ => Tree::Null,
        },
        // A number that no double holds is as good a number as any: it stops nobody from reading the rest.
        View::BigInteger(float) | View::Float(float) => {
            let finite = if float.is_infinite() { f64::MAX.copysign(float) } else { float };
            Number::from_f64(finite).map_or(Tree::Null, Tree::Number)
        }
        View::String(text) => Tree::String(text.into_owned()),
        View::Array => {
            let down = down?;
            let mut items = Vec::new();
            let Ok(()) = node.items(&mut |item| {
                Ok(match below(item, down) {
                    Ok(item) => {
                        items.push(item);
                        ControlFlow::Continue(())
                    }
                    Err(rest) => {
                        beyond = Err(rest);
                        ControlFlow::Break(())
                    }
                })
            });
            Tree::Array(items)
        }
        View::Object => {
            let down = down?;
            let mut members = Vec::new();
            let Ok(()) = node.every_entry(&mut |name, value| {
                Ok(match below(value, down) {
                    Ok(value) => {
                        members.push((name.to_owned(), value));
                        ControlFlow::Continue(())
                    }
                    Err(rest) => {
                        beyond = Err(rest);
                        ControlFlow::Break(())
                    }
                })
            });
            Tree::Object(members)
        }
    };
    beyond.map(|()| tree)
}
