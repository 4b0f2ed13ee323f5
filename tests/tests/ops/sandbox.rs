//! `rel_paths_fs.json`: the tree is built once, and every way to ask for a file has to agree.

use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use ackguard::rel_path::SkillResourceError;
use ackguard::sandbox::{Options, SkillRoot};
use ackguard_tests::vectors::Fields;
use serde_json::{Value, json};

use super::{Answer, object, paths};

/// The tree of the file, the folder it stands in, and what the pairs gave.
pub(crate) struct Tree {
    folder: PathBuf,
    pairs: BTreeMap<String, Vec<String>>,
}

impl Tree {
    pub(crate) fn build(steps: &[Value]) -> Self {
        let folder = option_env!("CARGO_TARGET_TMPDIR")
            .map_or_else(std::env::temp_dir, PathBuf::from)
            .join("rel_paths_fs");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for step in steps {
            make(&folder, step).unwrap_or_else(|error| panic!("{step}: {error}"));
        }
        Self { folder, pairs: BTreeMap::new() }
    }

    pub(super) fn read(&mut self, input: &mut Fields) -> Result<Answer, String> {
        let rel_path = match input.take("rel_path") {
            Some(Value::String(rel_path)) => Some(rel_path),
            None | Some(Value::Null) => None,
            Some(other) => return Err(format!("rel_path is {other}")),
        };
        let (file, pair, leak) = (input.text("file"), input.text("pair"), input.text("leak"));
        let mut options = Options::default().with_forbidden(paths::forbidden(input)?);
        if let Some(most) = input.take("max_size") {
            options = options.with_max_size(most.as_u64().ok_or("max_size")?);
        }
        let rel_path = rel_path.as_deref();
        let outcome = self.outcome(rel_path, file.as_deref(), leak.as_deref(), &options)?;
        // As on a system that cannot open beneath a folder in one call.
        let by_hand = self.outcome(rel_path, file.as_deref(), leak.as_deref(), &options.with_fallback())?;
        if by_hand != outcome {
            return Ok(object(json!({ "outcome": format!("{outcome}, by hand {by_hand}") })));
        }
        if let Some(pair) = pair {
            self.pairs.entry(pair).or_default().push(outcome.clone());
        }
        Ok(object(json!({ "outcome": outcome })))
    }

    fn outcome(
        &self,
        rel_path: Option<&str>,
        file: Option<&str>,
        leak: Option<&str>,
        options: &Options,
    ) -> Result<String, String> {
        let root =
            SkillRoot::open(self.folder.join("pkg"), options.clone()).map_err(|error| error.to_string())?;
        let read = root.read(rel_path);
        let outcome = named(read.as_ref());
        let others = [
            named(root.open_file(rel_path).as_ref()),
            named(root.stat(rel_path).as_ref()),
            named(root.resolve(rel_path).as_ref()),
        ];
        if others.iter().any(|other| *other != outcome) {
            return Ok(format!("read {outcome}, open, stat and resolve {}", others.join(", ")));
        }
        if let Ok(read) = read {
            let text = String::from_utf8_lossy(&read);
            if leak.is_some_and(|leak| text.contains(leak)) {
                return Ok("leak".to_owned());
            }
            if let Some(file) = file
                && fs::read(self.folder.join(file)).map_err(|error| error.to_string())? != read
            {
                return Ok(format!("ok, but not {file}: {text}"));
            }
        }
        Ok(outcome)
    }

    /// The pairs whose cases did not all give the same.
    pub(super) fn problems(&self) -> Vec<String> {
        let differ = |(pair, outcomes): (&String, &Vec<String>)| {
            outcomes
                .windows(2)
                .any(|two| two[0] != two[1])
                .then(|| format!("{pair}: {}", outcomes.join(", ")))
        };
        self.pairs.iter().filter_map(differ).collect()
    }
}

fn named<T>(result: Result<&T, &SkillResourceError>) -> String {
    match result {
        Ok(_) => "ok".to_owned(),
        Err(error) => error.reason().as_str().to_owned(),
    }
}

fn make(folder: &Path, step: &Value) -> io::Result<()> {
    let text = |name: &str| step[name].as_str().unwrap_or_default();
    let path = folder.join(text("path"));
    match text("op") {
        "dir" => fs::create_dir(path),
        "file" => fs::write(path, text("content")),
        "symlink" => symlink(text("target"), path),
        "abs_symlink" => symlink(folder.join(text("target")), path),
        "hardlink" => fs::hard_link(folder.join(text("target")), path),
        "fifo" => match Command::new("mkfifo").arg(path).status()?.success() {
            true => Ok(()),
            false => Err(io::Error::other("mkfifo")),
        },
        other => Err(io::Error::other(format!("does not know the step {other}"))),
    }
}
