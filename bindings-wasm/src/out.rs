//! How results go back: as JSON text, in which a text that begins with U+0000 stands for something else.
//!
//! JavaScript's own parser makes plain objects faster than any number of calls across the border could. What
//! JSON has no form for is marked: `\0n123` is an integer beyond 2^53 and becomes a bigint, `\0v7` is the
//! host's own value in place 7, handed back as it came, `\0s...` is the rest as text.

use std::borrow::Cow;
use std::fmt::Write as _;

use ackguard::host::{Build, Node, Shape, View};
use ackguard::json::TextNode;
use serde_json::Value;

use crate::host::JsNode;

/// The largest integer that every smaller one can be told apart from as a double.
const SAFE: i128 = (1 << 53) - 1;

/// A result on its way out.
#[derive(Debug)]
pub(crate) enum Out {
    Null,
    Bool(bool),
    Integer(i128),
    Float(f64),
    Text(Cow<'static, str>),
    /// The host's own value.
    Host(u32),
    Array(Vec<Out>),
    Object(Vec<(Cow<'static, str>, Out)>),
}

impl Out {
    /// An object without its absent members.
    pub(crate) fn object<const N: usize>(members: [(&'static str, Option<Out>); N]) -> Self {
        let members = members.into_iter().filter_map(|(name, value)| Some((Cow::Borrowed(name), value?)));
        Self::Object(members.collect())
    }

    pub(crate) fn array<T: Into<Out>>(items: impl IntoIterator<Item = T>) -> Self {
        Self::Array(items.into_iter().map(Into::into).collect())
    }

    /// Adds a member to an object.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<Out>) -> Self {
        if let Self::Object(members) = &mut self {
            members.push((Cow::Borrowed(name), value.into()));
        }
        self
    }

    pub(crate) fn write(&self, to: &mut String) {
        match self {
            Self::Null => to.push_str("null"),
            Self::Bool(flag) => to.push_str(if *flag { "true" } else { "false" }),
            // Writing into a String cannot fail.
            Self::Integer(integer) if integer.unsigned_abs() <= SAFE.unsigned_abs() => {
                let _ = write!(to, "{integer}");
            }
            Self::Integer(integer) => {
                let _ = write!(to, "\"\\u0000n{integer}\"");
            }
            Self::Float(float) if float.is_finite() => {
                let _ = write!(to, "{float:?}");
            }
            Self::Float(_) => to.push_str("null"),
            Self::Text(text) => write_text(text, to),
            Self::Host(place) => {
                let _ = write!(to, "\"\\u0000v{place}\"");
            }
            Self::Array(items) => {
                to.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        to.push(',');
                    }
                    item.write(to);
                }
                to.push(']');
            }
            Self::Object(members) => {
                to.push('{');
                for (index, (name, value)) in members.iter().enumerate() {
                    if index > 0 {
                        to.push(',');
                    }
                    write_string(name, "", to);
                    to.push(':');
                    value.write(to);
                }
                to.push('}');
            }
        }
    }
}

fn write_text(text: &str, to: &mut String) {
    write_string(text, if text.starts_with('\0') { "\\u0000s" } else { "" }, to);
}

fn write_string(text: &str, before: &str, to: &mut String) {
    to.push('"');
    to.push_str(before);
    for c in text.chars() {
        match c {
            '"' => to.push_str("\\\""),
            '\\' => to.push_str("\\\\"),
            c if c < ' ' => {
                let _ = write!(to, "\\u{:04x}", u32::from(c));
            }
            c => to.push(c),
        }
    }
    to.push('"');
}

impl From<bool> for Out {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
}

macro_rules! integers {
    ($($type:ty)+) => { $(
        impl From<$type> for Out {
            fn from(integer: $type) -> Self {
                Self::Integer(integer.into())
            }
        }
    )+ };
}
integers!(u16 u32 i64 u64 i128);

impl From<usize> for Out {
    fn from(integer: usize) -> Self {
        Self::Integer(i128::try_from(integer).unwrap_or(i128::MAX))
    }
}

impl From<&'static str> for Out {
    fn from(text: &'static str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Out {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

impl From<ackguard::ErrorCode> for Out {
    fn from(code: ackguard::ErrorCode) -> Self {
        code.get().into()
    }
}

impl<T: Into<Out>> From<Option<T>> for Out {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl From<&Value> for Out {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(flag) => Self::Bool(*flag),
            Value::Number(number) => match (number.as_i64(), number.as_u64()) {
                (Some(integer), _) => Self::Integer(integer.into()),
                (_, Some(integer)) => Self::Integer(integer.into()),
                _ => number.as_f64().map_or(Self::Null, Self::Float),
            },
            Value::String(text) => text.clone().into(),
            Value::Array(items) => Self::array(items),
            Value::Object(members) => members.into(),
        }
    }
}

impl From<&serde_json::Map<String, Value>> for Out {
    fn from(members: &serde_json::Map<String, Value>) -> Self {
        let members = members.iter().map(|(name, value)| (Cow::Owned(name.clone()), value.into()));
        Self::Object(members.collect())
    }
}

/// Builds results from what was read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ToOut;

/// A scalar on its way out.
pub(crate) trait Scalar: Node {
    fn scalar(&self) -> Result<Out, Self::Error>;
}

impl Scalar for JsNode {
    /// The value itself: a lone surrogate, a bigint, a minus zero stay what they are. What JSON has no
    /// counterpart for is dropped: nobody has looked inside it.
    fn scalar(&self) -> Result<Out, Self::Error> {
        Ok(match self.shape()? {
            Shape::Null | Shape::Opaque | Shape::Array | Shape::Object => Out::Null,
            Shape::Bool | Shape::Number | Shape::String => Out::Host(self.place()),
        })
    }
}

impl Scalar for TextNode<'_> {
    fn scalar(&self) -> Result<Out, Self::Error> {
        Ok(match self.view()? {
            View::Null | View::Opaque | View::Array | View::Object => Out::Null,
            View::Bool(flag) => Out::Bool(flag),
            View::Integer(integer) => Out::Integer(integer),
            View::BigInteger(float) | View::Float(float) => Out::Float(float),
            View::String(text) => text.into_owned().into(),
        })
    }
}

impl<N: Scalar> Build<N> for ToOut {
    type Value = Out;

    fn scalar(&mut self, node: &N) -> Result<Out, N::Error> {
        node.scalar()
    }
    fn string(&mut self, text: &str) -> Result<Out, N::Error> {
        Ok(text.to_owned().into())
    }
    fn array(&mut self, items: Vec<Out>) -> Result<Out, N::Error> {
        Ok(Out::Array(items))
    }
    fn object(&mut self, members: Vec<(String, Out)>) -> Result<Out, N::Error> {
        Ok(Out::Object(members.into_iter().map(|(name, value)| (Cow::Owned(name), value)).collect()))
    }
}
