//! `$VAR` and `${VAR}` in a value of the configuration.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::letters::is_alphanumeric;

/// Why a value does not expand. Never with a part of the value that may be a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ExpandError {
    /// A variable is not set. Its name, where it plainly is one.
    Unset(Option<String>),
    /// `${` without `}`, or with nothing in between.
    Syntax,
}

/// Expands the variables of `value`, each once: what a variable holds is not expanded again.
///
/// A name is a letter or an underscore, then letters, digits and underscores; between braces it is whatever
/// stands there. A dollar that begins neither form is a dollar (`"5$"`, `"$5"`, `"a$$"`); there is no escape, so
/// that no password with a `$$` in it changes silently.
pub(crate) fn expand(value: &str, env: &dyn Fn(&str) -> Option<String>) -> Result<String, Vec<ExpandError>> {
    let mut out = String::with_capacity(value.len());
    let mut errors = Vec::new();
    let mut rest = value;
    while let Some((before, after)) = rest.split_once('$') {
        // Whether the dollar stands at the start of a word, as the sign of a variable does and one within a
        // password does not.
        let at_word = before.chars().next_back().map_or(rest.len() == value.len(), |c| !is_alphanumeric(c));
        out.push_str(before);
        let (name, braced, tail) = match after.strip_prefix('{') {
            Some(inner) => match inner.split_once('}') {
                Some((name, tail)) if !name.is_empty() => (name, true, tail),
                Some((_, tail)) => {
                    errors.push(ExpandError::Syntax);
                    rest = tail;
                    continue;
                }
                None => {
                    errors.push(ExpandError::Syntax);
                    rest = "";
                    break;
                }
            },
            None => {
                let (name, tail) = after.split_at_checked(name_length(after)).unwrap_or_default();
                (name, false, tail)
            }
        };
        rest = tail;
        if name.is_empty() {
            out.push('$');
            continue;
        }
        match env(name) {
            Some(found) => out.push_str(&found),
            None => {
                let plain = is_conventional(name) && (braced || at_word);
                errors.push(ExpandError::Unset(plain.then(|| name.to_owned())));
            }
        }
    }
    out.push_str(rest);
    if errors.is_empty() { Ok(out) } else { Err(errors) }
}

fn name_length(text: &str) -> usize {
    let mut bytes = text.bytes();
    match bytes.next() {
        Some(b) if b.is_ascii_alphabetic() || b == b'_' => {
            1 + bytes.take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count()
        }
        _ => 0,
    }
}

/// Whether a name looks as the names of environment variables do. Anything else may be a part of a secret that
/// has a dollar in it, and is not repeated.
fn is_conventional(name: &str) -> bool {
    name.len() <= 64
        && name.bytes().next().is_some_and(|b| b.is_ascii_uppercase() || b == b'_')
        && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(name: &str) -> Option<String> {
        match name {
            "A" => Some("1".to_owned()),
            "HOME_2" => Some("/h".to_owned()),
            "EMPTY" => Some(String::new()),
            "NESTED" => Some("$A".to_owned()),
            "Program(x86)" => Some("p".to_owned()),
            _ => None,
        }
    }

    #[test]
    fn both_forms_expand_once() {
        for (value, expected) in [
            ("", ""),
            ("plain", "plain"),
            ("$A", "1"),
            ("${A}", "1"),
            ("x$A.y", "x1.y"),
            ("${A}B", "1B"),
            ("$A$A", "11"),
            ("$HOME_2/bin", "/h/bin"),
            ("$EMPTY", ""),
            ("$NESTED", "$A"),
            ("${Program(x86)}", "p"),
            ("$", "$"),
            ("5$", "5$"),
            ("$5", "$5"),
            ("a$$", "a$$"),
            ("$$A", "$1"),
            ("{A}", "{A}"),
            ("é$A→", "é1→"),
        ] {
            assert_eq!(expand(value, &env), Ok(expected.to_owned()), "{value}");
        }
    }

    #[test]
    fn what_does_not_expand_is_an_error() {
        let unset = |name: Option<&str>| Err(vec![ExpandError::Unset(name.map(str::to_owned))]);
        assert_eq!(expand("$MISSING", &env), unset(Some("MISSING")));
        assert_eq!(expand("Bearer ${MISSING}", &env), unset(Some("MISSING")));
        assert_eq!(expand("$AB", &env), unset(Some("AB")));
        assert_eq!(expand("${A:-x}", &env), unset(None));
        for broken in ["${A", "${", "x${}y"] {
            assert_eq!(expand(broken, &env), Err(vec![ExpandError::Syntax]), "{broken}");
        }
        assert_eq!(expand("$X ${Y}", &env).unwrap_err().len(), 2);
    }

    #[test]
    fn what_may_be_a_piece_of_a_secret_is_not_repeated() {
        for value in ["pa$word", "PA$SW0RD", "$ecret!", "${hunter2}", "a$Xyz"] {
            assert_eq!(expand(value, &env), Err(vec![ExpandError::Unset(None)]), "{value}");
        }
    }
}
