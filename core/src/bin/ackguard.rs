//! The command `ackguard`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let code = ackguard::cli::main(std::env::args_os());
    ExitCode::from(u8::try_from(code).unwrap_or(2))
}
