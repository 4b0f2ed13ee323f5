//! `WWW-Authenticate` as the list of challenges it is (RFC 9110, 11.6.1).

use alloc::borrow::Cow;
use alloc::string::String;

use crate::search::is_among;

/// Calls `visit` with the `error` parameter of every challenge. Lenient about what servers get wrong (commas
/// left out, single quotes, a quote that is never closed), exact about what is a parameter and what is inside a
/// quoted one.
pub(super) fn errors(header: &str, mut visit: impl FnMut(&str)) {
    let mut rest = header;
    loop {
        rest = rest.trim_start_matches(|c: char| c != '"' && !is_token(c));
        if rest.is_empty() {
            return;
        }
        if rest.starts_with('"') {
            rest = quoted(rest).1;
            continue;
        }
        let (name, after) = token(rest);
        rest = after;
        // A scheme is a token too; it has no `=`, and a token68 ends in `=` without a value.
        let Some(value) = after.trim_start().strip_prefix('=') else { continue };
        let value = value.trim_start();
        let (value, after) = if value.starts_with('"') {
            quoted(value)
        } else {
            let (value, after) = token(value);
            (Cow::Borrowed(value.trim_matches('\'')), after)
        };
        rest = after;
        if name.eq_ignore_ascii_case("error") {
            visit(&value);
        }
    }
}

/// `tchar` of RFC 9110.
fn is_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || is_among(c, "!#$%&'*+-.^_`|~")
}

fn token(text: &str) -> (&str, &str) {
    let end = text.find(|c| !is_token(c)).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// A quoted string with its escapes undone, and what follows. One that is not closed ends with the text.
fn quoted(text: &str) -> (Cow<'_, str>, &str) {
    let inner = text.strip_prefix('"').unwrap_or(text);
    let mut value = String::new();
    let mut characters = inner.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (Cow::Owned(value), inner.get(at + 1..).unwrap_or_default()),
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            plain => value.push(plain),
        }
    }
    (Cow::Owned(value), "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(header: &str) -> Vec<String> {
        let mut found = Vec::new();
        errors(header, |error| found.push(error.to_owned()));
        found
    }

    #[test]
    fn only_parameters_named_error() {
        for (header, expected) in [
            ("Bearer error=\"invalid_token\"", &["invalid_token"][..]),
            ("Bearer realm=\"a\", ERROR = \"x\" , error_description=\"error=y\"", &["x"]),
            ("Bearer realm=\"a\" error=x", &["x"]),
            ("WWW-Authenticate: Bearer error=x", &["x"]),
            ("Basic dGVzdA==, Bearer error='x'", &["x"]),
            ("Negotiate YWJj=, DPoP error=\"a\", Bearer error=\"b\"", &["a", "b"]),
            ("Bearer realm=\"error=\\\"x\\\"\"", &[]),
            ("Bearer realm=\"\\\\\", error=\"x\"", &["x"]),
            ("Bearer realm=\"a, error=x", &[]),
            ("Bearer error=\"x", &["x"]),
            ("Bearer error=\"in\\valid\"", &["invalid"]),
            ("error", &[]),
            ("my-error=x, error2=y, terror=z", &[]),
            ("=,==,\"\"\"", &[]),
            ("版本 error=x", &["x"]),
        ] {
            assert_eq!(all(header), expected, "{header}");
        }
    }

    #[test]
    fn linear() {
        for unit in ["\"", "\\", "=", "a=", "a=\"", "error=\"\\\"", ", "] {
            errors(&unit.repeat(200_000), |_| {});
        }
    }
}
