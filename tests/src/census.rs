//! What was run, for `tests/tools/census.py` to compare with what there is.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use serde_json::json;

/// Leaves word that `language` ran the cases with these ids.
///
/// # Errors
///
/// Whatever keeps the file from being written.
pub fn write(language: &str, ids: &[String]) -> io::Result<()> {
    let folder = folder();
    fs::create_dir_all(&folder)?;
    fs::write(
        folder.join(format!("{language}.json")),
        json!({ "language": language, "ids": ids }).to_string(),
    )
}

/// `make` says where; by hand it is cargo's own target folder.
fn folder() -> PathBuf {
    if let Some(folder) = env::var_os("ACKGUARD_CENSUS") {
        return folder.into();
    }
    let target = env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"), PathBuf::from);
    target.join("census")
}
