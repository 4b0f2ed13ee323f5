//! `ackguard path`: may this file of a SKILL package be read?

use std::ffi::OsString;

use clap::ArgMatches;

use super::console::clean;
use super::{Answer, Failure, LINE, Outcome, REFUSED};
use crate::rel_path::{Forbidden, SkillResourceError, check_bytes};
use crate::sandbox::{Options, SkillRoot};

pub(super) fn run(matches: &ArgMatches) -> Outcome {
    let get = |id: &str| matches.get_one::<OsString>(id).cloned().unwrap_or_default();
    let mut forbidden = Forbidden::new();
    if matches.get_flag("credentials") {
        forbidden = forbidden.with_credentials();
    }
    forbidden = forbidden.with_names(matches.get_many::<String>("forbid").into_iter().flatten());
    let mut options = Options::default().with_forbidden(forbidden.clone());
    if let Some(max_size) = matches.get_one::<u64>("max-size") {
        options = options.with_max_size(*max_size);
    }

    // The text is judged before anything is looked at.
    let rel = get("rel");
    let checked = match check_bytes(rel.as_encoded_bytes(), &forbidden) {
        Ok(checked) => checked,
        Err(error) => return Ok(refused(&error)),
    };
    let root = SkillRoot::open(get("root"), options).map_err(|error| Failure::new(error.to_string()))?;
    let result = if matches.get_flag("read") {
        root.read(rel.to_str()).map(Answer::fine)
    } else {
        root.stat(rel.to_str()).map(|size| Answer::fine(format!("{}  {size} bytes\n", clean(&checked, LINE))))
    };
    Ok(result.unwrap_or_else(|error| refused(&error)))
}

/// The verdict on standard error, so that what is on standard output is the file and nothing else.
fn refused(error: &SkillResourceError) -> Answer {
    let line = format!("{} {}: {}\n", error.code(), error.reason(), clean(&error.to_string(), LINE));
    Answer::new(REFUSED, "").with_stderr(line)
}
