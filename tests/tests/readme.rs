//! The README's table of codes and the file of codes in the packages are the registry's.

use std::ffi::OsString;
use std::path::Path;
use std::{env, fs, io};

use ackguard::cli::{Look, run};

const START: &str = "ACKGUARD_WRITE=1 rewrites -->\n";
const END: &str = "<!-- end of codes -->";

fn codes(form: &str) -> String {
    let command = ["ackguard", "codes", form].map(OsString::from);
    String::from_utf8(run(command, &mut io::empty(), Look::default()).stdout).unwrap()
}

#[test]
fn the_table_of_codes_is_the_registrys() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let start = readme.find(START).unwrap() + START.len();
    let end = readme.find(END).unwrap();
    let (written, made) = (&readme[start..end], codes("--markdown"));
    if written != made && env::var_os("ACKGUARD_WRITE").is_some() {
        fs::write(&path, [&readme[..start], &made, &readme[end..]].concat()).unwrap();
        return;
    }
    assert!(written == made, "README.md has to be brought up to date:\n{made}");
}

/// The crate has its own, from which the npm package, the jar and the Swift package take theirs; the wheel is made of
/// what lies in the Python package.
#[test]
fn the_file_of_codes_is_the_registrys() {
    let made = codes("--json");
    for file in ["core/codes.json", "bindings-python/python/ackguard/codes.json"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
        let written = fs::read_to_string(&path).unwrap_or_default();
        if written != made && env::var_os("ACKGUARD_WRITE").is_some() {
            fs::write(&path, &made).unwrap();
            continue;
        }
        assert!(written == made, "{file} has to be brought up to date: ACKGUARD_WRITE=1 rewrites it");
    }
}
