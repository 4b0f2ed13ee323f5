//! `ackguard acp-config`: is this host's table of ACP servers sound?

use std::fmt::Write as _;
use std::io::Read;

use clap::ArgMatches;

use super::console::{Look, clean};
use super::{Answer, LINE, Outcome, REFUSED, args, input};
use crate::acp::parse_acp_config;
use crate::tally::Tone;

pub(super) fn run(matches: &ArgMatches, stdin: &mut dyn Read, look: Look) -> Outcome {
    let file = args::file_of(matches);
    let bytes = input::read(file, stdin)?;
    let lenient = matches.get_flag("any-env");
    // A variable that is not valid Unicode cannot be given to the agent as text, so it counts as not set.
    let env = |name: &str| std::env::var(name).ok().or_else(|| lenient.then(String::new));
    match parse_acp_config(bytes, env) {
        Ok(config) => {
            let count = config.servers.len();
            Ok(Answer::fine(format!(
                "{}: {count} server{}\n",
                input::shown(file),
                if count == 1 { "" } else { "s" }
            )))
        }
        Err(errors) => {
            let mut out = String::new();
            for problem in errors.problems() {
                let _ = writeln!(out, "{}", look.paint(Tone::Fault, &clean(&problem.to_string(), LINE)));
            }
            Ok(Answer::new(REFUSED, out))
        }
    }
}
