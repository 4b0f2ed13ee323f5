//! Stack traces, by the shapes of their lines.

use super::fold::{Fold, Text};
use super::lists::{List, among, ends_in, holds, list};
use super::{Action, Category, Span, scan};

/// The stack trace whose first line begins at `start`, if one does: up to the last of its lines.
pub(super) fn at_line(text: Text<'_>, start: usize) -> Option<Span> {
    let line = lines(text.from(start), LINE).next()?;
    let first = content(line);
    // "... 3 more" and "created by" go on with a trace and begin none: a list may end so.
    let goes_on = first.starts_with(b"... ") || first.starts_with(b"created by ");
    let begins = !goes_on && is_frame(first) || is_head(first);
    begins.then(|| run(text, start + indent(line), start))
}

/// The stack trace that a word or a name of a file at `start` belongs to, wherever on a line it stands.
pub(super) fn around(text: Text<'_>, start: usize, floor: usize) -> Option<Span> {
    match text.at(start) {
        b'.' => inline_around(text, start, floor),
        b'T' | b'E' | b's' | b'g' | b'p' => head(text, start),
        _ => None,
    }
}

/// The stack trace whose head begins at `start`.
fn head(text: Text<'_>, start: usize) -> Option<Span> {
    is_head(text.from(start)).then(|| run(text, start, start))
}

/// The frames on one line around the file that is named at a place.
fn inline_around(text: Text<'_>, place: usize, floor: usize) -> Option<Span> {
    // The table of beginnings has these.
    if !among(text.slice(place, place + 4), list![".jav" ".kt:" ".js:" ".ts:" ".mjs" ".cs:"]) {
        return None;
    }
    // The nearest, and those before it as long as they are frames: whatever fails is looked at once.
    let (mut found, mut before) = (None, place);
    loop {
        let least = floor.max(before.saturating_sub(FRAME));
        let near = text.slice(least, before).windows(4).rposition(is_at);
        let span = near.and_then(|near| inline(text, least + near)).filter(|span| span.end >= before);
        let Some(span) = span else { return found };
        before = span.start - 1;
        found = Some(span);
    }
}

fn is_at(four: &[u8]) -> bool {
    matches!(four, [b' ' | b'\t', b'a', b't', b' '])
}

/// The longest frame on one line with others.
const FRAME: usize = 256;

/// The frames that begin at `start`, before their ` at `, on the line of something else: a trace whose line ends were
/// blanked.
fn inline(text: Text<'_>, start: usize) -> Option<Span> {
    let mut end = start;
    while is_at(text.slice(end, end + 4)) {
        let rest = text.slice(end + 4, end + 4 + FRAME);
        let first = rest.iter().position(|byte| matches!(byte, b')' | b'\n'));
        let Some(close) = closing(rest).or(first) else { break };
        let frame = rest.get(..=close).unwrap_or_default();
        let open = frame.iter().position(|byte| *byte == b'(').unwrap_or(0);
        let (name, place) = frame.split_at(open);
        // "at noon (12:30:45)" is none.
        let name = name.strip_prefix(b"async ").or(name.strip_prefix(b"new ")).unwrap_or(name).trim_ascii();
        let is_place = place.contains(&b'/') || place.contains(&b'.') || name.contains(&b'.');
        if name.contains(&b' ') || !is_place || !is_at_frame(frame) {
            break;
        }
        end += 4 + frame.len();
        // `in x.cs:line 3`
        let tail = text.slice(end, end + FRAME);
        let line =
            tail.windows(6).take_while(|six| six.first() != Some(&b'\n')).position(|six| six == b":line ");
        if let Some(line) = line.filter(|_| tail.starts_with(b" in ")) {
            let digits = tail.iter().skip(line + 6).take_while(|byte| byte.is_ascii_digit()).count();
            end += line + 6 + digits;
        }
    }
    (end > start).then(|| Span::new(start + 1, end, Category::StackTrace, Action::Redacted))
}

/// Where the first bracket that is opened on a line is closed: `(C:\Program Files (x86)\x.js:1:2)`.
fn closing(line: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in line.iter().enumerate() {
        match byte {
            b'\n' => return None,
            b'(' => depth += 1,
            b')' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// All lines that belong to the trace that begins at `start`, on the line that is read from `from`.
fn run(text: Text<'_>, start: usize, from: usize) -> Span {
    let (mut at, mut end) = (from, start);
    // The first line belongs to it, and one other line may stand between two frames.
    let mut other = None;
    for (index, line) in lines(text.from(from), usize::MAX).enumerate() {
        let content_end = at + line.trim_ascii_end().len();
        at += line.len();
        let trimmed = content(line);
        if index == 0
            || is_frame(trimmed.get(..trimmed.len().min(LINE)).unwrap_or_default())
            || is_head(trimmed)
        {
            end = content_end;
            other = None;
        } else if is_exception(trimmed) {
            // The exception's own line; another trace may follow it.
            end = content_end;
            other = None;
        } else if other.is_none() && (is_indented(line) || is_call(trimmed)) {
            // The source line below a Python frame, the call above a place in Go.
            end = content_end;
            other = Some(());
        } else {
            break;
        }
    }
    Span::new(start, end.max(start + 1), Category::StackTrace, Action::Redacted)
}

/// Whether there is a stack trace in a text, as it is written or in disguise.
pub(super) fn has(text: &str) -> bool {
    has_in(Text::plain(text.as_bytes())) || Fold::of(text).is_some_and(|fold| has_in(fold.text()))
}

/// Whether there is a stack trace in a text as it is here.
pub(super) fn has_in(text: Text<'_>) -> bool {
    at_line(text, 0).is_some() || first(text, 0, text.len(), 0).is_some()
}

/// The first stack trace that is told by something between two places. Where a URL has its host it is stepped over, and
/// something else may stand there: `at f (webpack://main.js:1:2)`, `https://Traceback (most recent call last)`.
#[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
pub(super) fn first(text: Text<'_>, mut from: usize, end: usize, floor: usize) -> Option<Span> {
    // What begins before the end may be told a few bytes behind it.
    let bytes = text.slice(0, end.saturating_add(4));
    let tables = scan::tables(true);
    while let Some(hit) = scan::next(bytes, from, tables) {
        let found = match text.at(hit) {
            b'\n' => at_line(text, hit + 1),
            b'\\' if text.at(hit + 1) == b'n' => at_line(text, hit + 2),
            _ => hit.checked_sub(2).and_then(|start| around(text, start, floor)),
        };
        if found.is_some() {
            return found;
        }
        from = hit + 1;
    }
    None
}

/// How much of a line is looked at.
const LINE: usize = 1024;

/// The lines of a text, none longer than `most`; a line may also end in an escaped `\n`, as in a trace that was put into JSON twice.
fn lines(bytes: &[u8], most: usize) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    core::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut end = rest.len().min(most);
        let mut last = 0_u8;
        for (at, &byte) in rest.iter().enumerate().take(most) {
            if byte == b'\n' || last == b'\\' && byte == b'n' {
                end = at + 1;
                break;
            }
            last = byte;
        }
        let (line, tail) = rest.split_at(end);
        rest = tail;
        Some(line)
    })
}

/// The line without its indentation and its end, either of which may be escaped, once or more.
fn content(line: &[u8]) -> &[u8] {
    let mut line = line.get(indent(line)..).unwrap_or_default().trim_ascii_end();
    while let [rest @ .., b'\\', b'n' | b'r' | b't'] = line {
        line = rest;
        while let [rest @ .., b'\\'] = line {
            line = rest;
        }
        line = line.trim_ascii_end();
    }
    line
}

/// How long the indentation of a line is. `\t`, as a trace that was put into JSON twice has it, is a tab.
fn indent(line: &[u8]) -> usize {
    let mut rest = line;
    loop {
        rest = rest.trim_ascii_start();
        let slashes = rest.iter().take(8).take_while(|byte| **byte == b'\\').count();
        match rest.get(slashes..) {
            Some([b't', tail @ ..]) if slashes > 0 => rest = tail,
            _ => return line.len() - rest.len(),
        }
    }
}

/// Whether a trace begins here.
fn is_head(text: &[u8]) -> bool {
    const HEADS: &[&[u8]] = &[b"Traceback (most recent call", b"Exception in thread \"", b"stack backtrace:"];
    if HEADS.iter().any(|head| text.starts_with(head)) {
        return true;
    }
    // `goroutine 1 [running]:`
    if let Some(tail) = text.strip_prefix(b"goroutine ") {
        let digits = tail.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
        return digits > 0 && tail.get(digits..).is_some_and(|tail| tail.starts_with(b" ["));
    }
    // `panicked at src/main.rs:1:2:`
    text.strip_prefix(b"panicked at ").is_some_and(|tail| {
        tail.get(..tail.len().min(256)).unwrap_or_default().windows(4).any(|window| window == b".rs:")
    })
}

fn is_frame(line: &[u8]) -> bool {
    if let Some(rest) = line.strip_prefix(b"File ") {
        // Python: File "x.py", line 3, in f; the quotes may be escaped.
        let slashes = rest.iter().take(8).take_while(|byte| **byte == b'\\').count();
        let quoted = rest.get(slashes..).and_then(|rest| rest.strip_prefix(b"\""));
        return quoted.unwrap_or_default().windows(8).any(|window| window == b"\", line ");
    }
    if let Some(rest) = line.strip_prefix(b"at ") {
        return is_at_frame(rest);
    }
    if line.starts_with(b"Caused by: ")
        && line.iter().filter(|byte| **byte == b'.').count() >= 2
        && is_exception(line)
    {
        return true;
    }
    if line.starts_with(b"... ") && line.ends_with(b" more") {
        return true;
    }
    if let Some(rest) = line.strip_prefix(b"created by ") {
        return rest.contains(&b'.');
    }
    // Rust: `12: core::panicking::panic`
    let digits = line.iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
    if digits > 0 && line.get(digits..).is_some_and(|rest| rest.starts_with(b": ")) {
        let name = line.get(digits + 2..).unwrap_or_default();
        let name = name
            .strip_prefix(b"0x")
            .map_or(name, |hex| hex.splitn(2, |byte| *byte == b'-').nth(1).unwrap_or_default().trim_ascii());
        return name.windows(2).any(|two| two == b"::")
            && !name.contains(&b'=')
            // "1: Acme::get is deprecated" is an item of a list.
            && (name.contains(&b'<') || !name.contains(&b' '))
            && name.iter().filter(|byte| **byte == b' ').count() <= 6;
    }
    // Go: `/app/main.go:42 +0x1d`, `main.handler(0xc000...)`
    if let Some(at) = line.windows(4).position(|window| window == b".go:") {
        let tail = line.get(at + 4..).unwrap_or_default();
        return tail.first().is_some_and(u8::is_ascii_digit)
            && (tail.windows(3).any(|three| three == b"+0x") || line.starts_with(b"/"));
    }
    // JavaScript in Firefox and Safari: `f@https://x/app.js:1:2`
    if let Some(at) = line.iter().position(|byte| *byte == b'@') {
        let place = line.get(at + 1..).unwrap_or_default();
        return (place.starts_with(b"http") || place.starts_with(b"file:"))
            && ends_in_place(place)
            && !line.contains(&b' ');
    }
    false
}

/// What follows `at `: `f (x.js:1:2)`, `x.js:1:2`, `com.acme.A.b(A.java:3)`, `A.B(C c) in x.cs:line 3`, `src/a.rs:1:2`.
fn is_at_frame(rest: &[u8]) -> bool {
    let open = rest.iter().position(|byte| *byte == b'(');
    // Java's loggers say where the class came from: `(A.java:3) ~[app.jar!/:1.0]`.
    let origin = rest.windows(3).position(|three| three == b") [" || three == b") ~");
    let rest_trimmed = origin.map_or(rest.trim_ascii_end(), |at| rest.get(..=at).unwrap_or_default());
    if let (Some(open), true) = (open, rest_trimmed.ends_with(b")")) {
        let inside = rest_trimmed.get(open + 1..rest_trimmed.len() - 1).unwrap_or_default();
        let name = rest.get(..open).unwrap_or_default().trim_ascii();
        const CODE: List =
            list![".java" ".kt" ".scala" ".groovy" "Native Method" "Unknown Source" "<anonymous>" "native"];
        return holds(inside, CODE)
            || ends_in_place(inside)
            // .NET without files: Acme.Service.Run(String name)
            || name.iter().filter(|byte| **byte == b'.').count() >= 2 && !name.contains(&b' ');
    }
    let in_file = rest.windows(6).any(|window| window == b":line ");
    in_file || ends_in_place(rest_trimmed) && rest_trimmed.iter().filter(|byte| **byte == b' ').count() <= 2
}

/// `...:12:34`, or `...x.rs:12`.
fn ends_in_place(text: &[u8]) -> bool {
    let mut parts = text.rsplit(|byte| *byte == b':');
    let number = |part: Option<&[u8]>| {
        part.is_some_and(|part| !part.is_empty() && part.len() <= 7 && part.iter().all(u8::is_ascii_digit))
    };
    if !number(parts.next()) {
        return false;
    }
    let file = parts.next().unwrap_or_default();
    // `10:30:00` is a time.
    number(Some(file)) && parts.next().is_some_and(|file| !number(Some(file)) && !file.is_empty())
        || ends_in(file, list![".js" ".ts" ".mjs" ".rs" ".py" ".go" ".jsx" ".tsx" ".cs" ".rb" ".php"])
}

/// `main.handler(0xc000012345, 0x2)`, `panic({0x4a2b60, 0x5})`
fn is_call(line: &[u8]) -> bool {
    let name = line.split(|byte| *byte == b'(').next().unwrap_or_default();
    line.ends_with(b")") && (name.contains(&b'.') || name == b"panic") && !name.contains(&b' ')
}

fn is_indented(line: &[u8]) -> bool {
    line.starts_with(b"  ") || line.starts_with(b"\t") || line.starts_with(b"\\") && indent(line) > 0
}

/// `ValueError: x`, `java.lang.IllegalStateException: x`.
fn is_exception(line: &[u8]) -> bool {
    let line = line.strip_prefix(b"Caused by: ").unwrap_or(line);
    let name = line
        .iter()
        .take(128)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'$'))
        .count();
    let word = line.get(..name).unwrap_or_default();
    ends_in(word, list!["Error" "Exception" "Warning" "Interrupt" "Exit"])
        && matches!(line.get(name), Some(b':' | b'\n') | None)
}
