//! Python objects as a host of the core: read where they lie, on demand.
//!
//! dict, list and tuple (and what derives from them) are read from their own storage, which runs no code of
//! theirs. Mappings, Sequences, pydantic models and dataclasses are asked for each member once; what they
//! answered is kept for as long as the classified payload lives.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ackguard::host::{CUT, Keys, Members, Node, Shape, View, Visit};
use pyo3::exceptions::{PyAttributeError, PyKeyError, PyTypeError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::sync::critical_section::with_critical_section;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyIterator, PyList, PyMemoryView, PyString,
    PyTuple, PyType,
};

use crate::text;

/// A handle on one Python object, for as long as a call lasts.
#[derive(Clone)]
pub(crate) struct PyNode<'a> {
    object: Bound<'a, PyAny>,
    seen: Seen,
    memo: &'a Memo,
}

/// What an object was seen to be.
#[derive(Clone)]
enum Seen {
    Null,
    Bool(bool),
    Integer(i64),
    /// Beyond `i64`; boxed because it is rare and large.
    Wide(Box<i128>),
    Big(f64),
    Float(f64),
    Text,
    Dict,
    List,
    Tuple,
    Mapping(Arc<Asked>),
    Sequence(Arc<Asked>),
    Opaque,
    Cut,
}

/// The objects of one payload that run code of their own when they are read, by identity: whoever comes to
/// one of them on another way finds what it has answered already.
///
/// It lives as long as the payload's verdict, so that nothing is asked for twice.
#[derive(Default)]
pub(crate) struct Memo(Mutex<Vec<Arc<Asked>>>);

impl Memo {
    /// Shows the objects that are kept here to the garbage collector. What another thread is busy with is left out,
    /// and so taken to be in use.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        let Ok(all) = self.0.try_lock() else { return Ok(()) };
        for asked in all.iter() {
            visit.call(&asked.object)?;
            if let AskedKind::Record(fields) = &asked.kind {
                for (_, field) in fields {
                    if let Field::Value(value) = field {
                        visit.call(value)?;
                    }
                }
            }
            let Ok(answers) = asked.answers.try_lock() else { continue };
            for value in answers.values.values() {
                visit.call(value)?;
            }
            for item in &answers.walked {
                visit.call(item)?;
            }
            visit.call(&answers.iterator)?;
        }
        Ok(())
    }
}

/// An object that is asked for its members, and what it answered.
struct Asked {
    object: Py<PyAny>,
    kind: AskedKind,
    answers: Mutex<Answers>,
}

enum AskedKind {
    Mapping,
    Sequence,
    /// The wire name of each field, and where its value is.
    Record(Vec<(String, Field)>),
}

enum Field {
    /// Read with `getattr` when it is asked for.
    Attribute(Py<PyString>),
    /// Already there.
    Value(Py<PyAny>),
}

#[derive(Default)]
struct Answers {
    values: HashMap<String, Option<Py<PyAny>>>,
    /// The keys of a mapping or the items of a sequence, as far as it has been walked.
    walked: Vec<Py<PyAny>>,
    iterator: Option<Py<PyIterator>>,
    done: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing here is left half done by a panic.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// More members than this are not walked in one go: a few objects that share each other can stand for more
/// nodes than there are atoms.
const MOST_NODES: usize = 1 << 21;

thread_local! {
    static WALK: RefCell<Walk> = const { RefCell::new(Walk { path: Vec::new(), nodes: 0 }) };
}

/// The containers that this thread is inside of.
struct Walk {
    path: Vec<usize>,
    nodes: usize,
}

struct Inside;

impl Inside {
    fn of(object: &Bound<'_, PyAny>) -> Self {
        WALK.with_borrow_mut(|walk| {
            if walk.path.is_empty() {
                walk.nodes = 0;
            }
            walk.path.push(object.as_ptr().addr());
        });
        Self
    }

    /// One more member; false if there have been too many.
    fn step() -> bool {
        WALK.with_borrow_mut(|walk| {
            walk.nodes += 1;
            walk.nodes <= MOST_NODES
        })
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        WALK.with_borrow_mut(|walk| walk.path.pop());
    }
}

fn is_endless(object: &Bound<'_, PyAny>) -> bool {
    WALK.with_borrow(|walk| {
        !walk.path.is_empty() && (walk.nodes > MOST_NODES || walk.path.contains(&object.as_ptr().addr()))
    })
}

impl<'a> PyNode<'a> {
    /// The value that a caller gave.
    pub(crate) fn root(object: &Bound<'a, PyAny>, memo: &'a Memo) -> PyResult<Self> {
        Self::read(object.clone(), memo)
    }

    #[inline]
    fn child(object: Bound<'a, PyAny>, memo: &'a Memo) -> PyResult<Self> {
        // What most members are, apart: no container, so nothing to be cut.
        if object.is_exact_instance_of::<PyString>() {
            return Ok(Self { object, seen: Seen::Text, memo });
        }
        if object.is_exact_instance_of::<PyInt>()
            && let Ok(integer) = object.extract()
        {
            return Ok(Self { object, seen: Seen::Integer(integer), memo });
        }
        Self::child_other(object, memo)
    }

    #[inline(never)]
    fn child_other(object: Bound<'a, PyAny>, memo: &'a Memo) -> PyResult<Self> {
        let mut node = Self::read(object, memo)?;
        if matches!(node.seen, Seen::Dict | Seen::List | Seen::Tuple | Seen::Mapping(_) | Seen::Sequence(_))
            && is_endless(&node.object)
        {
            node.seen = Seen::Cut;
        }
        Ok(node)
    }

    pub(crate) fn object(&self) -> &Bound<'a, PyAny> {
        &self.object
    }

    #[inline]
    fn read(object: Bound<'a, PyAny>, memo: &'a Memo) -> PyResult<Self> {
        let seen = if object.is_exact_instance_of::<PyString>() {
            Seen::Text
        } else if object.is_exact_instance_of::<PyInt>() {
            integer(&object)?
        } else if object.is_exact_instance_of::<PyDict>() {
            Seen::Dict
        } else if object.is_none() {
            Seen::Null
        } else if object.is_exact_instance_of::<PyList>() {
            Seen::List
        } else if let Ok(it) = object.cast::<PyBool>() {
            Seen::Bool(it.is_true())
        } else {
            return Self::read_other(object, memo);
        };
        Ok(Self { object, seen, memo })
    }

    #[inline(never)]
    fn read_other(object: Bound<'a, PyAny>, memo: &'a Memo) -> PyResult<Self> {
        let seen = if let Ok(it) = object.cast::<PyFloat>() {
            Seen::Float(it.value())
        } else if object.is_instance_of::<PyString>() {
            Seen::Text
        } else if object.is_instance_of::<PyDict>() {
            Seen::Dict
        } else if object.is_instance_of::<PyList>() {
            Seen::List
        } else if object.is_instance_of::<PyTuple>() {
            Seen::Tuple
        } else if object.is_instance_of::<PyInt>() {
            integer(&object)?
        } else if object.is_instance_of::<PyBytes>()
            || object.is_instance_of::<PyByteArray>()
            || object.is_instance_of::<PyMemoryView>()
            || object.is_instance_of::<PyType>()
        {
            Seen::Opaque
        } else {
            return Self::read_asked(object, memo);
        };
        Ok(Self { object, seen, memo })
    }

    /// Everything that is none of JSON's own types.
    fn read_asked(object: Bound<'a, PyAny>, memo: &'a Memo) -> PyResult<Self> {
        let known = lock(&memo.0).iter().find(|asked| asked.object.is(&object)).cloned();
        let asked = match known {
            Some(asked) => asked,
            None => {
                let kind = match kind_of(&object)? {
                    Found::Kind(kind) => kind,
                    Found::StandsFor(root) => return Self::read(root, memo),
                    Found::Nothing => return Ok(Self { object, seen: Seen::Opaque, memo }),
                };
                let asked =
                    Arc::new(Asked { object: object.clone().unbind(), kind, answers: Mutex::default() });
                lock(&memo.0).push(Arc::clone(&asked));
                asked
            }
        };
        let seen = match asked.kind {
            AskedKind::Sequence => Seen::Sequence(asked),
            AskedKind::Mapping | AskedKind::Record(_) => Seen::Mapping(asked),
        };
        Ok(Self { object, seen, memo })
    }

    /// The text of a str, with lone surrogates as U+FFFD.
    fn text(&self) -> Cow<'_, str> {
        match self.object.cast::<PyString>() {
            Ok(text) => match text.to_str() {
                Ok(text) => Cow::Borrowed(text),
                Err(_) => Cow::Owned(text::lossy(text)),
            },
            Err(_) => Cow::Borrowed(""),
        }
    }
}

/// An int or what derives from it, read without its own methods.
fn integer(object: &Bound<'_, PyAny>) -> PyResult<Seen> {
    if let Ok(integer) = object.extract::<i64>() {
        return Ok(Seen::Integer(integer));
    }
    let py = object.py();
    // The plain int of the same value: what follows would call the methods of a class that derives from it.
    let plain = py.get_type::<PyInt>().call_method1("__index__", (object,))?;
    if let Ok(integer) = plain.extract::<i128>() {
        return Ok(Seen::Wide(Box::new(integer)));
    }
    if let Ok(float) = plain.extract::<f64>() {
        return Ok(Seen::Big(float));
    }
    Ok(Seen::Big(if plain.lt(0)? { f64::NEG_INFINITY } else { f64::INFINITY }))
}

enum Found<'py> {
    Kind(AskedKind),
    /// A wrapper around another value, such as a pydantic `RootModel`.
    StandsFor(Bound<'py, PyAny>),
    Nothing,
}

/// `collections.abc.Mapping` and `Sequence`, which every interpreter has loaded.
fn abstract_types(py: Python<'_>) -> PyResult<&(Py<PyAny>, Py<PyAny>)> {
    static TYPES: PyOnceLock<(Py<PyAny>, Py<PyAny>)> = PyOnceLock::new();
    TYPES.get_or_try_init(py, || {
        let module = py.import("_collections_abc")?;
        Ok((module.getattr("Mapping")?.unbind(), module.getattr("Sequence")?.unbind()))
    })
}

fn kind_of<'py>(object: &Bound<'py, PyAny>) -> PyResult<Found<'py>> {
    let py = object.py();
    // The real type: an object may lie about its `__class__`.
    let class = object.get_type();
    let (mapping, sequence) = abstract_types(py)?;
    if class.is_subclass(mapping.bind(py))? {
        return Ok(Found::Kind(AskedKind::Mapping));
    }
    if class.is_subclass(sequence.bind(py))? {
        return Ok(Found::Kind(AskedKind::Sequence));
    }
    if let Some(found) = pydantic_model(object, &class)? {
        return Ok(found);
    }
    if let Some(fields) = attribute(class.as_any(), "__dataclass_fields__")?
        && let Ok(fields) = fields.cast::<PyDict>()
    {
        return Ok(Found::Kind(AskedKind::Record(dataclass_fields(fields)?)));
    }
    Ok(Found::Nothing)
}

fn attribute<'py>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    match object.getattr(name) {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is_instance_of::<PyAttributeError>(object.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

fn dataclass_fields(fields: &Bound<'_, PyDict>) -> PyResult<Vec<(String, Field)>> {
    let mut found = Vec::new();
    for item in fields.items() {
        let (name, field) = item.extract::<(Bound<'_, PyString>, Bound<'_, PyAny>)>()?;
        // Class variables and init-only arguments are listed there too.
        let kind = attribute(&field, "_field_type")?;
        let kind = kind.map(|kind| attribute(&kind, "name")).transpose()?.flatten();
        if kind.is_some_and(|kind| kind.extract::<String>().is_ok_and(|kind| kind == "_FIELD")) {
            found.push((text::lossy(&name), Field::Attribute(name.unbind())));
        }
    }
    Ok(found)
}

/// A pydantic model, of version 2 or 1, recognized by what it has; pydantic is not imported.
fn pydantic_model<'py>(
    object: &Bound<'py, PyAny>,
    class: &Bound<'py, PyType>,
) -> PyResult<Option<Found<'py>>> {
    let class = class.as_any();
    let fields = if attribute(class, "__pydantic_validator__")?.is_some() {
        attribute(class, "model_fields")?
    } else if attribute(class, "__config__")?.is_some() {
        attribute(class, "__fields__")?
    } else {
        None
    };
    let (Some(fields), Some(values)) = (fields, attribute(object, "__dict__")?) else { return Ok(None) };
    let (Ok(fields), Ok(values)) = (fields.cast::<PyDict>(), values.cast::<PyDict>()) else {
        return Ok(None);
    };
    if let Some(is_root) = attribute(class, "__pydantic_root_model__")?
        && is_root.cast::<PyBool>().is_ok_and(|it| it.is_true())
        && let Some(root) = values.get_item("root")?
    {
        return Ok(Some(Found::StandsFor(root)));
    }
    let mut found = Vec::new();
    for item in fields.items() {
        let (name, field) = item.extract::<(Bound<'_, PyString>, Bound<'_, PyAny>)>()?;
        let Some(value) = values.get_item(&name)? else { continue };
        let mut wire = None;
        for alias in ["serialization_alias", "alias"] {
            if let Some(alias) = attribute(&field, alias)?
                && let Ok(alias) = alias.cast::<PyString>()
            {
                wire = Some(text::lossy(alias));
                break;
            }
        }
        found.push((wire.unwrap_or_else(|| text::lossy(&name)), Field::Value(value.unbind())));
    }
    if let Some(extra) = attribute(object, "__pydantic_extra__")?
        && let Ok(extra) = extra.cast::<PyDict>()
    {
        for item in extra.items() {
            let (name, value) = item.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
            if let Some(name) = key_text(&name)? {
                found.push((name.into_owned(), Field::Value(value.unbind())));
            }
        }
    }
    Ok(Some(Found::Kind(AskedKind::Record(found))))
}

/// A key as JSON would write it; `None` for one that JSON has no form for.
fn key_text<'k>(key: &'k Bound<'_, PyAny>) -> PyResult<Option<Cow<'k, str>>> {
    if let Ok(text) = key.cast::<PyString>() {
        return Ok(Some(match text.to_str() {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(text::lossy(text)),
        }));
    }
    Ok(if let Ok(it) = key.cast::<PyBool>() {
        Some(Cow::Borrowed(if it.is_true() { "true" } else { "false" }))
    } else if key.is_none() {
        Some(Cow::Borrowed("null"))
    } else if key.is_exact_instance_of::<PyInt>() || key.is_exact_instance_of::<PyFloat>() {
        // An int of more digits than Python likes to write has no form.
        key.str().ok().map(|text| Cow::Owned(text::lossy(&text)))
    } else {
        None
    })
}

impl Asked {
    /// The member of this name, asked for once.
    fn value(&self, py: Python<'_>, name: &str, key: &Bound<'_, PyAny>) -> PyResult<Option<Py<PyAny>>> {
        if let Some(known) = lock(&self.answers).values.get(name) {
            return Ok(known.as_ref().map(|it| it.clone_ref(py)));
        }
        let object = self.object.bind(py);
        // The lock is not held: this runs the object's own code.
        let answer = match &self.kind {
            AskedKind::Sequence => None,
            AskedKind::Mapping => match object.get_item(key) {
                Ok(value) => Some(value.unbind()),
                Err(error) if error.is_instance_of::<PyKeyError>(py) => None,
                Err(error) => return Err(error),
            },
            AskedKind::Record(fields) => {
                let value = match fields.iter().find(|(wire, _)| wire == name) {
                    Some((_, Field::Value(value))) => Some(value.clone_ref(py)),
                    Some((_, Field::Attribute(name))) => match object.getattr(name) {
                        Ok(value) => Some(value.unbind()),
                        Err(error) if error.is_instance_of::<PyAttributeError>(py) => None,
                        Err(error) => return Err(error),
                    },
                    None => None,
                };
                // A field that holds None has not been set: on the wire it would not be there.
                value.filter(|value| !value.is_none(py))
            }
        };
        let mut answers = lock(&self.answers);
        let kept = answers.values.entry(name.to_owned()).or_insert(answer);
        Ok(kept.as_ref().map(|it| it.clone_ref(py)))
    }

    /// The key or item at `index`.
    fn walked(&self, py: Python<'_>, index: usize) -> PyResult<Option<Py<PyAny>>> {
        let iterator = {
            let answers = lock(&self.answers);
            if let Some(known) = answers.walked.get(index) {
                return Ok(Some(known.clone_ref(py)));
            }
            if answers.done {
                return Ok(None);
            }
            answers.iterator.as_ref().map(|it| it.clone_ref(py))
        };
        let iterator = match iterator {
            Some(iterator) => iterator,
            None => {
                let iterator = self.object.bind(py).try_iter()?.unbind();
                lock(&self.answers).iterator.get_or_insert(iterator).clone_ref(py)
            }
        };
        let next = iterator.bind(py).clone().next().transpose()?;
        let mut answers = lock(&self.answers);
        match next {
            Some(next) => answers.walked.push(next.unbind()),
            None => {
                answers.done = true;
                answers.iterator = None;
            }
        }
        Ok(answers.walked.get(index).map(|it| it.clone_ref(py)))
    }
}

/// The interned form of the names.
#[inline]
fn names<'py>(py: Python<'py>, keys: &'static Keys) -> &'py [Py<PyString>] {
    static NAMES: [PyOnceLock<Box<[Py<PyString>]>>; 128] = [const { PyOnceLock::new() }; 128];
    let make = || keys.names.iter().map(|name| PyString::intern(py, name).unbind()).collect();
    NAMES.get(keys.id).map_or(&[], |cell| cell.get_or_init(py, make))
}

impl<'a> Node for PyNode<'a> {
    type Error = PyErr;
    type Members = PyMembers<'a>;

    fn view(&self) -> PyResult<View<'_>> {
        Ok(match &self.seen {
            Seen::Null => View::Null,
            Seen::Bool(it) => View::Bool(*it),
            Seen::Integer(it) => View::Integer((*it).into()),
            Seen::Wide(it) => View::Integer(**it),
            Seen::Big(it) => View::BigInteger(*it),
            Seen::Float(it) => View::Float(*it),
            Seen::Text => View::String(self.text()),
            Seen::List | Seen::Tuple | Seen::Sequence(_) => View::Array,
            Seen::Dict | Seen::Mapping(_) => View::Object,
            Seen::Opaque => View::Opaque,
            Seen::Cut => View::String(Cow::Borrowed(CUT)),
        })
    }

    fn shape(&self) -> PyResult<Shape> {
        Ok(match &self.seen {
            Seen::Null => Shape::Null,
            Seen::Bool(_) => Shape::Bool,
            Seen::Integer(_) | Seen::Wide(_) | Seen::Big(_) | Seen::Float(_) => Shape::Number,
            Seen::Text | Seen::Cut => Shape::String,
            Seen::List | Seen::Tuple | Seen::Sequence(_) => Shape::Array,
            Seen::Dict | Seen::Mapping(_) => Shape::Object,
            Seen::Opaque => Shape::Opaque,
        })
    }

    fn members(&self, keys: &'static Keys) -> PyResult<PyMembers<'a>> {
        let source = match &self.seen {
            Seen::Dict => match self.object.cast::<PyDict>() {
                Ok(dict) => Source::Dict(dict.clone(), names(dict.py(), keys)),
                Err(_) => Source::Nothing,
            },
            Seen::Mapping(asked) => Source::Asked(Arc::clone(asked), self.object.py()),
            _ => Source::Nothing,
        };
        Ok(PyMembers { source, keys, memo: self.memo })
    }

    fn entries(&self, visit: &mut dyn FnMut(&str, Self) -> Visit<PyErr>) -> PyResult<()> {
        let py = self.object.py();
        match &self.seen {
            Seen::Dict => {
                let Ok(dict) = self.object.cast::<PyDict>() else { return Ok(()) };
                let _inside = Inside::of(&self.object);
                // A copy, made without running any code: whatever runs while we look may change the dict.
                let members: Vec<_> = with_critical_section(dict, || dict.iter().collect());
                for (key, value) in members {
                    let Some(key) = key_text(&key)? else { continue };
                    if !Inside::step() || visit(&key, Self::child(value, self.memo)?)?.is_break() {
                        break;
                    }
                }
                Ok(())
            }
            Seen::Mapping(asked) => {
                let _inside = Inside::of(&self.object);
                let mut index = 0;
                loop {
                    let (name, key) = match &asked.kind {
                        AskedKind::Record(fields) => match fields.get(index) {
                            Some((wire, _)) => (Some(Cow::Owned(wire.clone())), py.None()),
                            None => break,
                        },
                        _ => match asked.walked(py, index)? {
                            Some(key) => (key_text(key.bind(py))?.map(|it| Cow::Owned(it.into_owned())), key),
                            None => break,
                        },
                    };
                    index += 1;
                    if !Inside::step() {
                        break;
                    }
                    let Some(name) = name else { continue };
                    let Some(value) = asked.value(py, &name, key.bind(py))? else { continue };
                    if visit(&name, Self::child(value.into_bound(py), self.memo)?)?.is_break() {
                        break;
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn items(&self, visit: &mut dyn FnMut(Self) -> Visit<PyErr>) -> PyResult<()> {
        let (py, object) = (self.object.py(), &self.object);
        if !matches!(self.seen, Seen::List | Seen::Tuple | Seen::Sequence(_)) {
            return Ok(());
        }
        let _inside = Inside::of(object);
        for index in 0.. {
            // By index, each time anew: whatever runs while we look may change the list, and without a GIL another
            // thread may do so between its length and its item. Past the end is the only way to fail.
            let item = match &self.seen {
                Seen::List => match object.cast::<PyList>() {
                    Ok(list) if index < list.len() => list.get_item(index).ok(),
                    _ => None,
                },
                Seen::Tuple => match object.cast::<PyTuple>() {
                    Ok(tuple) if index < tuple.len() => Some(tuple.get_item(index)?),
                    _ => None,
                },
                Seen::Sequence(asked) => asked.walked(py, index)?.map(|item| item.into_bound(py)),
                _ => None,
            };
            let Some(item) = item else { break };
            if !Inside::step() || visit(Self::child(item, self.memo)?)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    fn is_cut(&self) -> bool {
        matches!(self.seen, Seen::Cut)
    }
}

/// The members of one object that a rule asked for.
pub(crate) struct PyMembers<'a> {
    source: Source<'a>,
    keys: &'static Keys,
    memo: &'a Memo,
}

enum Source<'a> {
    /// With the interned form of the names.
    Dict(Bound<'a, PyDict>, &'a [Py<PyString>]),
    Asked(Arc<Asked>, Python<'a>),
    Nothing,
}

impl<'a> Members for PyMembers<'a> {
    type Node = PyNode<'a>;

    #[inline]
    fn get(&self, index: usize) -> PyResult<Option<PyNode<'a>>> {
        let Source::Dict(dict, names) = &self.source else { return self.ask(index) };
        let Some(name) = names.get(index) else { return Ok(None) };
        match dict.get_item(name)? {
            Some(value) => PyNode::child(value, self.memo).map(Some),
            None => Ok(None),
        }
    }
}

impl<'a> PyMembers<'a> {
    #[inline(never)]
    fn ask(&self, index: usize) -> PyResult<Option<PyNode<'a>>> {
        let Source::Asked(asked, py) = &self.source else { return Ok(None) };
        let (Some(name), Some(text)) = (names(*py, self.keys).get(index), self.keys.names.get(index)) else {
            return Ok(None);
        };
        match asked.value(*py, text, name.bind(*py).as_any())? {
            Some(value) => PyNode::child(value.into_bound(*py), self.memo).map(Some),
            None => Ok(None),
        }
    }
}

/// The items of a list of arguments, which has to be one.
pub(crate) fn arguments<'a>(args: &Bound<'a, PyAny>, memo: &'a Memo) -> PyResult<Vec<PyNode<'a>>> {
    let node = PyNode::root(args, memo)?;
    if node.shape()? != Shape::Array {
        let class = args.get_type().qualname()?;
        return Err(PyTypeError::new_err(format!("argument 'args': expected a list or tuple, not {class}")));
    }
    let mut items = Vec::new();
    // No rule looks at more than the first three.
    node.items(&mut |item| {
        items.push(item);
        Ok(if items.len() < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    })?;
    Ok(items)
}
