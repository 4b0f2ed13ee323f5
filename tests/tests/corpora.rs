//! Every input of the committed corpora, through what the fuzz targets do with it. An input that once failed lies there
//! as well, and fails here again.

// There it is a library.
#[allow(unreachable_pub)]
#[path = "../../core/fuzz/src/lib.rs"]
mod fuzz;

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

/// What `corpora.sh` keeps.
const LONGEST: usize = 4096;
const ALL: usize = 2 << 20;

fn corpus(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/fuzz/corpus").join(target);
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

fn run(name: &str) {
    let target = fuzz::TARGETS.iter().find(|(target, _)| *target == name).unwrap().1;
    let corpus = corpus(name);
    assert!(corpus.len() > 100, "the corpus is gone");
    for (path, input) in corpus {
        assert!(catch_unwind(|| target(&input)).is_ok(), "{}", path.display());
    }
}

#[test]
fn acp() {
    run("acp");
}

#[test]
fn inputs() {
    run("inputs");
}

#[test]
fn payload() {
    run("payload");
}

#[test]
fn scrub() {
    run("scrub");
}

#[test]
fn the_corpora_are_small() {
    let mut all = 0;
    for (name, _) in fuzz::TARGETS {
        for (path, input) in corpus(name) {
            assert!(input.len() <= LONGEST, "{}", path.display());
            all += input.len();
        }
    }
    assert!(all < ALL, "{all} bytes");
}
