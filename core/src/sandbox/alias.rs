//! Hard links: whether a file of several names has a forbidden one among them.
//!
//! A link count says that there are other names and not where, so the package is searched for forbidden names
//! of the same file. Only files with more than one name cost this.

use std::ffi::CStr;
use std::os::fd::BorrowedFd;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat, openat, statat};
use rustix::io::Errno;

use super::walk::is_forbidden as is_forbidden_name;
use crate::rel_path::Forbidden;

/// How many entries are looked at. In a package that has more, a file of several names cannot be cleared.
const MAX_ENTRIES: usize = 65_536;

/// How deep directories are entered, each of which is held open meanwhile.
const MAX_DEPTH: usize = 64;

const LISTED: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// A directory that is being searched.
struct Level {
    dir: Dir,
    /// It is forbidden itself, or in one that is: so is everything in it.
    forbidden: bool,
}

/// Whether the package below `root` has a forbidden name for the file with this `stat`. What cannot be searched
/// to the end counts as if it had one: the answer then is a refusal, and never a secret.
pub(super) fn is_forbidden(root: BorrowedFd<'_>, stat: &Stat, forbidden: &Forbidden) -> bool {
    let is_it = |dir: BorrowedFd<'_>, name: &CStr| match statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(other) => (other.st_dev, other.st_ino) == (stat.st_dev, stat.st_ino),
        // A name that may be listed and not looked at may be the one.
        Err(error) => error != Errno::NOENT,
    };
    if is_it(root, c".skillenv") {
        return true;
    }
    let Ok(dir) = openat(root, c".", LISTED, Mode::empty()).and_then(Dir::new) else { return true };
    let mut levels = vec![Level { dir, forbidden: false }];
    let mut names: Vec<Vec<u8>> = Vec::new();
    let mut entries = 0;
    loop {
        let depth = levels.len();
        let Some(level) = levels.last_mut() else { return false };
        let entry = match level.dir.next() {
            Some(Ok(entry)) => entry,
            Some(Err(_)) => return true,
            None => {
                levels.pop();
                names.pop();
                continue;
            }
        };
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        entries += 1;
        let Ok(dir) = level.dir.fd() else { return true };
        let path = || names.iter().map(Vec::as_slice).chain([name.to_bytes()]);
        let is_forbidden = level.forbidden || is_forbidden_name(forbidden, path());
        if entries > MAX_ENTRIES || (is_forbidden && is_it(dir, name)) {
            return true;
        }
        if !matches!(entry.file_type(), FileType::Directory | FileType::Unknown) {
            continue;
        }
        match openat(dir, name, LISTED, Mode::empty()) {
            Ok(_) if depth == MAX_DEPTH => return true,
            Ok(inner) => {
                let Ok(dir) = Dir::new(inner) else { return true };
                levels.push(Level { dir, forbidden: is_forbidden });
                names.push(name.to_bytes().to_vec());
            }
            // Gone meanwhile, or no directory.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => {}
            // Also where there is no permission: what is in there may be the other name.
            Err(_) => return true,
        }
    }
}
