//! The command `ackguard`, as a function: the program calls it, and so does the one in the Python wheel.
//!
//! It changes nothing of the process it runs in: no exit, no signal handler, no panic hook, no working
//! directory. Whatever a command reads is taken to be hostile; what it prints of it has no control characters
//! and has passed the scrubber.

mod acp_config;
mod args;
mod codes;
mod console;
mod explain;
mod frame;
mod hint;
mod input;
mod name;
mod path;
mod triage;
mod version_check;
mod words;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};

pub use console::Look;
use console::clean;

/// Everything is fine.
pub const FINE: i32 = 0;
/// The input was refused, or there are findings.
pub const REFUSED: i32 = 1;
/// The command line is wrong, or something could not be read or written.
pub const UNUSABLE: i32 = 2;

/// What a command says: its exit code and both its outputs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// [`FINE`], [`REFUSED`] or [`UNUSABLE`].
    pub code: i32,
    /// For standard output.
    pub stdout: Vec<u8>,
    /// For standard error.
    pub stderr: Vec<u8>,
}

impl Answer {
    fn new(code: i32, stdout: impl Into<Vec<u8>>) -> Self {
        Self { code, stdout: stdout.into(), stderr: Vec::new() }
    }

    fn fine(stdout: impl Into<Vec<u8>>) -> Self {
        Self::new(FINE, stdout)
    }

    fn with_stderr(mut self, stderr: impl Into<Vec<u8>>) -> Self {
        self.stderr = stderr.into();
        self
    }

    fn unusable(problem: &str) -> Self {
        Self::new(UNUSABLE, "").with_stderr(format!("ackguard: {}\n", clean(problem, LINE)))
    }
}

/// How much of a text from outside a line shows, in characters.
const LINE: usize = 400;

/// Why a command cannot do its work, in one line.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Failure(String);

impl Failure {
    fn new(problem: impl Into<String>) -> Self {
        Self(problem.into())
    }
}

type Outcome = Result<Answer, Failure>;

/// Runs the command on the process's own standard streams and gives its exit code. `args` begin with the
/// program's name.
///
/// A closed pipe is no error: the rest of the output is dropped and the exit code is what it would have been.
pub fn main(args: impl IntoIterator<Item = OsString>) -> i32 {
    let mut answer = run(args, &mut io::stdin().lock(), Look::of_the_process());
    let written = write(&mut io::stdout().lock(), &answer.stdout);
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        answer = Answer::unusable(&format!("cannot write the output: {}", input::words(&error)));
    }
    // Where standard error is closed there is nobody left to tell.
    let _ = write(&mut io::stderr().lock(), &answer.stderr);
    answer.code
}

fn write(out: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    out.write_all(bytes)?;
    out.flush()
}

/// Runs the command and gives back what it says instead of writing it. `args` begin with the program's name.
pub fn run(args: impl IntoIterator<Item = OsString>, stdin: &mut dyn Read, look: Look) -> Answer {
    let args: Vec<OsString> = args.into_iter().collect();
    let matches = match args::command().try_get_matches_from(&args) {
        Ok(matches) => matches,
        Err(error) => return args::refused(&error, args.get(1), look),
    };
    let Some((name, matches)) = matches.subcommand() else {
        return Answer::unusable("a command is missing; see ackguard --help");
    };
    let outcome = match name {
        "explain" => explain::run(matches, stdin, look),
        "triage" => triage::run(matches, stdin, look),
        "codes" => codes::run(matches, look),
        "version-check" => version_check::run(matches),
        "name" => name::run(matches, look),
        "path" => path::run(matches),
        "hint" => hint::run(matches, stdin, look),
        "acp-config" => acp_config::run(matches, stdin, look),
        // The table of commands and this one are compared by a test.
        other => Err(Failure::new(format!("{other} is no command"))),
    };
    outcome.unwrap_or_else(|failure| Answer::unusable(&failure.to_string()))
}

impl Look {
    /// Colour where the stream is a terminal and NO_COLOR is not set; a progress bar where standard error is
    /// a terminal; lines as wide as standard output where that is one.
    #[must_use]
    pub fn of_the_process() -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let (out, err) = (io::stdout().is_terminal(), io::stderr().is_terminal());
        let color = !dumb && !set("NO_COLOR");
        let columns = || ::console::Term::stdout().size_checked().map(|(_, columns)| columns.into());
        Self {
            color: out && color,
            color_err: err && color,
            progress: err && !dumb,
            columns: if out { columns() } else { None },
        }
    }
}
