//! The command line: what can be said, and how a wrong one is answered.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde::Serialize;

use super::Answer;
use super::console::{Look, width, wrapped};
use crate::{Dialect, Locale, VERSION};

const ABOUT: &str = "What is this payload, is this input safe, what went wrong with the agent process?";

const AFTER: &str = "\
Examples:
  echo '{\"code\":4101,\"message\":\"Room full\"}' | ackguard explain
  ackguard triage acks.jsonl older.jsonl.gz
  ackguard triage --prometheus acks.jsonl > ackguard.prom
  ackguard name 'acme:code-review' 'My Skill!'
  ackguard hint --check hint.json

Exit codes:
  0  fine
  1  the input was refused, or there are findings
  2  the command line is wrong, or something could not be read or written";

pub(super) fn command() -> Command {
    Command::new("ackguard")
        .version(VERSION)
        .about(ABOUT)
        .override_usage("ackguard <COMMAND>")
        .after_help(AFTER)
        .subcommand(explain())
        .subcommand(triage())
        .subcommand(codes())
        .subcommand(version_check())
        .subcommand(name())
        .subcommand(path())
        .subcommand(hint())
        .subcommand(acp_config())
}

fn explain() -> Command {
    Command::new("explain")
        .about("Explain one payload: what it is, who has to act, whether to retry, what the user may be told")
        .after_help(
            "Reads an ack, a tool result, an event's answer or a JSON-RPC frame, bare or as \
             {\"event\": ..., \"ack\": ...}.\nWhat is printed has passed the scrubber.\n\n\
             Examples:\n  ackguard explain ack.json\n  pbpaste | ackguard explain --locale zh\n  \
             ackguard explain --json ack.json\n\n\
             Exit codes: 0 explained, 1 the text is not JSON, 2 it cannot be read",
        )
        .arg(file())
        .arg(dialect())
        .arg(locale())
        .arg(flag("json", "Print the report as JSON"))
}

fn triage() -> Command {
    Command::new("triage")
        .about("Count the payloads of logs: a table by kind, code, reason and outcome, violations, leaks")
        .after_help(
            "Each line of a JSON Lines file is a bare payload or {\"event\": ..., \"ack\": ...}; for ACP logs, \
             a JSON-RPC frame.\nA line that is not JSON, or too long, is counted and named, and so is damaged \
             gzip data.\n\n\
             Examples:\n  ackguard triage acks.jsonl archive/*.jsonl.gz\n  \
             journalctl -o cat -u computer | ackguard triage -\n  ackguard triage --json acks.jsonl | jq .leaks\n\n\
             Exit codes: 0 counted, whatever was found, 2 a file cannot be read",
        )
        .arg(
            Arg::new("files")
                .value_name("FILE")
                .help("JSON Lines, plain or gzip; - for standard input")
                .required(true)
                .num_args(1..)
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(dialect())
        .arg(flag("json", "Print the counts as JSON").conflicts_with("prometheus"))
        .arg(flag("prometheus", "Print the counts in the Prometheus text format"))
        .arg(
            Arg::new("name")
                .long("name-lines")
                .value_name("N")
                .help("How many broken lines are named; all are counted")
                .default_value("10")
                .value_parser(value_parser!(u16)),
        )
        .arg(
            Arg::new("max-line")
                .long("max-line")
                .value_name("MIB")
                .help("The longest line that is read, in MiB")
                .default_value("8")
                .value_parser(value_parser!(u16).range(1..=1024)),
        )
}

fn codes() -> Command {
    Command::new("codes")
        .about("Print the registry of A2C-SMCP codes")
        .arg(flag("json", "Everything the registry knows, as JSON").conflicts_with("markdown"))
        .arg(flag("markdown", "The table for a README"))
        .arg(locale())
}

fn version_check() -> Command {
    Command::new("version-check")
        .about("Say whether a client of one protocol version may talk to a server of another, and why")
        .after_help(
            "Example:\n  ackguard version-check 0.2.1 0.2.0\n\n\
             Exit codes: 0 compatible, 1 not compatible or not a version",
        )
        .arg(word("client", "CLIENT", "The client's protocol version, MAJOR.MINOR.PATCH"))
        .arg(word("server", "SERVER", "The server's protocol version"))
}

fn name() -> Command {
    Command::new("name")
        .about("Say whether these are SKILL names, and underline what is wrong")
        .after_help(
            "Examples:\n  ackguard name code-review mcp:tools:code-review\n  \
             ackguard name --dialect 0.3 'My Skill!'\n\nExit codes: 0 all are legal, 1 one is not",
        )
        .arg(word("names", "NAME", "A SKILL name").num_args(1..))
        .arg(dialect())
}

fn path() -> Command {
    Command::new("path")
        .about("Say whether a file of a SKILL package may be read, as the Computer would")
        .after_help(
            "Examples:\n  ackguard path ./my-skill references/api.md\n  \
             ackguard path --read ./my-skill SKILL.md | less\n\n\
             Exit codes: 0 it may, 1 it may not (the verdict is on standard error), 2 the package cannot be opened",
        )
        .arg(word("root", "ROOT", "The directory of the package"))
        .arg(word("rel", "REL", "The path inside it"))
        .arg(flag("read", "Write the file's bytes to standard output"))
        .arg(flag("credentials", "Also refuse the files that hold credentials by convention"))
        .arg(
            Arg::new("forbid")
                .long("forbid")
                .value_name("NAME")
                .help("Also refuse this name; * stands for any characters")
                .action(ArgAction::Append),
        )
        .arg(
            Arg::new("max-size")
                .long("max-size")
                .value_name("BYTES")
                .help("The largest file that is served (default: 100 MiB)")
                .value_parser(value_parser!(u64)),
        )
}

fn hint() -> Command {
    Command::new("hint")
        .about("Take out of an auth_hint what no agent may see")
        .after_help(
            "The clean hint goes to standard output, what was found to standard error: where, what, what was done, \
             never any part of a secret.\n\n\
             Examples:\n  ackguard hint hint.json > clean.json\n  ackguard hint --check hint.json\n  \
             ackguard hint --details details.json\n\n\
             Exit codes: 0 nothing was found, 1 something was, or the text is not JSON, 2 it cannot be read",
        )
        .arg(file())
        .arg(flag("check", "Print no value, only the findings"))
        .arg(flag("strict", "Keep only action, message, mcp_server, tool and a landing page").conflicts_with("details"))
        .arg(flag("details", "Scrub an error's details instead of a hint"))
}

fn acp_config() -> Command {
    Command::new("acp-config")
        .about("Check a host's table of ACP servers and say everything that is wrong with it")
        .after_help(
            "Variables in env values are looked up in this process's environment; their values are not printed.\n\n\
             The table:\n  {\"servers\": {\"helper\": {\"command\": \"helper\", \"args\": [\"--acp\"], \
             \"cwd\": \"/srv/helper\", \"env\": {\"KEY\": \"${HELPER_KEY}\"}}}}\n\n\
             Example:\n  ackguard acp-config acp.json\n\n\
             Exit codes: 0 it is sound, 1 it has problems, 2 it cannot be read",
        )
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .help("The configuration; - for standard input")
                .required(true)
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(flag("any-env", "Take every variable for set"))
}

fn word(id: &'static str, name: &'static str, help: &'static str) -> Arg {
    Arg::new(id)
        .value_name(name)
        .help(help)
        .required(true)
        .allow_hyphen_values(true)
        .value_parser(value_parser!(OsString))
}

fn file() -> Arg {
    Arg::new("file")
        .value_name("FILE")
        .help("The file to read; - for standard input")
        .default_value("-")
        .value_parser(value_parser!(PathBuf))
}

fn flag(id: &'static str, help: &'static str) -> Arg {
    Arg::new(id).long(id).help(help).action(ArgAction::SetTrue)
}

fn dialect() -> Arg {
    Arg::new("dialect")
        .long("dialect")
        .value_name("VERSION")
        .help("The dialect of the protocol: 0.2, or 0.3 (0.4 is the same)")
        .default_value("0.2")
        .value_parser(|text: &str| text.parse::<Dialect>())
}

fn locale() -> Arg {
    Arg::new("locale")
        .long("locale")
        .value_name("TAG")
        .help("The language: zh for Chinese, anything else for English")
        .default_value("en")
}

pub(super) fn dialect_of(matches: &ArgMatches) -> Dialect {
    matches.get_one("dialect").copied().unwrap_or_default()
}

pub(super) fn locale_of(matches: &ArgMatches) -> Locale {
    matches.get_one::<String>("locale").map(|tag| Locale::from_tag(tag)).unwrap_or_default()
}

pub(super) fn file_of(matches: &ArgMatches) -> &OsStr {
    matches.get_one::<PathBuf>("file").map_or(OsStr::new("-"), |path| path.as_os_str())
}

/// A word of the command line; what is not Unicode in it is replaced, and will be refused as any other
/// unfitting character.
pub(super) fn text(matches: &ArgMatches, id: &str) -> String {
    matches.get_one::<OsString>(id).map(|word| word.to_string_lossy().into_owned()).unwrap_or_default()
}

/// JSON for people and programs alike: what a terminal would not show as it is, is escaped.
pub(super) fn pretty<T: Serialize + ?Sized>(value: &T) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    let mut out = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        let hidden = c != '\n' && !matches!(c, '"' | '\\' | '\'') && c.escape_debug().len() > 1;
        if hidden {
            // Only in strings: outside of them there is nothing but ASCII.
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out.push('\n');
    out
}

/// The answer where clap has the last word: help and the version as they are, everything else in one line, which names
/// the help of the command that `first`, the first word, is.
pub(super) fn refused(error: &clap::Error, first: Option<&OsString>, look: Look) -> Answer {
    let text = error.render().to_string();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Answer::fine(fitted(&text, look)),
        _ => {
            let text = text.strip_prefix("error: ").unwrap_or(&text);
            let text = text.split("\n\nUsage:").next().unwrap_or_default();
            let text = text.split("\n\nFor more information").next().unwrap_or_default();
            let text = text.replace("tip:", ";");
            let words: Vec<_> = text.split_whitespace().collect();
            let line = words.join(" ").replace(" ; ", "; ");
            let command = command();
            let meant = first.and_then(|word| command.find_subcommand(word));
            let meant = meant.map_or(String::new(), |it| format!(" {}", it.get_name()));
            Answer::unusable(&format!("{line} (see ackguard{meant} --help)"))
        }
    }
}

/// A help text with lines that fit the terminal: what is said of an option stays in its column.
fn fitted(text: &str, look: Look) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let said = line.trim_start();
        let indent = line.len() - said.len();
        let column = said
            .find("  ")
            .map_or(0, |gap| said.len() - said.get(gap..).unwrap_or_default().trim_start().len());
        let (start, rest) = line.split_at_checked(indent + column).unwrap_or(("", line));
        let margin = width(start);
        for (index, part) in wrapped(rest, look.columns, margin).into_iter().enumerate() {
            let before = if index == 0 { start.to_owned() } else { " ".repeat(margin) };
            out.push_str((before + part).trim_end());
            out.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_for_a_terminal_is_still_the_same_json() {
        let value = serde_json::json!({"a\u{202e}": "\u{7f}\u{9b}\n\"\\'技\u{e0001}", "b": [1, null]});
        let text = pretty(&value);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
        assert!(text.contains("\\u202e") && text.contains("\\udb40\\udc01") && text.contains('技'));
    }

    #[test]
    fn help_fits_a_terminal_of_80_columns() {
        let look = Look { columns: Some(80), ..Look::default() };
        let mut whole = command();
        whole.build();
        for command in whole.get_subcommands_mut().filter(|command| command.get_name() != "help") {
            let help = command.render_help().to_string();
            let fitted = fitted(&help, look);
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(words(&help), words(&fitted));
            for line in fitted.lines().filter(|line| width(line) > 80) {
                // An example that is one long word.
                assert!(line.split_whitespace().any(|word| width(word) > 60), "{line}");
            }
        }
        let text = fitted(
            "  --locale <TAG>  The language: zh for Chinese, anything else for English\n",
            Look { columns: Some(50), ..look },
        );
        assert_eq!(
            text,
            "  --locale <TAG>  The language: zh for Chinese,\n                  anything else for English\n"
        );
    }

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }
}
