//! `ackguard hint`: what may be said of an authorization.

use std::fmt::Write as _;
use std::io::Read;

use super::console::{Look, clean};
use super::{Answer, FINE, LINE, Outcome, REFUSED, args, input};
use crate::Locale;
use crate::host::ToJson;
use crate::json::TextNode;
use crate::scrub::{self, Finding, HintPolicy, Scrubbed};
use crate::tally::Tone;
use clap::ArgMatches;

pub(super) fn run(matches: &ArgMatches, stdin: &mut dyn Read, look: Look) -> Outcome {
    let bytes = input::read(args::file_of(matches), stdin)?;
    let node = match TextNode::parse(&bytes) {
        Ok(node) => node,
        Err(error) => {
            let why = input::why_invalid(&bytes, error.offset, Locale::En);
            return Ok(Answer::new(REFUSED, "").with_stderr(format!("not JSON: {why}\n")));
        }
    };
    let details = matches.get_flag("details");
    let policy = if matches.get_flag("strict") { HintPolicy::Strict } else { HintPolicy::Standard };
    let Ok(Scrubbed { value, findings }) = if details {
        scrub::details(&node, &mut ToJson)
    } else {
        scrub::auth_hint(&node, policy, &mut ToJson)
    };

    let code = if findings.is_empty() { FINE } else { REFUSED };
    let stdout = if matches.get_flag("check") { String::new() } else { args::pretty(&value) };
    Ok(Answer::new(code, stdout).with_stderr(list(&findings, look)))
}

/// Where, what, and what was done: never any part of what was found.
fn list(findings: &[Finding], look: Look) -> String {
    let mut out = String::new();
    for finding in findings {
        let path = if finding.path.is_empty() { "(the whole)" } else { &finding.path };
        let line =
            format!("{}: {}, {}", clean(path, LINE), finding.category.as_str(), finding.action.as_str());
        let _ = writeln!(out, "{}", look.of_stderr().paint(Tone::Fault, &line));
    }
    out
}
