//! The README's table of codes is the registry's.

use std::ffi::OsString;
use std::path::Path;
use std::{env, fs, io};

use ackguard::cli::{Look, run};

const START: &str = "ACKGUARD_WRITE=1 rewrites -->\n";
const END: &str = "<!-- end of codes -->";

fn table() -> String {
    let command = ["ackguard", "codes", "--markdown"].map(OsString::from);
    String::from_utf8(run(command, &mut io::empty(), Look::default()).stdout).unwrap()
}

#[test]
fn the_table_of_codes_is_the_registrys() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let start = readme.find(START).unwrap() + START.len();
    let end = readme.find(END).unwrap();
    let (written, made) = (&readme[start..end], table());
    if written != made && env::var_os("ACKGUARD_WRITE").is_some() {
        fs::write(&path, [&readme[..start], &made, &readme[end..]].concat()).unwrap();
        return;
    }
    assert!(written == made, "README.md has to be brought up to date:\n{made}");
}
