//! The counts, shown.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::counts::{Broken, Counts, Fault};
use crate::cli::console::Look;
use crate::cli::{Answer, args};
use crate::tally::Tone;

pub(super) fn json(counts: &Counts, files: &[String]) -> Answer {
    let mut value = serde_json::to_value(&counts.tally).unwrap_or_default();
    if let Value::Object(map) = &mut value {
        let lines: Vec<_> = counts
            .broken
            .iter()
            .map(|it| {
                json!({
                    "file": file(it.file, files),
                    "line": it.line,
                    "column": it.at + 1,
                    "offset": it.start + it.at,
                    "problem": it.fault.as_str(),
                })
            })
            .collect();
        let damaged: Vec<_> = counts
            .damaged
            .iter()
            .map(|(index, damage)| json!({"file": file(*index, files), "problem": damage}))
            .collect();
        map.insert("lines".to_owned(), counts.lines().into());
        map.insert(
            "broken".to_owned(),
            json!({"not_json": counts.not_json, "too_long": counts.too_long, "named": lines}),
        );
        map.insert("damaged".to_owned(), damaged.into());
    }
    Answer::fine(args::pretty(&value))
}

pub(super) fn prometheus(counts: &Counts, files: &[String]) -> Answer {
    let mut out = counts.tally.to_prometheus();
    let _ = writeln!(
        out,
        "# HELP ackguard_broken_lines_total Lines that could not be classified.\n\
         # TYPE ackguard_broken_lines_total counter\n\
         ackguard_broken_lines_total{{problem=\"not_json\"}} {}\n\
         ackguard_broken_lines_total{{problem=\"too_long\"}} {}\n\
         # HELP ackguard_damaged_files_total Files with damaged gzip data.\n\
         # TYPE ackguard_damaged_files_total counter\n\
         ackguard_damaged_files_total {}",
        counts.not_json,
        counts.too_long,
        counts.damaged.len()
    );
    // The format has no place for the names.
    let mut names = String::new();
    name_broken(&mut names, counts, files, Look::default());
    Answer::fine(out).with_stderr(names)
}

pub(super) fn table(counts: &Counts, files: &[String], look: Look) -> Answer {
    let mut out = String::new();
    let _ = counts.tally.write_table(&mut out, &|tone, text| look.paint(tone, text));
    out.push('\n');
    if counts.broken_lines() == 0 {
        let _ = writeln!(out, "{}", look.paint(Tone::Faint, "no broken lines"));
    } else {
        let title = format!("broken lines ({} of {})", counts.broken_lines(), counts.lines());
        let _ = writeln!(out, "{}", look.paint(Tone::Heading, &title));
    }
    name_broken(&mut out, counts, files, look);
    Answer::fine(out)
}

fn name_broken(out: &mut String, counts: &Counts, files: &[String], look: Look) {
    for it in &counts.broken {
        let _ = writeln!(out, "{}", look.paint(Tone::Fault, &line(it, files)));
    }
    let unnamed = counts.broken_lines().saturating_sub(counts.broken.len() as u64);
    if unnamed > 0 {
        let _ = writeln!(out, "{}", look.paint(Tone::Faint, &format!("and {unnamed} more")));
    }
    for (index, damage) in &counts.damaged {
        let text = format!("{}: {damage}; what came before it is counted", file(*index, files));
        let _ = writeln!(out, "{}", look.paint(Tone::Fault, &text));
    }
}

/// As compilers name a place, so that editors find it.
fn line(it: &Broken, files: &[String]) -> String {
    let (file, line, column) = (file(it.file, files), it.line, it.at + 1);
    match it.fault {
        Fault::NotJson => format!("{file}:{line}:{column}: not JSON (byte {})", it.start + it.at),
        Fault::TooLong => {
            format!("{file}:{line}:1: longer than {} MiB (from byte {})", it.at / (1024 * 1024), it.start)
        }
    }
}

fn file(index: usize, files: &[String]) -> &str {
    files.get(index).map_or("", String::as_str)
}
