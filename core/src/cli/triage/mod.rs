//! `ackguard triage`: what is in a log?

mod counts;
mod pipeline;
mod report;
mod source;

use std::ffi::OsStr;
use std::io::Read;
use std::num::NonZero;
use std::path::PathBuf;
use std::thread;

use clap::ArgMatches;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::console::Look;
use super::{Failure, Outcome, args, input};
use crate::Dialect;
use source::Source;

/// No machine gets more threads than this, so that memory has one bound everywhere.
const MAX_WORKERS: usize = 16;

/// How a log is read.
#[derive(Debug, Clone, Copy)]
struct Settings {
    dialect: Dialect,
    /// The longest line that is read, in bytes.
    max_line: usize,
    /// How many broken lines are named.
    named: usize,
    workers: usize,
}

pub(super) fn run(matches: &ArgMatches, stdin: &mut dyn Read, look: Look) -> Outcome {
    let mib = matches.get_one::<u16>("max-line").copied().unwrap_or(8);
    let settings = Settings {
        dialect: args::dialect_of(matches),
        max_line: usize::from(mib) * 1024 * 1024,
        named: matches.get_one::<u16>("name").copied().unwrap_or(10).into(),
        workers: thread::available_parallelism().map_or(1, NonZero::get).min(MAX_WORKERS),
    };
    let files: Vec<&OsStr> =
        matches.get_many::<PathBuf>("files").into_iter().flatten().map(|path| path.as_os_str()).collect();

    // A file that is not there is said before an hour is spent on the others.
    let mut bytes = Some(0_u64);
    for file in &files {
        let length = source::check(file)?;
        bytes = bytes.zip(length).map(|(sum, length)| sum.saturating_add(length));
    }
    let bar = progress_bar(look, bytes);
    let result = pipeline::run(&settings, |feeder| {
        for (index, file) in files.iter().enumerate() {
            let opened: Box<dyn Read + '_> =
                if *file == "-" { Box::new(&mut *stdin) } else { Box::new(input::open(file)?) };
            let mut source = Source::new(opened, &bar).map_err(|error| cannot_read(file, &error))?;
            if let Some(what) = source.foreign() {
                return Err(input::cannot_read(file, what.en));
            }
            feeder.feed(index, &mut source).map_err(|error| cannot_read(file, &error))?;
            if let Some(damage) = source.damage() {
                feeder.note_damage(index, damage);
            }
        }
        Ok(())
    });
    bar.finish_and_clear();
    let counts = result?;

    let names: Vec<String> = files.iter().map(|file| input::shown(file)).collect();
    Ok(if matches.get_flag("json") {
        report::json(&counts, &names)
    } else if matches.get_flag("prometheus") {
        report::prometheus(&counts, &names)
    } else {
        report::table(&counts, &names, look)
    })
}

fn cannot_read(file: &OsStr, error: &std::io::Error) -> Failure {
    input::cannot_read(file, &input::words(error))
}

/// A bar where the length is known, else a count of bytes.
fn progress_bar(look: Look, bytes: Option<u64>) -> ProgressBar {
    if !look.progress {
        return ProgressBar::hidden();
    }
    let (bar, template) = match bytes {
        Some(bytes) => {
            let template = "{wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta}";
            (ProgressBar::new(bytes), template)
        }
        None => (ProgressBar::new_spinner(), "{spinner} {bytes} {bytes_per_sec} {elapsed}"),
    };
    bar.set_draw_target(ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
