//! The walk through a value: keys, what lies under them, and what their neighbours say.

use alloc::borrow::Cow;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::fold::Fold;
use super::words::{self, Label, Words};
use super::{Action, Category, Finding, Limits, REDACTED, Rules, TRUNCATED, details, engine, scan, values};
use crate::host::{Node, Sink, View};
use crate::search;

/// How many findings are kept. What is found beyond them is taken out all the same.
const FINDINGS: usize = 1000;
/// How often a text is scrubbed again because taking something out brought something else together.
const PASSES: usize = 4;
/// The most words that a key may have; what has more is a sentence.
const KEY_WORDS: usize = 8;

/// How much room is made for a path at first, in bytes.
const PATH: usize = 64;

/// The state of one scrub.
pub(super) struct Walker {
    rules: Rules,
    /// What is left of the bound on text.
    left: usize,
    path: String,
    /// Inside JSON that stands in a string: the path stays the string's.
    inside: bool,
    found: usize,
    findings: Vec<Finding>,
}

impl Walker {
    pub(super) fn new(rules: Rules, limits: Limits) -> Self {
        Self {
            rules,
            #[allow(clippy::unnecessary_min_or_max)] // where an address has more than 32 bits it is one
            left: limits.text.min(Fold::MOST),
            path: String::new(),
            inside: false,
            found: 0,
            findings: Vec::new(),
        }
    }

    pub(super) const fn rules(&self) -> Rules {
        self.rules
    }

    pub(super) const fn count(&self) -> usize {
        self.found
    }

    pub(super) fn into_findings(self) -> Vec<Finding> {
        self.findings
    }

    pub(super) fn found(&mut self, category: Category, action: Action) {
        self.found += 1;
        if self.findings.len() < FINDINGS {
            // One text may hold a thousand of a kind: that it does is worth one line. All lines are looked at, the
            // newest first: two names of one object stand at the object's path, and what is between them is
            // a matter of the members' order, which must not show.
            let same = self.findings.iter().rev().any(|known| {
                (known.category, known.action, known.path.len()) == (category, action, self.path.len())
                    // Comparing nothing with nothing is slow on some processors.
                    && (self.path.is_empty() || known.path == self.path)
            });
            if !same {
                self.findings.push(Finding::new(self.path.clone(), category, action));
            }
        }
    }

    pub(super) fn out_of_bounds(&mut self) {
        self.found(Category::OutOfBounds, Action::Truncated);
    }

    pub(super) fn nested<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let outer = core::mem::replace(&mut self.inside, true);
        let result = work(self);
        self.inside = outer;
        result
    }

    /// A text without its secrets, within the bounds.
    pub(super) fn text<'t>(&mut self, text: &'t str, depth: usize) -> Cow<'t, str> {
        if self.inside {
            return engine::pass(self, text, depth);
        }
        let cost = if text.len() > self.left { engine::cost(text) } else { text.len() };
        let (text, cut) = if cost > self.left { engine::bounded(text, self.left) } else { (text, false) };
        self.left = self.left.saturating_sub(cost);
        let mut clean = engine::pass(self, text, depth);
        for _ in 1..PASSES {
            let Cow::Owned(last) = &clean else { break };
            let Cow::Owned(again) = engine::pass(self, last, depth) else { break };
            if again == *last {
                break;
            }
            clean = Cow::Owned(again);
        }
        if cut {
            self.out_of_bounds();
            return Cow::Owned(clean.into_owned() + TRUNCATED);
        }
        clean
    }

    /// A value without its secrets.
    pub(super) fn value<N: Node>(
        &mut self,
        node: &N,
        to: &mut dyn Sink<N>,
        depth: usize,
        query: bool,
    ) -> Result<(), N::Error> {
        let is_array = match node.view()? {
            View::String(text) => {
                return match self.text(&text, depth) {
                    Cow::Borrowed(_) => to.scalar(node),
                    Cow::Owned(clean) => to.string(&clean),
                };
            }
            // Nobody can say what is in it.
            View::Opaque => {
                self.found(Category::OutOfBounds, Action::Redacted);
                return to.string(REDACTED);
            }
            View::Array => true,
            View::Object => false,
            _ => return to.scalar(node),
        };
        let Some(below) = depth.checked_sub(1) else {
            self.out_of_bounds();
            return to.string(TRUNCATED);
        };
        if is_array { self.array(node, to, below, query) } else { self.object(node, to, below, query) }
    }

    /// Whether one more node fits within the bounds.
    fn room(&mut self) -> bool {
        if self.inside {
            return true;
        }
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }

    fn array<N: Node>(
        &mut self,
        node: &N,
        to: &mut dyn Sink<N>,
        depth: usize,
        query: bool,
    ) -> Result<(), N::Error> {
        let (mut nodes, mut cut) = (Vec::new(), false);
        node.items(&mut |item| {
            if !self.room() && !is_mark(&item)? {
                cut = true;
                return Ok(ControlFlow::Break(()));
            }
            nodes.push(item);
            Ok(ControlFlow::Continue(()))
        })?;
        let pair = nodes.len() == 2;
        to.begin();
        let mut label: Option<Label> = None;
        for (index, item) in nodes.iter().enumerate() {
            let text = match item.view()? {
                View::String(text) => Some(text.into_owned()),
                _ => None,
            };
            let own = text.as_deref().and_then(|text| self.name(text, query));
            let length = self.push(&index.to_string());
            let taken = match label {
                Some(label)
                    if !text.as_deref().is_some_and(is_known) && self.follows(&item.view()?, label, pair) =>
                {
                    Some(label)
                }
                _ => None,
            };
            match taken {
                Some(label) => {
                    self.found(label.category, Action::Redacted);
                    to.string(REDACTED)?;
                }
                None => self.value(item, to, depth, query)?,
            }
            self.path.truncate(length);
            label = own;
        }
        if cut {
            self.out_of_bounds();
            to.string(TRUNCATED)?;
        }
        to.end_array()
    }

    /// Whether an item is the value of the label before it: the second of a pair is unless it is an ordinary word; in
    /// a longer list only what looks like a value.
    fn follows(&self, view: &View<'_>, label: Label, pair: bool) -> bool {
        let _ = self;
        match view {
            View::String(text) => {
                let bytes = text.trim().as_bytes();
                if bytes.is_empty() || *text == REDACTED || *text == TRUNCATED || values::is_method(bytes) {
                    return false;
                }
                if pair {
                    return !values::is_ordinary(bytes);
                }
                let is_pair = label.is(words::CLIENT) && bytes.contains(&b':');
                is_pair
                    || values::is_random(bytes)
                    || bytes.len() >= 4 && bytes.iter().all(u8::is_ascii_digit)
            }
            View::Integer(_) | View::BigInteger(_) | View::Float(_) => match view.integer() {
                Some(number) => pair && !label.is(words::PLURAL_TOKENS) || number.unsigned_abs() >= 1000,
                None => true,
            },
            View::Array | View::Object => pair,
            View::Null | View::Bool(_) | View::Opaque => false,
        }
    }

    #[allow(clippy::too_many_lines)] // one loop over the members
    fn object<N: Node>(
        &mut self,
        node: &N,
        to: &mut dyn Sink<N>,
        depth: usize,
        query: bool,
    ) -> Result<(), N::Error> {
        let (mut entries, mut cut) = (Vec::new(), false);
        node.entries(&mut |key, value| {
            if !self.room() && !is_mark(&value)? {
                cut = true;
                return Ok(ControlFlow::Break(()));
            }
            entries.push((key.to_owned(), value));
            Ok(ControlFlow::Continue(()))
        })?;
        let facts = Facts::of(self, &entries, query)?;
        to.begin();
        for (key, value) in entries {
            let (label, shown) = if !facts.question && self.is_plain(&key) {
                (None, None)
            } else {
                let label = self.label(&key, query).or_else(|| facts.answer(&key));
                (label, self.key(&key, label.is_some(), depth))
            };
            let length = self.push(shown.as_deref().unwrap_or(&key));
            let mut taken = self.taken(&key, label, &value, &facts)?;
            // What was taken out of a key may have been what made it a sentence.
            if let (None, Some(shown)) = (taken, &shown) {
                let label = self.label(shown, query).or_else(|| facts.answer(shown));
                taken = self.taken(shown, label, &value, &facts)?;
            }
            if let Some(category) = taken {
                self.found(category, Action::Removed);
                self.path.truncate(length);
                continue;
            }
            let is_value = facts.value_label.filter(|_| is_value_key(&key));
            let below_query = query || is_query_key(&key);
            to.name(shown.unwrap_or(key), !self.inside);
            if let Some(label) = is_value {
                if is_mark(&value)? || matches!(value.view()?, View::Null) {
                    to.scalar(&value)?;
                } else {
                    self.found(label.category, Action::Redacted);
                    to.string(REDACTED)?;
                }
            } else {
                self.value(&value, to, depth, below_query)?;
            }
            self.path.truncate(length);
        }
        if cut {
            self.out_of_bounds();
            to.name(TRUNCATED.to_owned(), false);
            to.string(TRUNCATED)?;
        }
        to.end_object(node)
    }

    /// The category of a member that goes with its key.
    fn taken<N: Node>(
        &self,
        key: &str,
        label: Option<Label>,
        value: &N,
        facts: &Facts,
    ) -> Result<Option<Category>, N::Error> {
        if let Some(label) = label {
            let view = value.view()?;
            let harmless = label.yes_no && matches!(view, View::Bool(_) | View::Null)
                || label.is(words::PLURAL_TOKENS) && view.integer().is_some();
            if !harmless {
                return Ok(Some(label.category));
            }
        }
        if self.rules == Rules::Details {
            return Ok(details::key(key, &value.view()?, facts.internal));
        }
        Ok(None)
    }

    /// What a key stands for.
    fn label(&self, key: &str, query: bool) -> Option<Label> {
        let fold = Fold::of(key);
        let bytes = fold.as_ref().map_or(key.as_bytes(), Fold::bytes);
        let plain = bytes.iter().all(|byte| words::is_word(*byte) || matches!(byte, b'_' | b'-' | b'.'));
        // `token=` and `token:` are names with their separator.
        let end = if plain {
            bytes.len()
        } else {
            bytes.iter().rposition(|byte| !matches!(byte, b'=' | b':' | b' ')).map_or(0, |last| last + 1)
        };
        let bytes = bytes.get(..end).unwrap_or_default();
        let words = Words::of(bytes);
        // A key that is a URL, a header's line or a sentence is scrubbed as a text; it is no name.
        let is_text = || {
            bytes.iter().any(|byte| b"/\\=,(".contains(byte))
                || bytes.windows(2).any(|two| two == b": " || two == b"? ")
                || words.seen() > 3 && is_sentence(bytes)
        };
        if words.seen() > KEY_WORDS || !plain && is_text() {
            return None;
        }
        let label = words.label()?;
        if self.rules == Rules::Details && !query && label.is(words::CODE | words::STATE) {
            return None;
        }
        Some(label)
    }

    /// What a text that is nothing but a label stands for; one with punctuation in it says its value itself.
    fn name(&self, text: &str, query: bool) -> Option<Label> {
        let is_name = |char: char| {
            char.is_ascii_alphanumeric()
                || matches!(char, '_' | '-' | '.' | ' ' | '%' | '$' | '@' | '[' | ']' | '\'')
                || !char.is_ascii()
        };
        let text = text.trim_end_matches([':', '=', '：', ' ']);
        if text == "-u" || text == "--user" {
            // `curl -u name:password`
            return Some(Label::new(Category::UserSecret, words::USER | words::CLIENT));
        }
        // One that something has been taken out of was a sentence.
        if text.len() > 96
            || !text.chars().all(is_name)
            || search::contains(text, REDACTED)
            || search::contains(text, TRUNCATED)
        {
            return None;
        }
        self.label(text, query)
    }

    /// Whether a key is shown as it is and stands for nothing, as far as a glance tells; then it has been counted.
    fn is_plain(&mut self, key: &str) -> bool {
        let left = if self.inside { Some(self.left) } else { self.left.checked_sub(key.len()) };
        match left {
            Some(left) if scan::is_plain_key(key.as_bytes(), scan::tables(self.rules == Rules::Details)) => {
                self.left = left;
                true
            }
            _ => false,
        }
    }

    /// What is shown of a key, if that is not the key itself.
    fn key(&mut self, key: &str, is_label: bool, depth: usize) -> Option<String> {
        let found = self.found;
        if let Cow::Owned(clean) = self.text(key, depth) {
            return Some(clean);
        }
        // The name of a secret is shown, but not a secret in a name: `token-9f8e7d`.
        (is_label && self.found == found && !values::is_name(key)).then(|| REDACTED.to_owned())
    }

    fn push(&mut self, key: &str) -> usize {
        let length = self.path.len();
        if !self.inside {
            // Once for most values, instead of twice or thrice for the first few keys.
            self.path.reserve(if length == 0 { PATH } else { key.len() + 1 });
            self.path.push('/');
            if !key.bytes().any(|byte| matches!(byte, b'~' | b'/')) {
                self.path.push_str(key);
                return length;
            }
            for char in key.chars() {
                match char {
                    '~' => self.path.push_str("~0"),
                    '/' => self.path.push_str("~1"),
                    char => self.path.push(char),
                }
            }
        }
        length
    }
}

/// Words apart, one of which holds a sentence together.
fn is_sentence(text: &[u8]) -> bool {
    text.split(|byte| *byte == b' ').count() > 3 && text.split(|byte| *byte == b' ').any(values::is_function)
}

/// A label that is nothing else: the next name of a list of names.
fn is_known(text: &str) -> bool {
    let words = Words::of(text.as_bytes());
    words.are_known() && words.label().is_some()
}

fn is_mark<N: Node>(node: &N) -> Result<bool, N::Error> {
    Ok(matches!(node.view()?, View::String(text) if text == REDACTED || text == TRUNCATED))
}

/// What the members of an object say about each other.
struct Facts {
    /// `{"name": "token", "value": ...}`: the value belongs to that label.
    value_label: Option<Label>,
    /// There is a question, so an answer is a secret.
    question: bool,
    /// A host or an address of the inside, so a port beside it is one too.
    internal: bool,
}

impl Facts {
    fn of<N: Node>(walker: &Walker, entries: &[(String, N)], query: bool) -> Result<Self, N::Error> {
        let mut facts = Self { value_label: None, question: false, internal: false };
        let has_value = entries.iter().any(|(key, _)| is_value_key(key));
        for (key, value) in entries {
            // The letter is rare, and the words of every key are not. A sentence may have more of them than are kept.
            facts.question |= key.bytes().any(|byte| byte.eq_ignore_ascii_case(&b'q'))
                && key.split(' ').any(|part| Words::of(part.as_bytes()).has(words::QUESTION));
            let kind = is_kind_key(key);
            if has_value
                && (kind || is_name_key(key))
                && let View::String(text) = value.view()?
            {
                let label = walker.name(&text, query).filter(|label| !kind || !label.is(words::ORDINARY));
                facts.value_label = facts.value_label.or(label);
            }
            if walker.rules == Rules::Details
                && let View::String(text) = value.view()?
            {
                facts.internal |= text.len() <= 300 && details::is_internal_host(&text);
            }
        }
        Ok(facts)
    }

    fn answer(&self, key: &str) -> Option<Label> {
        let is_answer = self.question && Words::of(key.as_bytes()).has(words::ANSWER);
        is_answer.then_some(Label::new(Category::UserSecret, words::USER))
    }
}

fn is(key: &str, names: &[&str]) -> bool {
    names.iter().any(|name| key.eq_ignore_ascii_case(name))
}

/// A key under which stands the name of what lies under [`is_value_key`].
fn is_name_key(key: &str) -> bool {
    is(
        key,
        &[
            "name",
            "key",
            "field",
            "param",
            "parameter",
            "header",
            "label",
            "k",
            "property",
            "attribute",
            "variable",
            "var",
            "env",
            "名称",
            "字段",
            "键",
        ],
    )
}

/// The same, if the name can mean nothing else: a `type` of `code` is no secret's.
fn is_kind_key(key: &str) -> bool {
    is(key, &["type", "kind", "title", "id"])
}

fn is_value_key(key: &str) -> bool {
    is(
        key,
        &[
            "value",
            "val",
            "v",
            "values",
            "content",
            "data",
            "default",
            "string_value",
            "stringValue",
            "raw",
            "值",
        ],
    )
}

/// A key under which the parameters of a URL lie.
fn is_query_key(key: &str) -> bool {
    is(
        key,
        &[
            "query",
            "query_params",
            "queryParams",
            "query_string",
            "search_params",
            "searchParams",
            "callback",
            "callback_params",
            "oauth",
            "redirect",
        ],
    )
}
