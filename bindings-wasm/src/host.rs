//! JavaScript values as a host.
//!
//! A node is a place in a list that lives on the JavaScript side (`js/host.js`), so that nothing but numbers
//! crosses the border for what a rule does not look into. What has been read is remembered over there, so
//! that no getter runs twice.
//!
//! What a getter or a proxy throws goes through the module as it is, so reading has no error here. Nothing is given back on its
//! way: `js/core.js` sees to that, see [`crate::heap::forget`].

use alloc::borrow::Cow;
use alloc::string::String;
use core::convert::Infallible;
use core::ops::ControlFlow;

use ackguard::host::{Keys, Members, Node, Shape, View, Visit};
use ackguard::value::integer;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::heap::Kept;
use crate::scratch::incoming;

#[wasm_bindgen(raw_module = "../host.js")]
extern "C" {
    /// Tells the names of a set, one a line, before the set is used for the first time: where the text is, and its length.
    fn learn(set: u32, names: usize, len: usize);
    /// The member of an object, as [`JsNode::unpack`] reads it.
    fn member(node: u32, set: u32, index: u32) -> u32;
    /// How many members or items there are.
    fn count(node: u32) -> u32;
    /// The name of a member, as [`incoming`] has it.
    fn name(node: u32, index: u32) -> u32;
    /// The member or item with this index.
    fn at(node: u32, index: u32) -> u32;
    /// A number.
    pub(crate) fn number(node: u32) -> f64;
    /// A text, as [`incoming`] has it; `u32::MAX` if it is none.
    #[wasm_bindgen(js_name = text)]
    fn text_of(node: u32) -> u32;
    /// The decimal digits of a bigint of at most 127 bits, as [`incoming`] has them.
    fn digits(node: u32) -> u32;
}

/// A text, if it is one.
pub(crate) fn text(node: u32) -> Option<String> {
    match text_of(node) {
        u32::MAX => None,
        len => Some(incoming(len)),
    }
}

/// What kind of value a node is. The numbers are `js/host.js`'s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
    Null,
    False,
    True,
    Integer,
    Float,
    /// An integral double or a bigint that 128 bits do not hold.
    Big,
    BigInt,
    Text,
    Array,
    Object,
    Opaque,
    /// An integer above 0 that is its own place.
    Small,
}

/// A handle on a JavaScript value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JsNode {
    place: u32,
    tag: Tag,
}

impl JsNode {
    /// Reads a place and a tag from one number; `None` for 0, which stands for nothing.
    pub(crate) fn unpack(packed: u32) -> Option<Self> {
        let tag = match packed & 15 {
            0 => return None,
            1 => Tag::Null,
            2 => Tag::False,
            3 => Tag::True,
            4 => Tag::Integer,
            5 => Tag::Float,
            6 => Tag::Big,
            7 => Tag::BigInt,
            8 => Tag::Text,
            9 => Tag::Array,
            10 => Tag::Object,
            13 => Tag::Small,
            _ => Tag::Opaque,
        };
        Some(Self { place: packed >> 4, tag })
    }

    /// The place in the list of values, where it has one.
    pub(crate) fn place(self) -> Option<u32> {
        (self.tag != Tag::Small).then_some(self.place)
    }
}

/// The sets whose names the other side has.
static LEARNT: Kept<u32> = Kept::new(0);

/// Makes sure that the other side knows the names of a set.
fn introduce(keys: &'static Keys) -> u32 {
    #[allow(clippy::cast_possible_truncation)] // ids are small, and one beyond 31 is told each time
    let id = keys.id as u32;
    LEARNT.with(|learnt| {
        let bit = 1_u32.checked_shl(id).unwrap_or(0);
        if *learnt & bit == 0 {
            let mut names = String::new();
            for name in keys.names {
                names.push_str(name);
                names.push('\n');
            }
            learn(id, names.as_ptr().addr(), names.len());
            *learnt |= bit;
        }
    });
    id
}

impl Node for JsNode {
    type Error = Infallible;
    type Members = JsMembers;

    fn view(&self) -> Result<View<'_>, Infallible> {
        Ok(match self.tag {
            Tag::Null => View::Null,
            Tag::False => View::Bool(false),
            Tag::True => View::Bool(true),
            #[allow(clippy::cast_possible_truncation)] // the tag says that it is an integer below 2^127
            Tag::Integer => View::Integer(number(self.place) as i128),
            Tag::Small => View::Integer(self.place.into()),
            Tag::Float => View::Float(number(self.place)),
            Tag::Big => View::BigInteger(number(self.place)),
            Tag::BigInt => match integer(&incoming(digits(self.place))) {
                Some(integer) => View::Integer(integer),
                None => View::BigInteger(number(self.place)),
            },
            Tag::Text => View::String(Cow::Owned(text(self.place).unwrap_or_default())),
            Tag::Array => View::Array,
            Tag::Object => View::Object,
            Tag::Opaque => View::Opaque,
        })
    }

    fn shape(&self) -> Result<Shape, Infallible> {
        Ok(match self.tag {
            Tag::Null => Shape::Null,
            Tag::False | Tag::True => Shape::Bool,
            Tag::Integer | Tag::Small | Tag::Float | Tag::Big | Tag::BigInt => Shape::Number,
            Tag::Text => Shape::String,
            Tag::Array => Shape::Array,
            Tag::Object => Shape::Object,
            Tag::Opaque => Shape::Opaque,
        })
    }

    fn members(&self, keys: &'static Keys) -> Result<JsMembers, Infallible> {
        let object = self.tag == Tag::Object;
        Ok(JsMembers { place: object.then_some(self.place), set: if object { introduce(keys) } else { 0 } })
    }

    fn entries(&self, visit: &mut dyn FnMut(&str, Self) -> Visit<Infallible>) -> Result<(), Infallible> {
        if self.tag != Tag::Object {
            return Ok(());
        }
        for index in 0..count(self.place) {
            // A member whose value is undefined is none.
            let Some(value) = Self::unpack(at(self.place, index)) else { continue };
            if let ControlFlow::Break(()) = visit(&incoming(name(self.place, index)), value)? {
                break;
            }
        }
        Ok(())
    }

    fn items(&self, visit: &mut dyn FnMut(Self) -> Visit<Infallible>) -> Result<(), Infallible> {
        if self.tag != Tag::Array {
            return Ok(());
        }
        for index in 0..count(self.place) {
            let Some(item) = Self::unpack(at(self.place, index)) else { continue };
            if let ControlFlow::Break(()) = visit(item)? {
                break;
            }
        }
        Ok(())
    }
}

/// The members of a JavaScript object.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JsMembers {
    /// `None`: it is no object.
    place: Option<u32>,
    set: u32,
}

impl Members for JsMembers {
    type Node = JsNode;

    fn get(&self, index: usize) -> Result<Option<JsNode>, Infallible> {
        let (Some(place), Ok(index)) = (self.place, u32::try_from(index)) else { return Ok(None) };
        Ok(JsNode::unpack(member(place, self.set, index)))
    }
}
