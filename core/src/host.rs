//! The one small trait through which every host's value is read, and the one through which a scrubbed
//! value is made.
//!
//! Classification and scrubbing are written once, against [`Node`]. It is implemented for
//! [`serde_json::Value`] here, for JSON text in [`crate::json`], and by the bindings for Python objects and
//! JavaScript values. A host's value is never turned into JSON text and back, and what a rule does not look
//! at is never touched.

use alloc::borrow::Cow;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::ops::ControlFlow;

use crate::order::order;
use crate::value::Value;

/// What a node is in JSON's terms, with the scalar at hand.
#[derive(Debug, Clone, PartialEq)]
pub enum View<'a> {
    /// JSON null, and the host's None, undefined or nil.
    Null,
    /// A boolean, and nothing that merely converts to one.
    Bool(bool),
    /// An integer that fits 128 bits with a sign. Never a boolean.
    Integer(i128),
    /// An integer beyond that, as the nearest double (infinite where no double is near).
    BigInteger(f64),
    /// A number with a fraction or an exponent, as far as the host can tell.
    Float(f64),
    /// Text. Lone surrogates of hosts that have them are read as U+FFFD.
    String(Cow<'a, str>),
    /// A sequence.
    Array,
    /// A mapping from text to nodes.
    Object,
    /// A host value that JSON has no counterpart for, such as a function or raw bytes.
    Opaque,
}

/// What a node is, without its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// See [`View::Null`].
    Null,
    /// See [`View::Bool`].
    Bool,
    /// An integer or a float.
    Number,
    /// See [`View::String`].
    String,
    /// See [`View::Array`].
    Array,
    /// See [`View::Object`].
    Object,
    /// See [`View::Opaque`].
    Opaque,
}

impl View<'_> {
    /// An integer; `7.0` is 7, since there are hosts that cannot tell them apart. None for a double beyond 64 bits
    /// (whose integer nobody knows) and for everything else.
    #[must_use]
    pub fn integer(&self) -> Option<i128> {
        match self {
            Self::Integer(number) => Some(*number),
            Self::Float(number) => crate::payload::read::integral(*number)?.map(i128::from),
            _ => None,
        }
    }

    /// The shape of what is viewed.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        match self {
            Self::Null => Shape::Null,
            Self::Bool(_) => Shape::Bool,
            Self::Integer(_) | Self::BigInteger(_) | Self::Float(_) => Shape::Number,
            Self::String(_) => Shape::String,
            Self::Array => Shape::Array,
            Self::Object => Shape::Object,
            Self::Opaque => Shape::Opaque,
        }
    }
}

/// A fixed set of member names that one rule looks at.
///
/// Made by `keys!`; `names[i]` and `find` agree.
#[derive(Debug)]
pub struct Keys {
    /// A small number that tells the sets apart, so that a host can cache its own form of the names.
    pub id: usize,
    /// The names, at most [`Keys::MAX`].
    pub names: &'static [&'static str],
    /// The index of a name, if it belongs to the set.
    pub find: fn(&[u8]) -> Option<usize>,
}

impl Keys {
    /// The most names a set may have.
    pub const MAX: usize = 17;
}

/// Declares a [`Keys`] set: `keys!(pub(crate) META = 1 { "meta" => M_META, ... })` makes the static `META` and
/// one index constant per name.
macro_rules! keys {
    ($(#[$doc:meta])* $vis:vis $set:ident = $id:literal { $($name:literal => $index:ident),+ $(,)? }) => {
        $crate::host::keys!(@index 0usize; $($index)+);
        $(#[$doc])*
        $vis static $set: $crate::host::Keys = $crate::host::Keys {
            id: $id,
            names: &[$($name),+],
            #[cfg(all(feature = "small", target_family = "wasm"))]
            find: |name| $crate::host::place(&[$($name),+], name),
            #[cfg(not(all(feature = "small", target_family = "wasm")))]
            find: |name| {
                // A match on byte strings compiles to a switch on the length and a compare.
                $(const $index: &[u8] = $name.as_bytes();)+
                match name {
                    $($index => Some(self::$index),)+
                    _ => None,
                }
            },
        };
    };
    (@index $n:expr; $index:ident $($rest:ident)*) => {
        // Not every name is asked for by its place.
        #[cfg_attr(all(feature = "small", target_family = "wasm"), allow(dead_code))]
        pub(crate) const $index: usize = $n;
        $crate::host::keys!(@index $n + 1usize; $($rest)*);
    };
    (@index $n:expr;) => {};
}
pub(crate) use keys;

/// The place of a name in a list.
#[cfg(all(feature = "small", target_family = "wasm"))]
#[inline(never)]
pub(crate) fn place(names: &[&str], name: &[u8]) -> Option<usize> {
    names.iter().position(|known| known.as_bytes() == name)
}

/// The answer of a visitor: go on, stop, or the host's own error.
pub type Visit<E> = Result<ControlFlow<()>, E>;

/// A handle on one value of a host: cheap to clone, read on demand.
///
/// # Errors
///
/// Every method may fail with the host's own error (an exception raised by a Python `__getitem__`, a
/// JavaScript getter that throws, malformed JSON text). The rules pass it through unchanged.
pub trait Node: Clone {
    /// What the host's own code may raise while it is read. [`Infallible`] for plain data.
    type Error;
    /// The members of an object, as [`Node::members`] gives them.
    type Members: Members<Node = Self>;

    /// What this value is.
    fn view(&self) -> Result<View<'_>, Self::Error>;

    /// What this value is, where its content does not matter. Worth writing for a host whose view of a text
    /// costs more the longer the text is.
    fn shape(&self) -> Result<Shape, Self::Error> {
        Ok(self.view()?.shape())
    }

    /// The members of an object that belong to `keys`. An object whose keys repeat gives the last. For a
    /// value that is no object: no members.
    fn members(&self, keys: &'static Keys) -> Result<Self::Members, Self::Error>;

    /// Calls `visit` with every member of an object, once per name, in the host's order.
    fn entries(&self, visit: &mut dyn FnMut(&str, Self) -> Visit<Self::Error>) -> Result<(), Self::Error>;

    /// Calls `visit` with every item of an array, in order.
    fn items(&self, visit: &mut dyn FnMut(Self) -> Visit<Self::Error>) -> Result<(), Self::Error>;

    /// Whether this stands for a part that the host does not go into: it contains itself, or it is shared so
    /// often that walking it would never end. Its view is the text [`CUT`]. Never so for text or plain trees.
    fn is_cut(&self) -> bool {
        false
    }
}

/// The members of one object that a rule asked for. Each is read from the host at most once.
pub trait Members {
    /// The node whose members these are.
    type Node: Node;

    /// The member with this index in the [`Keys`] that was asked for.
    fn get(&self, index: usize) -> Result<Option<Self::Node>, <Self::Node as Node>::Error>;
}

/// Makes values of some kind from what was read: JSON, Python objects, JavaScript values, or nothing at all.
pub trait Build<N: Node> {
    /// What is made.
    type Value;

    /// The scalar `node` (null, boolean, number, text, opaque) as it is.
    fn scalar(&mut self, node: &N) -> Result<Self::Value, N::Error>;
    /// A text.
    fn string(&mut self, text: &str) -> Result<Self::Value, N::Error>;
    /// An array.
    fn array(&mut self, items: Vec<Self::Value>) -> Result<Self::Value, N::Error>;
    /// An object; the names are distinct.
    fn object(&mut self, members: Vec<(String, Self::Value)>) -> Result<Self::Value, N::Error>;

    /// The object that takes the place of `node`, for a host to which that makes a difference: where hardly anything has
    /// changed, a copy may cost less than an object made from nothing.
    fn object_for(&mut self, node: &N, members: Vec<(String, Self::Value)>) -> Result<Self::Value, N::Error> {
        let _ = node;
        self.object(members)
    }
}

/// Builds nothing, for rules that only want to know.
#[derive(Debug, Clone, Copy, Default)]
pub struct Discard;

impl<N: Node> Build<N> for Discard {
    type Value = ();

    fn scalar(&mut self, _: &N) -> Result<(), N::Error> {
        Ok(())
    }
    fn string(&mut self, _: &str) -> Result<(), N::Error> {
        Ok(())
    }
    fn array(&mut self, _: Vec<()>) -> Result<(), N::Error> {
        Ok(())
    }
    fn object(&mut self, _: Vec<(String, ())>) -> Result<(), N::Error> {
        Ok(())
    }
}

/// Builds [`serde_json::Value`]s.
///
/// An integer that neither `i64` nor `u64` holds becomes the nearest double; a number that no double holds,
/// and an opaque value, become null.
#[derive(Debug, Clone, Copy, Default)]
pub struct ToJson;

impl<N: Node> Build<N> for ToJson {
    type Value = Value;

    fn scalar(&mut self, node: &N) -> Result<Value, N::Error> {
        Ok(match node.view()? {
            View::Bool(b) => Value::Bool(b),
            View::Integer(i) => match (i64::try_from(i), u64::try_from(i)) {
                (Ok(i), _) => Value::from(i),
                (_, Ok(u)) => Value::from(u),
                #[allow(clippy::cast_precision_loss)] // documented: the nearest double
                _ => Value::from(i as f64),
            },
            View::BigInteger(f) | View::Float(f) => Value::from(f),
            View::String(s) => Value::String(s.into_owned()),
            View::Null | View::Array | View::Object | View::Opaque => Value::Null,
        })
    }
    fn string(&mut self, text: &str) -> Result<Value, N::Error> {
        Ok(Value::String(text.to_owned()))
    }
    fn array(&mut self, items: Vec<Value>) -> Result<Value, N::Error> {
        Ok(Value::Array(items))
    }
    fn object(&mut self, members: Vec<(String, Value)>) -> Result<Value, N::Error> {
        Ok(Value::Object(members.into_iter().collect()))
    }
}

impl<'a> Node for &'a Value {
    type Error = Infallible;
    type Members = ValueMembers<'a>;

    fn view(&self) -> Result<View<'_>, Infallible> {
        Ok(match *self {
            Value::Null => View::Null,
            Value::Bool(b) => View::Bool(*b),
            Value::Number(n) => number_view(n),
            Value::String(s) => View::String(Cow::Borrowed(s)),
            Value::Array(_) => View::Array,
            Value::Object(_) => View::Object,
        })
    }

    fn members(&self, keys: &'static Keys) -> Result<ValueMembers<'a>, Infallible> {
        let mut members = ValueMembers::NONE;
        members.find(self, keys);
        Ok(members)
    }

    fn entries(&self, visit: &mut dyn FnMut(&str, Self) -> Visit<Infallible>) -> Result<(), Infallible> {
        if let Value::Object(map) = *self {
            for (key, value) in map {
                if visit(key, value)?.is_break() {
                    break;
                }
            }
        }
        Ok(())
    }

    fn items(&self, visit: &mut dyn FnMut(Self) -> Visit<Infallible>) -> Result<(), Infallible> {
        if let Value::Array(items) = *self {
            for item in items {
                if visit(item)?.is_break() {
                    break;
                }
            }
        }
        Ok(())
    }
}

/// Whether a float is an integer.
pub(crate) fn is_integral(float: f64) -> bool {
    // From 2^53 on there are no fractions; below, an i64 holds the integer part exactly.
    const ALL: f64 = 9_007_199_254_740_992.0;
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::float_cmp)] // as said
    let is_whole = float.is_finite() && (float.abs() >= ALL || (float as i64) as f64 == float);
    is_whole
}

fn number_view(number: &crate::value::Number) -> View<'static> {
    if let Some(i) = number.as_i64() {
        View::Integer(i.into())
    } else if let Some(u) = number.as_u64() {
        View::Integer(u.into())
    } else {
        // With serde_json's `arbitrary_precision` a number may be any text; as_f64 reads what it can.
        View::Float(number.as_f64().unwrap_or(f64::INFINITY))
    }
}

/// The members of a [`serde_json::Value`].
#[derive(Debug, Clone, Copy)]
pub enum ValueMembers<'a> {
    /// What a small object has of the names that were asked for.
    Found([Option<&'a Value>; Keys::MAX]),
    /// A large object, looked into by name.
    Map(&'a crate::value::Map<String, Value>, &'static Keys),
}

impl<'a> ValueMembers<'a> {
    /// None that have been found.
    pub(crate) const NONE: Self = Self::Found([None; Keys::MAX]);

    /// Finds the members of a value, and puts them where they are wanted: to move them costs more than to find them.
    #[inline]
    pub(crate) fn find(&mut self, value: &'a Value, keys: &'static Keys) {
        // Going through the few members of an ordinary payload once is cheaper than looking up each name.
        const FEW: usize = 8;
        let Some(map) = value.as_object() else { return };
        if map.len() > FEW {
            *self = Self::Map(map, keys);
            return;
        }
        let Self::Found(found) = self else { return };
        for (name, value) in map {
            if let Some(slot) = (keys.find)(name.as_bytes()).and_then(|index| found.get_mut(index)) {
                *slot = Some(value);
            }
        }
    }
}

impl<'a> Members for ValueMembers<'a> {
    type Node = &'a Value;

    #[inline]
    fn get(&self, index: usize) -> Result<Option<&'a Value>, Infallible> {
        Ok(match self {
            Self::Found(found) => found.get(index).copied().flatten(),
            Self::Map(map, keys) => keys.names.get(index).and_then(|&name| map.get(name)),
        })
    }
}

/// What stands in the place of a part that was nested too deeply to be handed out.
pub const CUT: &str = "[truncated]";

/// The most values that one copy has. A host's objects may refer to each other, and a few of them that do unfold
/// into more values than there is time for.
pub const MAX_VALUES: usize = 1 << 20;

/// Copies a value with a builder. Containers below `depth` levels are replaced by [`CUT`], and so is what comes
/// after [`MAX_VALUES`] values; the flag says whether either happened.
///
/// # Errors
///
/// The host's own error.
pub fn copy<N: Node, B: Build<N>>(
    node: &N,
    build: &mut B,
    depth: usize,
) -> Result<(B::Value, bool), N::Error> {
    let mut cut = false;
    let value = made(build, |sink| {
        cut = copy_to(node, sink, depth)?;
        Ok(())
    })?;
    Ok((value, cut))
}

/// Whether a copy would be cut.
pub(crate) fn is_too_deep<N: Node>(node: &N, depth: usize) -> Result<bool, N::Error> {
    copy_to(node, &mut Nothing, depth)
}

fn copy_to<N: Node>(node: &N, to: &mut dyn Sink<N>, depth: usize) -> Result<bool, N::Error> {
    let mut room = Room { values: MAX_VALUES, cut: false };
    copy_below(node, to, depth, &mut room)?;
    Ok(room.cut)
}

/// What a copy may still take, and whether that was too little.
struct Room {
    values: usize,
    cut: bool,
}

fn copy_below<N: Node>(
    node: &N,
    to: &mut dyn Sink<N>,
    depth: usize,
    room: &mut Room,
) -> Result<(), N::Error> {
    room.values = room.values.saturating_sub(1);
    if node.is_cut() {
        room.cut = true;
        return to.string(CUT);
    }
    let is_array = match node.shape()? {
        Shape::Array => true,
        Shape::Object => false,
        _ => return to.scalar(node),
    };
    let Some(below) = depth.checked_sub(1) else {
        room.cut = true;
        return to.string(CUT);
    };
    to.begin();
    if is_array {
        node.items(&mut |item| {
            if room.values == 0 {
                room.cut = true;
                to.string(CUT)?;
                return Ok(ControlFlow::Break(()));
            }
            copy_below(&item, to, below, room)?;
            Ok(ControlFlow::Continue(()))
        })?;
        return to.end_array();
    }
    node.entries(&mut |key, value| {
        to.name(key.to_owned(), false);
        if room.values == 0 {
            room.cut = true;
            to.string(CUT)?;
        } else {
            copy_below(&value, to, below, room)?;
        }
        Ok(if room.cut && room.values == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    to.end_object(node)
}

/// Takes a value bit by bit, whatever is made of it: a walk is compiled once for a host, not once more for each
/// of its builders.
pub(crate) trait Sink<N: Node> {
    /// A scalar as it is, where a value may stand.
    fn scalar(&mut self, node: &N) -> Result<(), N::Error>;
    /// A text.
    fn string(&mut self, text: &str) -> Result<(), N::Error>;
    /// The beginning of an array or an object; values follow up to its end.
    fn begin(&mut self);
    /// The name of the next value in an object. `distinct`: if another has it, a number is added.
    fn name(&mut self, name: String, distinct: bool);
    /// The end of the array that was begun last.
    fn end_array(&mut self) -> Result<(), N::Error>;
    /// The end of the object that was begun last, in the place of `node`.
    fn end_object(&mut self, node: &N) -> Result<(), N::Error>;
}

/// Makes nothing.
pub(crate) struct Nothing;

impl<N: Node> Sink<N> for Nothing {
    fn scalar(&mut self, _: &N) -> Result<(), N::Error> {
        Ok(())
    }
    fn string(&mut self, _: &str) -> Result<(), N::Error> {
        Ok(())
    }
    fn begin(&mut self) {}
    fn name(&mut self, _: String, _: bool) {}
    fn end_array(&mut self) -> Result<(), N::Error> {
        Ok(())
    }
    fn end_object(&mut self, _: &N) -> Result<(), N::Error> {
        Ok(())
    }
}

/// What is being made with a builder.
struct Making<'b, B, V> {
    build: &'b mut B,
    open: Vec<Open<V>>,
    /// The whole, once it is made.
    made: Option<V>,
}

/// A container that is being made.
struct Open<V> {
    items: Vec<V>,
    members: Vec<(String, V)>,
    /// The name of the value that comes next.
    name: Option<String>,
    /// The members' names, where they have to be distinct.
    known: Known,
}

impl<V> Open<V> {
    fn add(&mut self, value: V) {
        match self.name.take() {
            Some(name) => self.members.push((name, value)),
            None => self.items.push(value),
        }
    }

    fn name(&mut self, name: String, distinct: bool) {
        let members = &self.members;
        let names = |place: usize| members.get(place).map_or("", |(name, _)| name.as_str());
        self.name = Some(if distinct { self.known.distinct(name, members.len(), &names) } else { name });
    }
}

/// The places of names in the order of the names, in runs each of which is shorter than the one before.
#[derive(Default)]
struct Known {
    runs: Vec<Vec<usize>>,
    /// How many places there are in the runs.
    count: usize,
}

impl Known {
    /// The name, or if one of the first `count` is the same something else in its place.
    #[inline(never)]
    fn distinct<'n>(&mut self, mut name: String, count: usize, names: &dyn Fn(usize) -> &'n str) -> String {
        // Few names are compared, many are looked up.
        const FEW: usize = 16;
        let mut number = 1;
        while if count < FEW {
            (0..count).any(|place| names(place) == name)
        } else {
            self.is_known(&name, count, names)
        } {
            number += 1;
            name = format!("{} ({number})", crate::scrub::REDACTED);
            // Thousands of secret keys: counting on from the number of names keeps this short.
            number = number.max(count);
        }
        name
    }

    fn is_known<'n>(&mut self, name: &str, count: usize, names: &dyn Fn(usize) -> &'n str) -> bool {
        while self.count < count {
            let mut run = vec![self.count];
            self.count += 1;
            // Two of a length become one, so that there are few of them and no name is sorted often.
            while let Some(mut both) = self.runs.pop_if(|last| last.len() == run.len()) {
                both.append(&mut run);
                let place = |at: usize| both.get(at).copied().unwrap_or_default();
                let sorted = order(both.len(), &|a, b| names(place(a)).cmp(names(place(b))));
                run = sorted.into_iter().map(place).collect();
            }
            self.runs.push(run);
        }
        self.runs.iter().any(|run| run.binary_search_by(|place| names(*place).cmp(name)).is_ok())
    }
}

impl<B, V> Making<'_, B, V> {
    #[inline]
    fn add(&mut self, value: V) {
        match self.open.last_mut() {
            Some(open) => open.add(value),
            None => self.made = Some(value),
        }
    }
}

impl<N: Node, B: Build<N>> Sink<N> for Making<'_, B, B::Value> {
    fn scalar(&mut self, node: &N) -> Result<(), N::Error> {
        let value = self.build.scalar(node)?;
        self.add(value);
        Ok(())
    }
    fn string(&mut self, text: &str) -> Result<(), N::Error> {
        let value = self.build.string(text)?;
        self.add(value);
        Ok(())
    }
    fn begin(&mut self) {
        let (items, members) = (Vec::new(), Vec::new());
        self.open.push(Open { items, members, name: None, known: Known::default() });
    }
    fn name(&mut self, name: String, distinct: bool) {
        if let Some(open) = self.open.last_mut() {
            open.name(name, distinct);
        }
    }
    fn end_array(&mut self) -> Result<(), N::Error> {
        let items = self.open.pop().map(|open| open.items).unwrap_or_default();
        let value = self.build.array(items)?;
        self.add(value);
        Ok(())
    }
    fn end_object(&mut self, node: &N) -> Result<(), N::Error> {
        let members = self.open.pop().map(|open| open.members).unwrap_or_default();
        let value = self.build.object_for(node, members)?;
        self.add(value);
        Ok(())
    }
}

/// What a builder makes of the one value that `tell` tells.
pub(crate) fn made<N: Node, B: Build<N>>(
    build: &mut B,
    tell: impl FnOnce(&mut dyn Sink<N>) -> Result<(), N::Error>,
) -> Result<B::Value, N::Error> {
    let mut making = Making { build, open: Vec::new(), made: None };
    tell(&mut making)?;
    let Making { build, made, .. } = making;
    match made {
        Some(value) => Ok(value),
        None => build.string(CUT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An array that holds itself, twice.
    #[derive(Clone)]
    struct Twice;

    impl Node for Twice {
        type Error = Infallible;
        type Members = Self;

        fn view(&self) -> Result<View<'_>, Infallible> {
            Ok(View::Array)
        }
        fn members(&self, _: &'static Keys) -> Result<Self, Infallible> {
            Ok(Self)
        }
        fn entries(&self, _: &mut dyn FnMut(&str, Self) -> Visit<Infallible>) -> Result<(), Infallible> {
            Ok(())
        }
        fn items(&self, visit: &mut dyn FnMut(Self) -> Visit<Infallible>) -> Result<(), Infallible> {
            for _ in 0..2 {
                if visit(Self)?.is_break() {
                    break;
                }
            }
            Ok(())
        }
    }

    impl Members for Twice {
        type Node = Self;

        fn get(&self, _: usize) -> Result<Option<Self>, Infallible> {
            Ok(None)
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "a million values")]
    fn what_unfolds_without_end_is_cut() {
        let Ok(((), cut)) = copy(&Twice, &mut Discard, 64);
        assert!(cut);
    }

    #[test]
    fn what_fits_is_whole() {
        let value = serde_json::json!({"a": [1, {"b": null}], "c": "d"});
        let Ok((copied, cut)) = copy(&&value, &mut ToJson, 64);
        assert_eq!((copied, cut), (value, false));
    }
}
