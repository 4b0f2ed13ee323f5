//! Packages to attack: a folder of their own, built and taken away again.

// Each test binary uses a part of this.
#![allow(dead_code)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use ackguard::rel_path::SkillResourceError;
use ackguard::sandbox::{Options, SkillRoot};
use serde_json::Value;

/// A new folder, gone when dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("ackguard-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path.canonicalize().unwrap())
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.0.join(below)
    }

    pub(crate) fn dir(&self, below: &str) -> &Self {
        fs::create_dir_all(self.path(below)).unwrap();
        self
    }

    pub(crate) fn file(&self, below: &str, content: impl AsRef<[u8]>) -> &Self {
        fs::create_dir_all(self.path(below).parent().unwrap()).unwrap();
        fs::write(self.path(below), content).unwrap();
        self
    }

    pub(crate) fn link(&self, below: &str, target: impl AsRef<Path>) -> &Self {
        fs::create_dir_all(self.path(below).parent().unwrap()).unwrap();
        symlink(target, self.path(below)).unwrap();
        self
    }

    pub(crate) fn hard_link(&self, below: &str, target: &str) -> &Self {
        fs::hard_link(self.path(target), self.path(below)).unwrap();
        self
    }

    pub(crate) fn fifo(&self, below: &str) -> &Self {
        let made = Command::new("mkfifo").arg(self.path(below)).status().unwrap();
        assert!(made.success(), "mkfifo");
        self
    }

    /// The `tree` of `rel_paths_fs.json`.
    pub(crate) fn tree(&self, tree: &Value) -> &Self {
        for step in tree.as_array().unwrap() {
            let text = |name: &str| step[name].as_str().unwrap_or_default();
            match text("op") {
                "dir" => self.dir(text("path")),
                "file" => self.file(text("path"), text("content")),
                "symlink" => self.link(text("path"), text("target")),
                "abs_symlink" => self.link(text("path"), self.path(text("target"))),
                "hardlink" => self.hard_link(text("path"), text("target")),
                "fifo" => self.fifo(text("path")),
                op => panic!("unknown step {op}"),
            };
        }
        self
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The same package through both implementations.
pub(crate) fn both(dir: &Path, options: &Options) -> [(&'static str, SkillRoot); 2] {
    [
        ("openat2", SkillRoot::open(dir, options.clone()).unwrap()),
        ("fallback", SkillRoot::open(dir, options.clone().with_fallback()).unwrap()),
    ]
}

/// `ok`, or the reason of the refusal.
pub(crate) fn outcome<T>(answer: &Result<T, SkillResourceError>) -> &'static str {
    match answer {
        Ok(_) => "ok",
        Err(error) => error.reason().as_str(),
    }
}
