//! One text: everything that is found in it, and what it reads like afterwards.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::fold::{Fold, Text};
use super::values::skip_white;
use super::walk::Walker;
use super::{
    Action, Category, REDACTED, Rules, TRUNCATED, credentials, details, nested, prose, scan, shapes, trace,
    url,
};

/// A part of a text that must not leave. Places are those of the folded text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) category: Category,
    pub(super) action: Action,
    /// JSON that has been scrubbed inside takes the place of what stood there.
    is_json: bool,
}

impl Span {
    pub(super) const fn new(start: usize, end: usize, category: Category, action: Action) -> Self {
        Self { start, end, category, action, is_json: false }
    }

    /// JSON whose own findings have been recorded already.
    const fn json(start: usize, end: usize) -> Self {
        Self { start, end, category: Category::OutOfBounds, action: Action::Redacted, is_json: true }
    }
}

/// Scrubs one text once. Borrowed where nothing was found.
pub(super) fn pass<'t>(walker: &mut Walker, source: &'t str, depth: usize) -> Cow<'t, str> {
    let plain = Text::plain(source.as_bytes());
    let fold = Fold::of(source);
    let clean = pass_over(walker, source, fold.as_ref().map_or(plain, Fold::text), depth);
    // With a disguise undone a frame may be none: of `at file:///C:/A%20b%20c%20d.js:1:2` a sentence is left.
    let is_left = fold.is_some() && matches!(clean, Cow::Borrowed(_)) && walker.rules() == Rules::Details;
    if is_left && trace::has_in(plain) {
        return pass_over(walker, source, plain, depth);
    }
    clean
}

/// Scrubs a text by what is found in one reading of it.
#[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
fn pass_over<'t>(walker: &mut Walker, source: &'t str, text: Text<'_>, depth: usize) -> Cow<'t, str> {
    let tables = scan::tables(walker.rules() == Rules::Details);
    // Most texts are short and hold nothing.
    let first = scan::next(text.bytes(), 0, tables);
    if first.is_none() && walker.rules() == Rules::Hint {
        return Cow::Borrowed(source);
    }
    let mut pass = Pass {
        text,
        source,
        rules: walker.rules(),
        at: 0,
        floor: 0,
        ended: 0,
        mark: 0,
        page: 0,
        no_host: details::NoHost::default(),
        spans: Vec::new(),
        jsons: Vec::new(),
    };
    pass.run(walker, depth, tables, first);
    if pass.spans.is_empty() {
        return Cow::Borrowed(source);
    }
    let mut jsons = pass.jsons.iter();
    let mut out = String::with_capacity(source.len());
    let mut from = 0;
    for span in &pass.spans {
        let start = floor(source, text.source(span.start)).max(from);
        let end = ceil(source, text.source(span.end)).max(start);
        out.push_str(source.get(from..start).unwrap_or_default());
        from = end;
        if span.is_json {
            out.push_str(jsons.next().map_or("", String::as_str));
            continue;
        }
        if span.action != Action::Truncated {
            out.push_str(REDACTED);
        }
        walker.found(span.category, span.action);
    }
    out.push_str(source.get(from..).unwrap_or_default());
    Cow::Owned(out)
}

struct Pass<'t> {
    text: Text<'t>,
    source: &'t str,
    rules: Rules,
    at: usize,
    /// The end of the last span or JSON: nothing before it is looked at again.
    floor: usize,
    /// The end of the last span. A frame of a trace may have JSON in it: `at A.Main(String[] args) in a.cs:line 3`.
    ended: usize,
    /// The place after the last `?` or `#` that turned out to be no URL's: a page does not reach back over it.
    mark: usize,
    /// The end of the page of the last URL: what looks like a URL within it has been judged with it.
    page: usize,
    no_host: details::NoHost,
    spans: Vec<Span>,
    /// What takes the place of the spans that are JSON, in their order.
    jsons: Vec<String>,
}

impl Pass<'_> {
    fn run(&mut self, walker: &mut Walker, depth: usize, tables: &scan::Tables, first: Option<usize>) {
        // What failing attempts at JSON may read in all.
        let mut fuel = self.source.len().saturating_mul(2).saturating_add(4096);
        let details = self.rules == Rules::Details;
        if details {
            self.line(0);
        }
        let mut first = Some(first).filter(|_| self.at == 0);
        loop {
            let hit = first.take().unwrap_or_else(|| scan::next(self.text.bytes(), self.at, tables));
            let Some(hit) = hit else { break };
            self.at = hit + 1;
            let byte = self.text.at(hit);
            if scan::is_always(byte) {
                match byte {
                    b'{' | b'[' => self.json(walker, hit, depth, &mut fuel),
                    b'?' | b'#' => match url::with_mark(self.text, hit, self.floor.max(self.mark)) {
                        Some(cuts) => self.add(cuts),
                        None => self.mark = hit + 1,
                    },
                    b'\n' => self.line(hit + 1),
                    b'\\' if details && self.text.at(hit + 1) == b'n' => self.line(hit + 2),
                    b'/' | b'\\' => {
                        if details && let Some(span) = details::connection(self.text, hit, self.floor) {
                            self.push(span);
                            continue;
                        }
                        if hit >= self.page
                            && let Some(cuts) = url::with_slash(self.text, hit, self.floor)
                        {
                            self.add(cuts);
                        } else if self.text.before(hit) == b'1' {
                            // Google's refresh tokens begin with `1//`, and the slash is where the scan stops.
                            let token = shapes::token(self.text, hit - 1);
                            if let Some((end, category)) = token {
                                self.push(Span::new(hit - 1, end, category, Action::Redacted));
                            }
                        }
                    }
                    _ => {
                        if let Some(cuts) = url::with_user(self.text, hit, self.floor) {
                            self.add(cuts);
                        }
                    }
                }
            } else if let Some(start) = hit.checked_sub(2).filter(|start| *start >= self.floor) {
                self.word(start);
            }
        }
    }

    fn word(&mut self, start: usize) {
        let redact = |(end, category)| Span::new(start, end, category, Action::Redacted);
        let byte = self.text.at(start);
        let span = match byte {
            b'-' => shapes::pem(self.text, start)
                .map(redact)
                .or_else(|| credentials::option(self.text, start))
                .filter(|span| span.start >= self.floor),
            b'0'..=b'9' => shapes::digits_token(self.text, start)
                .or_else(|| shapes::token(self.text, start))
                .map(redact)
                .or_else(|| {
                    let (start, end) = shapes::entra(self.text, start)?;
                    Some(Span::new(start, end, Category::ClientCredential, Action::Redacted))
                })
                .filter(|span| span.start >= self.floor)
                .or_else(|| prose::find(self.text, start, self.floor, self.rules)),
            _ => shapes::token(self.text, start)
                .map(redact)
                .or_else(|| prose::find(self.text, start, self.floor, self.rules)),
        };
        let span = match span {
            None if self.rules == Rules::Details => {
                details::at(self.text, start, (self.floor, self.ended), &mut self.no_host)
            }
            span => span,
        };
        if let Some(span) = span {
            self.push(span);
        } else {
            // The last two bytes may begin the next word.
            self.at = start + 1;
        }
    }

    /// Whether the span was taken: one that begins before the last one's end is not.
    fn push(&mut self, span: Span) -> bool {
        let least = if span.category == Category::StackTrace { self.ended } else { self.floor };
        let taken = span.start >= least && span.end > span.start;
        if taken {
            self.floor = self.floor.max(span.end);
            self.ended = span.end;
            self.at = self.at.max(span.end);
            self.spans.push(span);
        }
        taken
    }

    /// A line that begins a stack trace.
    fn line(&mut self, start: usize) {
        if let Some(span) = trace::at_line(self.text, start) {
            self.push(span);
        }
    }

    fn add(&mut self, mut cuts: url::Cuts) {
        if self.rules == Rules::Details {
            let host = details::url_host(self.text, cuts.host.0, cuts.host.1);
            let trace = trace::first(self.text, self.at, cuts.end.min(cuts.page), self.ended);
            for span in [host, trace].into_iter().flatten() {
                // The others are in order.
                let place = cuts.spans.iter().rposition(|known| known.start <= span.start);
                cuts.spans.insert(place.map_or(0, |place| place + 1), span);
            }
        }
        self.page = self.page.max(cuts.page);
        for span in cuts.spans {
            self.push(span);
        }
        self.at = self.at.max(cuts.end);
    }

    fn json(&mut self, walker: &mut Walker, hit: usize, depth: usize, fuel: &mut usize) {
        let start = self.text.source(hit);
        let Some(json) = nested::prefix(self.source.as_bytes(), start, fuel) else { return };
        let end = self.text.place_of(start + json.len());
        // `environ["API_KEY"] = "x"`: an index, and what stands in it is a label.
        if json.starts_with(b"[") && self.text.at(skip_white(self.text, end, 2)) == b'=' {
            return;
        }
        let replacement = nested::scrub(walker, json, depth);
        if let Some(replacement) = replacement
            && self.push(Span::json(hit, end))
        {
            self.jsons.push(replacement);
        }
        self.at = end;
        self.floor = self.floor.max(end);
    }
}

/// The last boundary between characters at or before a place.
fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The first boundary between characters at or after a place.
fn ceil(text: &str, mut at: usize) -> usize {
    while at < text.len() && !text.is_char_boundary(at) {
        at += 1;
    }
    at.min(text.len())
}

/// Cuts a text that is longer than `most` where no secret is cut in two.
pub(super) fn bounded(text: &str, most: usize) -> (&str, bool) {
    if text.len() <= most {
        return (text, false);
    }
    const BACK: usize = 1024;
    let end = floor(text, most);
    let least = floor(text, end.saturating_sub(BACK));
    let tail = text.get(least..end).unwrap_or_default();
    let end = tail.rfind(char::is_whitespace).map_or(least, |at| least + at);
    (text.get(..end).unwrap_or_default(), true)
}

/// The length of a text without the marks in it: they cost nothing, so that a text that fitted still fits after it has
/// been scrubbed.
pub(super) fn cost(text: &str) -> usize {
    let marks = |mark: &str| crate::search::places(text, mark).count() * mark.len();
    text.len() - marks(REDACTED) - marks(TRUNCATED)
}
