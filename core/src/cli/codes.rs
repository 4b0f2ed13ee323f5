//! `ackguard codes`: the registry, for people, for programs and for a README.

use std::fmt::Write as _;

use clap::ArgMatches;

use super::console::{Look, width};
use super::{Answer, Outcome, args};
use crate::Locale;
use crate::code::ALL;
use crate::tally::Tone;

pub(super) fn run(matches: &ArgMatches, look: Look) -> Outcome {
    if matches.get_flag("json") {
        return Ok(Answer::fine(args::pretty(&ALL)));
    }
    if matches.get_flag("markdown") {
        return Ok(Answer::fine(markdown()));
    }
    let locale = args::locale_of(matches);
    let mut rows = vec![["code", "name", "title", "retry", "action"].map(str::to_owned).to_vec()];
    rows.extend(ALL.iter().map(|info| {
        vec![
            info.code.to_string(),
            info.name.to_owned(),
            info.title.get(locale).to_owned(),
            info.advice.automatic.as_str().to_owned(),
            info.advice.action.as_str().to_owned(),
        ]
    }));
    let mut widths = vec![0; 5];
    for row in &rows {
        for (widest, cell) in widths.iter_mut().zip(row) {
            *widest = width(cell).max(*widest);
        }
    }
    // Where there is no room for both, one of name and title is enough: they say the same.
    let whole: usize = widths.iter().map(|widest| widest + 2).sum();
    if look.columns.is_some_and(|columns| whole - 2 > columns) {
        let spare = if locale == Locale::Zh { 1 } else { 2 };
        for row in &mut rows {
            row.remove(spare);
        }
        widths.remove(spare);
    }
    let mut out = String::new();
    for (index, row) in rows.iter().enumerate() {
        let mut line = String::new();
        for (cell, widest) in row.iter().zip(&widths) {
            let _ = write!(line, "{cell}{}", " ".repeat(widest - width(cell) + 2));
        }
        let tone = if index == 0 { Tone::Heading } else { Tone::Plain };
        let _ = writeln!(out, "{}", look.paint(tone, line.trim_end()));
    }
    Ok(Answer::fine(out))
}

/// The table of the README.
fn markdown() -> String {
    let mut out =
        "| code | name | title | 标题 | retry | action |\n| --- | --- | --- | --- | --- | --- |\n".to_owned();
    for info in ALL {
        let _ = writeln!(
            out,
            "| {} | `{}` | {} | {} | {} | `{}` |",
            info.code,
            info.name,
            info.title.en,
            info.title.zh,
            info.advice.automatic.as_str(),
            info.advice.action.as_str()
        );
    }
    out
}
