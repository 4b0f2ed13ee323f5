//! The README's table of codes is the registry's.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use ackguard::code::ALL;

const START: &str = "ACKGUARD_WRITE=1 rewrites -->\n";
const END: &str = "<!-- end of codes -->";

fn table() -> String {
    let mut table =
        "| code | name | title | 标题 | retry | action |\n| --- | --- | --- | --- | --- | --- |\n".to_owned();
    for info in ALL {
        let advice = info.advice;
        writeln!(
            table,
            "| {} | `{}` | {} | {} | {} | `{}` |",
            info.code,
            info.name,
            info.title.en,
            info.title.zh,
            advice.automatic.as_str(),
            advice.action.as_str()
        )
        .unwrap();
    }
    table
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
