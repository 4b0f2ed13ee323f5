//! glue IN.wasm OUT-DIR   writes `glue.js` and `glue_bg.wasm`, as the command `wasm-bindgen` would for the
//! target `web`, `constants.js` from the core's tables, and `questions.js` with the numbers of the questions.
//!
//! It lives here so that its version is the library's by construction, and because it builds much faster than
//! the command does.

#[path = "../questions.rs"]
mod questions;

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use ackguard::acp::AcpErrorCode;
use ackguard::code;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(input), Some(output), None) = (arguments.next(), arguments.next(), arguments.next()) else {
        return fail("usage: glue IN.wasm OUT-DIR");
    };
    let mut bindgen = Bindgen::new();
    let result = bindgen
        .input_path(input)
        .out_name("glue")
        // Nothing but numbers goes over the border, and `js/core.js` makes the instance: what it calls itself is the module alone.
        .bundler(true)
        .and_then(|bindgen| bindgen.typescript(false).generate(&output));
    if let Err(error) = result {
        return fail(&format!("{error:#}"));
    }
    let output = Path::new(&output);
    let written = std::fs::write(output.join("constants.js"), constants())
        .and_then(|()| std::fs::write(output.join("questions.js"), numbers()));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error.to_string()),
    }
}

macro_rules! names {
    ($($question:ident)+) => {
        &[$(stringify!($question)),+]
    };
}

/// The number of each question.
fn numbers() -> String {
    const NAMES: &[&str] = questions::questions!(names);
    NAMES.iter().enumerate().map(|(number, name)| format!("export const {name} = {number};\n")).collect()
}

/// What is known before the module is there.
fn constants() -> String {
    let mut text = format!(
        "export const VERSION = {:?};\nexport const PROTOCOL_VERSION = {:?};\nexport const MAX_SERVERS = {};\n",
        ackguard::VERSION,
        ackguard::PROTOCOL_VERSION,
        ackguard::acp::ledger::MAX_SERVERS
    );
    let mut table = |name: &str, rows: &mut dyn Iterator<Item = (String, String)>| {
        // Writing into a String cannot fail.
        let _ = writeln!(text, "export const {name} = /* @__PURE__ */ Object.freeze({{");
        for (name, value) in rows {
            let _ = writeln!(text, "  {name}: {value},");
        }
        let _ = writeln!(text, "}});");
    };
    table("ErrorCode", &mut code::ALL.iter().map(|info| (info.name.to_owned(), info.code.to_string())));
    let acp = AcpErrorCode::ALL.iter();
    table(
        "AcpErrorCode",
        &mut acp.map(|code| (code.as_str().to_uppercase(), format!("{:?}", code.as_str()))),
    );
    text
}

#[allow(clippy::print_stderr)] // a command's way to say what went wrong
fn fail(why: &str) -> ExitCode {
    eprintln!("glue: {why}");
    ExitCode::FAILURE
}
