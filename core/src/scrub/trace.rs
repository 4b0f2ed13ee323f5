//! Stack traces, by the shapes of their lines.

use super::fold::Text;
use super::{Action, Category, Span};

/// Adds the stack traces of a text: from the first line of a run of frames to the last.
pub(super) fn find(text: Text<'_>, spans: &mut Vec<Span>) {
    let bytes = text.bytes();
    if !may_hold(bytes) {
        return;
    }
    let mut at = 0;
    let mut open: Option<(usize, usize)> = None;
    let mut gap = 0;
    for line in lines(bytes) {
        let start = at;
        at += line.len();
        let kind = kind(line);
        let content = start + line.trim_ascii_end().len();
        match (&mut open, kind) {
            (None, Kind::Head | Kind::Frame) => {
                let indent = line.len() - line.trim_ascii_start().len();
                // The head may follow a sentence on its line.
                open =
                    Some((start + indent + head_offset(line).unwrap_or(0).saturating_sub(indent), content));
                gap = 0;
            }
            (Some((_, end)), Kind::Head | Kind::Frame) => {
                *end = content;
                gap = 0;
            }
            // The source line below a Python frame, the exception's own line, `... 3 more`.
            (Some((_, end)), Kind::Other) if gap == 0 && (is_indented(line) || is_exception(line)) => {
                *end = content;
                gap = 1;
            }
            (Some((start, end)), Kind::Other) => {
                spans.push(Span::new(*start, *end, Category::StackTrace, Action::Redacted));
                open = None;
            }
            (None, Kind::Other) => {}
        }
    }
    if let Some((start, end)) = open {
        spans.push(Span::new(start, end, Category::StackTrace, Action::Redacted));
    }
}

/// Whether there is a stack trace in a text.
pub(super) fn has(text: &str) -> bool {
    let bytes = text.as_bytes();
    may_hold(bytes) && lines(bytes).any(|line| kind(line) != Kind::Other)
}

/// A quick look before the lines are gone through.
fn may_hold(bytes: &[u8]) -> bool {
    bytes.windows(3).any(|three| {
        matches!(three, b"at " | b"Tra" | b"tra" | b"Fil" | b"gor" | b".go" | b"anic" | b"pan" | b"\\n ")
    })
}

/// The lines of a text; a line may also end in an escaped `\n`, as in a trace that was put into JSON twice.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut end = rest.len();
        let mut last = 0_u8;
        for (at, &byte) in rest.iter().enumerate() {
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

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Head,
    Frame,
    Other,
}

fn kind(line: &[u8]) -> Kind {
    let line = line.get(..line.len().min(1024)).unwrap_or_default();
    if head_offset(line).is_some() {
        return Kind::Head;
    }
    if is_frame(content(line)) { Kind::Frame } else { Kind::Other }
}

/// The line without its indentation and its end.
fn content(line: &[u8]) -> &[u8] {
    let line = line.trim_ascii();
    line.strip_suffix(b"\\n")
        .unwrap_or(line)
        .strip_suffix(b"\\r")
        .unwrap_or(line.strip_suffix(b"\\n").unwrap_or(line))
}

/// Where a line begins a trace.
fn head_offset(line: &[u8]) -> Option<usize> {
    const HEADS: &[&[u8]] = &[
        b"Traceback (most recent call",
        b"Exception in thread \"",
        b"stack backtrace:",
        b"goroutine ",
        b"   at System.",
        b"panicked at ",
    ];
    HEADS.iter().find_map(|head| {
        let at = line.windows(head.len()).position(|window| window == *head)?;
        let tail = line.get(at + head.len()..).unwrap_or_default();
        match *head {
            // `goroutine 1 [running]:`
            b"goroutine " => {
                let digits = tail.iter().take_while(|byte| byte.is_ascii_digit()).count();
                (digits > 0 && tail.get(digits..).is_some_and(|tail| tail.starts_with(b" ["))).then_some(at)
            }
            // `thread 'main' panicked at src/main.rs:1:2:`
            b"panicked at " => has_place(tail).then_some(at),
            _ => Some(at),
        }
    })
}

fn is_frame(line: &[u8]) -> bool {
    if let Some(rest) = line.strip_prefix(b"File \"") {
        // Python: File "x.py", line 3, in f
        return rest.windows(8).any(|window| window == b"\", line ");
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
    let rest_trimmed = rest.trim_ascii_end();
    if let (Some(open), true) = (open, rest_trimmed.ends_with(b")")) {
        let inside = rest_trimmed.get(open + 1..rest_trimmed.len() - 1).unwrap_or_default();
        let name = rest.get(..open).unwrap_or_default().trim_ascii();
        let code = [
            &b".java"[..],
            b".kt",
            b".scala",
            b".groovy",
            b"Native Method",
            b"Unknown Source",
            b"<anonymous>",
            b"native",
        ];
        return code.iter().any(|code| inside.windows(code.len()).any(|window| window == *code))
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
    number(Some(file))
        || [&b".js"[..], b".ts", b".mjs", b".rs", b".py", b".go", b".jsx", b".tsx", b".cs", b".rb", b".php"]
            .iter()
            .any(|tail| file.ends_with(tail))
}

fn has_place(text: &[u8]) -> bool {
    text.windows(4).any(|window| window == b".rs:")
}

fn is_indented(line: &[u8]) -> bool {
    line.starts_with(b"  ") || line.starts_with(b"\t")
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
    [&b"Error"[..], b"Exception", b"Warning", b"Interrupt", b"Exit"].iter().any(|tail| word.ends_with(tail))
        && matches!(line.get(name), Some(b':' | b'\n') | None)
}
