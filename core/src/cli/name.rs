//! `ackguard name`: are these SKILL names?

use std::ffi::OsString;
use std::fmt::Write as _;

use clap::ArgMatches;

use super::console::{Look, clean, width};
use super::{Answer, FINE, LINE, Outcome, REFUSED, args};
use crate::Dialect;
use crate::skill_name::{SkillName, SkillNameError, suggest_for};
use crate::tally::Tone;

/// How many characters of a name are shown on either side of what is wrong with it.
const CONTEXT: usize = 40;

pub(super) fn run(matches: &ArgMatches, look: Look) -> Outcome {
    let dialect = args::dialect_of(matches);
    let mut out = String::new();
    let mut code = FINE;
    for name in matches.get_many::<OsString>("names").into_iter().flatten() {
        // What is no text is refused by the lexer, at its own place.
        match SkillName::parse_bytes(name.as_encoded_bytes(), dialect) {
            Ok(name) => accepted(&mut out, &name, look),
            Err(error) => {
                code = REFUSED;
                refused(&mut out, &name.to_string_lossy(), &error, dialect, look);
            }
        }
    }
    Ok(Answer::new(code, out))
}

fn accepted(out: &mut String, name: &SkillName<'_>, look: Look) {
    let mut line = format!("{}  {}: skill {}", clean(name.raw(), LINE), name.source(), name.skill());
    for (what, owner) in [("plugin", name.plugin()), ("server", name.server())] {
        if let Some(owner) = owner {
            let _ = write!(line, ", {what} {}", clean(owner, LINE));
        }
    }
    let _ = writeln!(out, "{}", look.paint(Tone::Plain, &line));
    if let Some(hint) = name.hint() {
        let _ = writeln!(out, "  {}", look.paint(Tone::Failure, &hint.to_string()));
    }
}

fn refused(out: &mut String, name: &str, error: &SkillNameError, dialect: Dialect, look: Look) {
    let span = error.span();
    let part = |from: usize, to: usize| name.get(from..to).unwrap_or_default();
    let before: Vec<char> = part(0, span.start).chars().rev().take(CONTEXT + 1).collect();
    let cut = before.len() > CONTEXT;
    let before: String = before.into_iter().take(CONTEXT).rev().collect();
    let before = format!("{}{}", if cut { "…" } else { "" }, clean(&before, CONTEXT));
    // An empty segment has nothing to underline but its place.
    let bad = clean(part(span.start, span.end), CONTEXT);
    let after = clean(name.get(span.end..).unwrap_or_default(), CONTEXT);
    let mark = format!("{}{}", " ".repeat(width(&before)), "^".repeat(width(&bad).max(1)));

    let _ = writeln!(out, "{before}{}{after}", look.paint(Tone::Fault, &bad));
    let _ = writeln!(out, "{} {}", look.paint(Tone::Fault, &mark), error.reason());
    let _ = writeln!(out, "  {}", clean(&error.to_string(), LINE));
    if let Some(suggestion) = suggest_for(name, dialect) {
        let _ = writeln!(out, "  did you mean {}?", look.paint(Tone::Heading, &suggestion));
    }
}
