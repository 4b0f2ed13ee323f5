//! The page about the command shows what the command prints. Each block of the page is run as a shell would, beside the
//! recordings; ACKGUARD_WRITE=1 writes what comes out into the page.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// What a command line prints, on both outputs, as a terminal would show it.
fn run(line: &str, programs: &str, folder: &Path) -> String {
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {line}; }} 2>&1")])
        .current_dir(folder)
        .env("PATH", programs)
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C.UTF-8")
        .env_remove("COLUMNS")
        .output()
        .unwrap();
    assert!(output.status.success(), "{line}: {:?}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_page_shows_what_the_command_prints() {
    let core = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = core.join("docs/src/command.md");
    let page = fs::read_to_string(&path).unwrap();
    let own = Path::new(env!("CARGO_BIN_EXE_ackguard")).parent().unwrap().to_str().unwrap();
    let programs = format!("{own}:{}", env::var("PATH").unwrap());

    let mut made = String::new();
    let mut block = false;
    let mut commands = 0;
    for line in page.lines() {
        match line.strip_prefix("$ ").filter(|_| block) {
            Some(command) => {
                commands += 1;
                made.push_str(&format!("{line}\n{}", run(command, &programs, &core.join("../tests/data"))));
            }
            None if line.starts_with("```") => {
                block = line == "```console";
                made.push_str(&format!("{line}\n"));
            }
            None if block => {}
            None => made.push_str(&format!("{line}\n")),
        }
    }
    assert!(commands >= 6, "only {commands} commands");
    if page != made && env::var_os("ACKGUARD_WRITE").is_some() {
        fs::write(&path, &made).unwrap();
        return;
    }
    assert!(page == made, "core/docs/src/command.md has to be brought up to date:\n{made}");
}
