//! How results go back: as JSON text, in which a text that begins with U+0000 stands for something else.
//!
//! JavaScript's own parser makes plain objects faster than any number of calls across the border could. What
//! JSON has no form for is marked: `\0n123` is an integer beyond 2^53 and becomes a bigint, `\0v7` is the
//! host's own value in place 7, handed back as it came, `\0s...` is the rest as text.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::convert::Infallible;
use core::fmt::Write as _;

use ackguard::host::{Build, Node, Shape, View};
use ackguard::value::{Map, Value, decimal};

use crate::any::AnyNode;

/// The largest integer that every smaller one can be told apart from as a double.
const SAFE: i64 = (1 << 53) - 1;

/// A result on its way out: its text.
#[derive(Debug)]
pub(crate) struct Out(String);

impl Out {
    pub(crate) fn null() -> Self {
        Self("null".to_owned())
    }

    pub(crate) fn is_empty_object(&self) -> bool {
        self.0 == "{}"
    }

    /// An object without its absent members. Their names are one text with `|` between them, which takes less space
    /// than as many texts.
    pub(crate) fn object<const N: usize>(names: &str, values: [Option<Self>; N]) -> Self {
        Self::of_members(names, &values)
    }

    #[inline(never)]
    fn of_members(names: &str, values: &[Option<Self>]) -> Self {
        let mut out = Self("{}".to_owned());
        for (name, value) in names.split('|').zip(values) {
            if let Some(value) = value {
                out.add(name, value);
            }
        }
        out
    }

    /// Adds a member to an object.
    pub(crate) fn add(&mut self, name: &str, value: &Self) {
        self.0.pop();
        if self.0.len() > 1 {
            self.0.push(',');
        }
        write_string(name, "", &mut self.0);
        self.0.push(':');
        self.0.push_str(&value.0);
        self.0.push('}');
    }

    pub(crate) fn array<T: Into<Self>>(items: impl IntoIterator<Item = T>) -> Self {
        let mut out = Self("[]".to_owned());
        for item in items {
            out.append(&item.into());
        }
        out
    }

    fn append(&mut self, item: &Self) {
        self.0.pop();
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push_str(&item.0);
        self.0.push(']');
    }

    /// Adds a member to an object.
    pub(crate) fn with(mut self, name: &str, value: impl Into<Self>) -> Self {
        self.add(name, &value.into());
        self
    }

    /// The whole answer: its first character, and the value.
    pub(crate) fn answer(mut self, first: char) -> String {
        self.0.insert(0, first);
        self.0
    }

    /// The host's own value.
    fn host(place: u32) -> Self {
        Self("\"\\u0000v".to_owned() + &place.to_string() + "\"")
    }

    pub(crate) fn float(float: f64) -> Self {
        Self(Value::from(float).to_string())
    }
}

fn write_string(text: &str, before: &str, to: &mut String) {
    to.push('"');
    to.push_str(before);
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                to.push('\\');
                to.push(c);
            }
            c if c < ' ' => {
                // Writing into a String cannot fail.
                let _ = write!(to, "\\u{:04x}", u32::from(c));
            }
            c => to.push(c),
        }
    }
    to.push('"');
}

impl From<bool> for Out {
    fn from(flag: bool) -> Self {
        Self(if flag { "true" } else { "false" }.to_owned())
    }
}

impl From<i64> for Out {
    fn from(integer: i64) -> Self {
        if (-SAFE..=SAFE).contains(&integer) { Self(integer.to_string()) } else { i128::from(integer).into() }
    }
}

impl From<i128> for Out {
    fn from(integer: i128) -> Self {
        match i64::try_from(integer) {
            Ok(integer) if (-SAFE..=SAFE).contains(&integer) => Self(integer.to_string()),
            _ => Self("\"\\u0000n".to_owned() + &decimal(integer) + "\""),
        }
    }
}

macro_rules! integers {
    ($($type:ty as $wide:ty)+) => { $(
        impl From<$type> for Out {
            fn from(integer: $type) -> Self {
                <$wide>::from(integer).into()
            }
        }
    )+ };
}
integers!(u16 as i64 u32 as i64 u64 as i128);

impl From<usize> for Out {
    fn from(integer: usize) -> Self {
        i64::try_from(integer).unwrap_or(i64::MAX).into()
    }
}

impl From<&str> for Out {
    fn from(text: &str) -> Self {
        let mut out = String::with_capacity(text.len() + 2);
        write_string(text, if text.starts_with('\0') { "\\u0000s" } else { "" }, &mut out);
        Self(out)
    }
}

impl From<String> for Out {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<&String> for Out {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<ackguard::ErrorCode> for Out {
    fn from(code: ackguard::ErrorCode) -> Self {
        code.get().into()
    }
}

impl<T: Into<Out>> From<Option<T>> for Out {
    fn from(value: Option<T>) -> Self {
        value.map_or_else(Self::null, Into::into)
    }
}

impl From<&Value> for Out {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Self::null(),
            Value::Bool(flag) => (*flag).into(),
            Value::Number(number) => match (number.as_i64(), number.as_u64()) {
                (Some(integer), _) => integer.into(),
                (_, Some(integer)) => integer.into(),
                _ => Self::float(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => text.into(),
            Value::Array(items) => Self::array(items),
            Value::Object(members) => members.into(),
        }
    }
}

impl From<&Map<String, Value>> for Out {
    fn from(members: &Map<String, Value>) -> Self {
        let mut out = Self::of_members("", &[]);
        for (name, value) in members {
            out.add(name, &value.into());
        }
        out
    }
}

/// Builds results from what was read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ToOut;

impl<'a> Build<AnyNode<'a>> for ToOut {
    type Value = Out;

    fn scalar(&mut self, node: &AnyNode<'a>) -> Result<Out, Infallible> {
        let place = match node {
            AnyNode::Js(node) => node.place(),
            AnyNode::Text(_) => None,
        };
        Ok(match (place, node.shape()?) {
            (_, Shape::Null | Shape::Opaque | Shape::Array | Shape::Object) => Out::null(),
            // The value itself: a lone surrogate, a bigint, a minus zero stay what they are.
            (Some(place), _) => Out::host(place),
            (None, _) => match node.view()? {
                View::Bool(flag) => flag.into(),
                View::Integer(integer) => integer.into(),
                View::BigInteger(float) | View::Float(float) => Out::float(float),
                View::String(text) => text.as_ref().into(),
                View::Null | View::Opaque | View::Array | View::Object => Out::null(),
            },
        })
    }
    fn string(&mut self, text: &str) -> Result<Out, Infallible> {
        Ok(text.into())
    }
    fn array(&mut self, items: Vec<Out>) -> Result<Out, Infallible> {
        Ok(Out::array(items))
    }
    fn object(&mut self, members: Vec<(String, Out)>) -> Result<Out, Infallible> {
        let mut out = Out::of_members("", &[]);
        for (name, value) in &members {
            out.add(name, value);
        }
        Ok(out)
    }
}
