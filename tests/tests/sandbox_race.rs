//! Somebody moves things about in the package while it is read: not one byte from outside may come out.
#![cfg(target_os = "linux")]

mod sandbox_support;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ackguard::sandbox::{Options, SkillRoot};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use sandbox_support::{Folder, outcome};

const OUTSIDE: &str = "OUTSIDE";
const BOUND: u64 = 64;

/// How long one implementation is attacked.
const TIME: Duration = Duration::from_secs(5);

fn package() -> Folder {
    let folder = Folder::new();
    folder
        .file("outside/file.txt", OUTSIDE)
        .file("outside/deep/file.txt", OUTSIDE)
        .file("SKILL.md", OUTSIDE)
        .file("pkg/SKILL.md", "inside")
        .file("pkg/dir/file.txt", "inside")
        .file("pkg/dir/deep/file.txt", "inside")
        .link("pkg/dir_out", "../outside")
        .file("pkg/plain.txt", "inside")
        .link("pkg/plain_out", "../outside/file.txt")
        .link("pkg/link", "dir/file.txt")
        .link("pkg/link_out", "../outside/file.txt")
        .link("pkg/dir/deep/up", "../../SKILL.md")
        .link("pkg/dir/deep/up_and_down", "../../dir/../plain.txt")
        .file("pkg/plain_or_fifo", "inside")
        .fifo("pkg/fifo")
        .file("pkg/log", "");
    folder
}

/// Swaps until it is told to stop: directories for links, files for links, links for links that lead out, a file
/// for a FIFO; takes a directory out of the one it is in and back; lets a file grow.
fn attack(folder: &Folder, stop: &AtomicBool) {
    let path = |below: &str| -> PathBuf { folder.path(below) };
    let swap = |a: &str, b: &str| {
        renameat_with(CWD, path(a), CWD, path(b), RenameFlags::EXCHANGE).unwrap();
    };
    let mut log = fs::OpenOptions::new().append(true).open(path("pkg/log")).unwrap();
    let mut round = 0_u32;
    while !stop.load(Ordering::Relaxed) {
        match round % 6 {
            0 => {
                swap("pkg/dir", "pkg/dir_out");
                swap("pkg/dir", "pkg/dir_out");
            }
            1 => {
                swap("pkg/plain.txt", "pkg/plain_out");
                swap("pkg/plain.txt", "pkg/plain_out");
            }
            2 => {
                swap("pkg/link", "pkg/link_out");
                swap("pkg/link", "pkg/link_out");
            }
            3 => {
                // From here `..` is the package, and one more is outside.
                fs::rename(path("pkg/dir/deep"), path("pkg/moved")).unwrap();
                fs::rename(path("pkg/moved"), path("pkg/dir/deep")).unwrap();
            }
            4 => {
                swap("pkg/plain_or_fifo", "pkg/fifo");
                swap("pkg/plain_or_fifo", "pkg/fifo");
            }
            _ => {
                log.write_all(b"0123456789").unwrap();
                if round % 64 == 5 {
                    log.set_len(0).unwrap();
                }
            }
        }
        round += 1;
    }
    assert!(round > 1000, "the attacker was too slow to matter: {round}");
}

/// Stops the attacker when it goes.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn withstand(options: Options) {
    let folder = package();
    let root = SkillRoot::open(folder.path("pkg"), options.with_max_size(BOUND)).unwrap();
    let stop = AtomicBool::new(false);
    let mut seen: BTreeMap<&str, BTreeMap<&str, u32>> = BTreeMap::new();
    let mut slowest = Duration::ZERO;
    thread::scope(|scope| {
        let attacker = scope.spawn(|| attack(&folder, &stop));
        // However this ends: the scope waits for the attacker.
        let stopping = Stop(&stop);
        let end = Instant::now() + TIME;
        while Instant::now() < end {
            for rel in [
                "dir/file.txt",
                "dir/deep/file.txt",
                "dir/deep/up",
                "dir/deep/up_and_down",
                "plain.txt",
                "link",
                "plain_or_fifo",
                "log",
                "SKILL.md",
            ] {
                let started = Instant::now();
                let read = root.read(rel);
                slowest = slowest.max(started.elapsed());
                if let Ok(bytes) = &read {
                    assert!(bytes.len() as u64 <= BOUND, "{rel}: {} bytes", bytes.len());
                    let text = String::from_utf8_lossy(bytes);
                    assert!(!text.contains(OUTSIDE), "{rel} leaks");
                    assert!(rel == "log" || text == "inside", "{rel}: {text:?}");
                }
                *seen.entry(rel).or_default().entry(outcome(&read)).or_default() += 1;
            }
        }
        drop(stopping);
        attacker.join().unwrap();
    });
    // The attack has to have hit: everything was read at times, and what was swapped was refused at times.
    for (rel, outcomes) in &seen {
        assert!(outcomes.contains_key("ok"), "{rel}: {outcomes:?}");
    }
    for rel in ["dir/file.txt", "plain.txt", "link"] {
        assert!(seen[rel].contains_key("traversal"), "{rel}: {:?}", seen[rel]);
    }
    assert!(seen["plain_or_fifo"].contains_key("not_found"), "{seen:?}");
    assert!(seen["log"].contains_key("too_large"), "{seen:?}");
    assert_eq!(seen["SKILL.md"].len(), 1, "{seen:?}");
    assert!(slowest < Duration::from_secs(2), "one read took {slowest:?}");
}

#[test]
fn swapping_while_openat2_reads() {
    withstand(Options::default());
}

#[test]
fn swapping_while_the_fallback_reads() {
    withstand(Options::default().with_fallback());
}
