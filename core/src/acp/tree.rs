//! JSON that keeps every member of an object, so that a name given twice can be seen.

use std::fmt;
use std::ops::ControlFlow;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::host::{Node, View};
use crate::json::TextNode;

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

/// How deep `serde_json` goes.
const LEVELS: usize = 128;

impl Tree {
    /// Reads a text. A number that no double holds is as good a number as any: it stops nobody from reading the rest.
    pub(crate) fn parse(text: &[u8]) -> serde_json::Result<Self> {
        serde_json::from_slice(text).or_else(|error| {
            let tree = TextNode::parse(text).ok().and_then(|node| Self::of(&node, LEVELS));
            tree.ok_or(error)
        })
    }

    /// The tree of a text that is known to be JSON, or `None` where it is too deep.
    fn of(node: &TextNode<'_>, levels: usize) -> Option<Self> {
        let levels = levels.checked_sub(1)?;
        let Ok(view) = node.view();
        let mut whole = true;
        let tree = match view {
            View::Null | View::Opaque => Self::Null,
            View::Bool(b) => Self::Bool(b),
            View::Integer(i) => Self::Number(match (u64::try_from(i), i64::try_from(i)) {
                (Ok(small), _) => small.into(),
                (_, Ok(small)) => small.into(),
                #[allow(clippy::cast_precision_loss)]
                _ => nearest(i as f64),
            }),
            View::BigInteger(f) | View::Float(f) => Self::Number(nearest(f)),
            View::String(text) => Self::String(text.into_owned()),
            View::Array => {
                let mut items = Vec::new();
                let Ok(()) = node.items(&mut |item| {
                    let item = Self::of(&item, levels);
                    whole &= item.is_some();
                    items.extend(item);
                    Ok(if whole { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
                });
                Self::Array(items)
            }
            View::Object => {
                let mut members = Vec::new();
                let Ok(()) = node.every_entry(&mut |name, value| {
                    let value = Self::of(&value, levels);
                    whole &= value.is_some();
                    members.extend(value.map(|value| (name.to_owned(), value)));
                    Ok(if whole { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
                });
                Self::Object(members)
            }
        };
        whole.then_some(tree)
    }

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
    pub(crate) fn into_value(self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(b) => Value::Bool(b),
            Self::Number(n) => Value::Number(n),
            Self::String(s) => Value::String(s),
            Self::Array(items) => Value::Array(items.into_iter().map(Self::into_value).collect()),
            Self::Object(members) => {
                Value::Object(members.into_iter().map(|(k, v)| (k, v.into_value())).collect::<Map<_, _>>())
            }
        }
    }
}

/// The nearest double there is.
fn nearest(number: f64) -> Number {
    Number::from_f64(number.clamp(f64::MIN, f64::MAX)).unwrap_or_else(|| 0.into())
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }
    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }
    fn visit_bool<E>(self, b: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(b))
    }
    fn visit_i64<E>(self, i: i64) -> Result<Tree, E> {
        Ok(Tree::Number(i.into()))
    }
    fn visit_u64<E>(self, u: u64) -> Result<Tree, E> {
        Ok(Tree::Number(u.into()))
    }
    fn visit_f64<E>(self, f: f64) -> Result<Tree, E> {
        Ok(Number::from_f64(f).map_or(Tree::Null, Tree::Number))
    }
    fn visit_str<E>(self, s: &str) -> Result<Tree, E> {
        Ok(Tree::String(s.to_owned()))
    }
    fn visit_string<E>(self, s: String) -> Result<Tree, E> {
        Ok(Tree::String(s))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Tree, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Tree::Array(items))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Tree::Object(members))
    }
}
