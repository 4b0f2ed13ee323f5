//! The values of `serde_json`, as far as the rules use them, with members in a sorted list instead of a tree.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::{self, Vec};
use core::fmt::{self, Write as _};
use core::{mem, slice};

use serde::ser::{self, Serialize, SerializeMap, SerializeSeq, Serializer};

use super::float;
use crate::host::ToJson;
use crate::json::TextNode;
use crate::order::order;

/// A value of JSON.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Value {
    /// Nothing.
    #[default]
    Null,
    /// A boolean.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A text.
    String(String),
    /// An array.
    Array(Vec<Value>),
    /// An object.
    Object(Map<String, Value>),
}

impl Value {
    /// The member of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.as_object()?.get(name)
    }

    /// The text, if it is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The integer, if it is one from 0 on.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Self::Number(number) => number.as_u64(),
            _ => None,
        }
    }

    /// The number as a double.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Number(number) => number.as_f64(),
            _ => None,
        }
    }

    /// The members, if it is an object.
    #[must_use]
    pub fn as_object(&self) -> Option<&Map<String, Self>> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    /// Whether it is null.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }
}

/// As JSON text.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&to_string(self).unwrap_or_default())
    }
}

/// A number of JSON.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number(Form);

#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    Natural(u64),
    Negative(i64),
    Float(f64),
}

impl Number {
    /// A double, if it is finite.
    #[must_use]
    pub fn from_f64(float: f64) -> Option<Self> {
        float.is_finite().then_some(Self(Form::Float(float)))
    }

    /// The integer, if it is one and 63 bits hold it.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        match self.0 {
            Form::Natural(number) => number.try_into().ok(),
            Form::Negative(number) => Some(number),
            Form::Float(_) => None,
        }
    }

    /// The integer, if it is one from 0 on.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        match self.0 {
            Form::Natural(number) => Some(number),
            _ => None,
        }
    }

    /// The nearest double.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // as it says
    pub fn as_f64(&self) -> Option<f64> {
        Some(match self.0 {
            Form::Natural(number) => number as f64,
            Form::Negative(number) => number as f64,
            Form::Float(float) => float,
        })
    }

    /// Whether it is an integer that 63 bits hold.
    #[must_use]
    pub fn is_i64(&self) -> bool {
        self.as_i64().is_some()
    }
}

impl From<i64> for Number {
    fn from(number: i64) -> Self {
        Self(u64::try_from(number).map_or(Form::Negative(number), Form::Natural))
    }
}

impl From<u64> for Number {
    fn from(number: u64) -> Self {
        Self(Form::Natural(number))
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
}

macro_rules! numbers {
    ($($type:ty)+) => { $(
        impl From<$type> for Value {
            fn from(number: $type) -> Self {
                Self::Number(number.into())
            }
        }
    )+ };
}
numbers!(i64 u64);

impl From<i32> for Value {
    fn from(number: i32) -> Self {
        i64::from(number).into()
    }
}

impl From<f64> for Value {
    fn from(float: f64) -> Self {
        Number::from_f64(float).map_or(Self::Null, Self::Number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

impl From<Map<String, Self>> for Value {
    fn from(members: Map<String, Self>) -> Self {
        Self::Object(members)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self {
        items.into_iter().collect()
    }
}

impl<T: Into<Self>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self::Array(items.into_iter().map(Into::into).collect())
    }
}

/// The members of an object, sorted by name.
#[derive(Debug, Clone, PartialEq)]
pub struct Map<K, V>(Vec<(K, V)>);

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl Map<String, Value> {
    /// No members.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(other, _)| other.as_str().cmp(name))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The member of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        Some(&self.0.get(self.place(name).ok()?)?.1)
    }

    /// The member of this name, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        let place = self.place(name).ok()?;
        Some(&mut self.0.get_mut(place)?.1)
    }

    /// Whether there is a member of this name.
    #[must_use]
    pub fn contains_key(&self, name: &str) -> bool {
        self.place(name).is_ok()
    }

    /// Adds a member, or replaces the one of that name.
    pub fn insert(&mut self, name: String, value: Value) -> Option<Value> {
        match self.place(&name) {
            Ok(place) => self.0.get_mut(place).map(|(_, old)| mem::replace(old, value)),
            Err(place) => {
                self.0.insert(place, (name, value));
                None
            }
        }
    }

    /// Takes a member out.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let place = self.place(name).ok()?;
        Some(self.0.remove(place).1)
    }

    /// Keeps what is to be kept.
    pub fn retain(&mut self, mut keep: impl FnMut(&String, &mut Value) -> bool) {
        self.retain_by(&mut keep);
    }

    #[inline(never)]
    fn retain_by(&mut self, keep: &mut dyn FnMut(&String, &mut Value) -> bool) {
        self.0.retain_mut(|(name, value)| keep(name, value));
    }

    /// The names in order.
    pub fn keys(&self) -> impl Iterator<Item = &String> {
        self.0.iter().map(|(name, _)| name)
    }

    /// The members in order.
    #[must_use]
    pub fn iter(&self) -> Members<'_> {
        Members(self.0.iter())
    }
}

impl Extend<(String, Value)> for Map<String, Value> {
    fn extend<I: IntoIterator<Item = (String, Value)>>(&mut self, members: I) {
        for (name, value) in members {
            self.insert(name, value);
        }
    }
}

impl FromIterator<(String, Value)> for Map<String, Value> {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(members: I) -> Self {
        Self::of(members.into_iter().collect())
    }
}

impl Map<String, Value> {
    #[inline(never)]
    fn of(members: Vec<(String, Value)>) -> Self {
        let name = |place: usize| members.get(place).map(|(name, _)| name.as_str());
        let places = order(members.len(), &|a, b| name(a).cmp(&name(b)));
        let mut members: Vec<_> = members.into_iter().map(Some).collect();
        let mut map = Self::new();
        for place in places {
            let Some((name, value)) = members.get_mut(place).and_then(Option::take) else { continue };
            match map.0.last_mut() {
                // Of equal names the last counts.
                Some((last, old)) if *last == name => *old = value,
                _ => map.0.push((name, value)),
            }
        }
        map
    }
}

impl IntoIterator for Map<String, Value> {
    type Item = (String, Value);
    type IntoIter = vec::IntoIter<(String, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Map<String, Value> {
    type Item = (&'a String, &'a Value);
    type IntoIter = Members<'a>;

    fn into_iter(self) -> Members<'a> {
        self.iter()
    }
}

/// The members of an object in order.
#[derive(Debug, Clone)]
pub struct Members<'a>(slice::Iter<'a, (String, Value)>);

impl<'a> Iterator for Members<'a> {
    type Item = (&'a String, &'a Value);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(name, value)| (name, value))
    }
}

// --- text ----------------------------------------------------------------------------------------------

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => out.serialize_unit(),
            Self::Bool(flag) => out.serialize_bool(*flag),
            Self::Number(Number(Form::Natural(number))) => out.serialize_u64(*number),
            Self::Number(Number(Form::Negative(number))) => out.serialize_i64(*number),
            Self::Number(Number(Form::Float(float))) => out.serialize_f64(*float),
            Self::String(text) => out.serialize_str(text),
            Self::Array(items) => items.serialize(out),
            Self::Object(members) => members.serialize(out),
        }
    }
}

impl Serialize for Map<String, Value> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(None)?;
        for (name, value) in self {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// As JSON text, which nothing that is serialized here refuses.
///
/// # Errors
///
/// [`Refused`], in theory.
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String, Refused> {
    let mut text = String::new();
    value.serialize(Writer(&mut text))?;
    Ok(text)
}

/// As a value.
pub(crate) fn to_value<T: Serialize>(value: T) -> Result<Value, Refused> {
    let text = to_string(&value)?;
    let node = TextNode::parse(text.as_bytes()).map_err(|_| Refused)?;
    let Ok((value, _)) = crate::host::copy(&node, &mut ToJson, usize::MAX);
    Ok(value)
}

/// What JSON has no form for.
#[derive(Debug)]
pub struct Refused;

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no JSON")
    }
}

impl core::error::Error for Refused {}

impl ser::Error for Refused {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

/// Writes a text as JSON does.
pub(crate) fn quote(text: &str, to: &mut String) {
    to.push('"');
    for char in text.chars() {
        match char {
            '"' | '\\' => {
                to.push('\\');
                to.push(char);
            }
            '\u{8}' => to.push_str("\\b"),
            '\t' => to.push_str("\\t"),
            '\n' => to.push_str("\\n"),
            '\u{c}' => to.push_str("\\f"),
            '\r' => to.push_str("\\r"),
            char if char < ' ' => {
                // Writing to a String cannot fail.
                let _ = write!(to, "\\u{:04x}", u32::from(char));
            }
            char => to.push(char),
        }
    }
    to.push('"');
}

struct Writer<'a>(&'a mut String);

/// A container that is being written.
struct Open<'a> {
    to: &'a mut String,
    first: bool,
    end: char,
}

impl Open<'_> {
    fn next(&mut self) {
        if !mem::replace(&mut self.first, false) {
            self.to.push(',');
        }
    }

    fn name(&mut self, name: &str) {
        self.next();
        quote(name, self.to);
        self.to.push(':');
    }

    fn close(self) {
        self.to.push(self.end);
    }
}

impl<'a> Writer<'a> {
    fn open(self, begin: char, end: char) -> Open<'a> {
        self.0.push(begin);
        Open { to: self.0, first: true, end }
    }

    fn number(self, number: impl ToString) {
        self.0.push_str(&number.to_string());
    }
}

type Written = Result<(), Refused>;
type Opened<'a> = Result<Open<'a>, Refused>;

impl<'a> Serializer for Writer<'a> {
    type Ok = ();
    type Error = Refused;
    type SerializeSeq = Open<'a>;
    type SerializeTuple = ser::Impossible<(), Refused>;
    type SerializeTupleStruct = ser::Impossible<(), Refused>;
    type SerializeTupleVariant = ser::Impossible<(), Refused>;
    type SerializeMap = Open<'a>;
    type SerializeStruct = Open<'a>;
    type SerializeStructVariant = ser::Impossible<(), Refused>;

    fn serialize_bool(self, flag: bool) -> Written {
        self.0.push_str(if flag { "true" } else { "false" });
        Ok(())
    }
    fn serialize_i8(self, number: i8) -> Written {
        self.serialize_i64(number.into())
    }
    fn serialize_i16(self, number: i16) -> Written {
        self.serialize_i64(number.into())
    }
    fn serialize_i32(self, number: i32) -> Written {
        self.serialize_i64(number.into())
    }
    fn serialize_i64(self, number: i64) -> Written {
        self.number(number);
        Ok(())
    }
    fn serialize_u8(self, number: u8) -> Written {
        self.serialize_u64(number.into())
    }
    fn serialize_u16(self, number: u16) -> Written {
        self.serialize_u64(number.into())
    }
    fn serialize_u32(self, number: u32) -> Written {
        self.serialize_u64(number.into())
    }
    fn serialize_u64(self, number: u64) -> Written {
        self.number(number);
        Ok(())
    }
    fn serialize_f32(self, float: f32) -> Written {
        self.serialize_f64(float.into())
    }
    fn serialize_f64(self, float: f64) -> Written {
        if float.is_finite() {
            float::write(float, self.0);
            return Ok(());
        }
        self.serialize_unit()
    }
    fn serialize_char(self, char: char) -> Written {
        self.serialize_str(char.encode_utf8(&mut [0; 4]))
    }
    fn serialize_str(self, text: &str) -> Written {
        quote(text, self.0);
        Ok(())
    }
    fn serialize_bytes(self, _: &[u8]) -> Written {
        Err(Refused)
    }
    fn serialize_none(self) -> Written {
        self.serialize_unit()
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        value.serialize(self)
    }
    fn serialize_unit(self) -> Written {
        self.0.push_str("null");
        Ok(())
    }
    fn serialize_unit_struct(self, _: &'static str) -> Written {
        self.serialize_unit()
    }
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written {
        self.serialize_str(variant)
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Written {
        value.serialize(self)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Written {
        Err(Refused)
    }
    fn serialize_seq(self, _: Option<usize>) -> Opened<'a> {
        Ok(self.open('[', ']'))
    }
    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Refused> {
        Err(Refused)
    }
    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, Refused> {
        Err(Refused)
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Refused> {
        Err(Refused)
    }
    fn serialize_map(self, _: Option<usize>) -> Opened<'a> {
        Ok(self.open('{', '}'))
    }
    fn serialize_struct(self, _: &'static str, _: usize) -> Opened<'a> {
        Ok(self.open('{', '}'))
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Refused> {
        Err(Refused)
    }
    fn collect_str<T: fmt::Display + ?Sized>(self, text: &T) -> Written {
        self.serialize_str(&text.to_string())
    }
}

impl SerializeSeq for Open<'_> {
    type Ok = ();
    type Error = Refused;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, item: &T) -> Written {
        self.next();
        item.serialize(Writer(self.to))
    }
    fn end(self) -> Written {
        self.close();
        Ok(())
    }
}

impl SerializeMap for Open<'_> {
    type Ok = ();
    type Error = Refused;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> Written {
        self.next();
        name.serialize(Writer(self.to))
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.to.push(':');
        value.serialize(Writer(self.to))
    }
    fn end(self) -> Written {
        self.close();
        Ok(())
    }
}

impl ser::SerializeStruct for Open<'_> {
    type Ok = ();
    type Error = Refused;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Written {
        self.name(name);
        value.serialize(Writer(self.to))
    }
    fn end(self) -> Written {
        self.close();
        Ok(())
    }
}
