//! The package's directory on Windows.
//!
//! There is no way with safe code to open a name in a directory that is held, so the directories on the way
//! are held open without sharing deletion: Windows then lets nobody rename, remove or replace them, nor
//! anything above them, and a path means the same until the file is open. Reparse points (links, junctions,
//! mount points) are refused wherever they are, as what they lead to cannot be checked without going there.

use std::borrow::Cow;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::windows_names::{Odd, odd};
use super::{Found, Options, Refusal, RootError};
use crate::rel_path::Forbidden;

const SHARE_READ_AND_WRITE: u32 = 0x1 | 0x2;
const OPEN_DIRECTORIES_AND_REPARSE_POINTS: u32 = 0x0200_0000 | 0x0020_0000;
const REPARSE_POINT: u32 = 0x400;
const DEVICE: u32 = 0x40;

#[derive(Debug)]
pub(super) struct Dir {
    /// Held so that the path stays what it is.
    _held: File,
    real: PathBuf,
}

impl Dir {
    pub(super) fn open(dir: &Path, _: &Options) -> Result<Self, RootError> {
        let fail = |error: io::Error| RootError::new(dir, error);
        // The canonical form begins with `\\\\?\\`, after which Windows changes nothing about a path.
        let real = dir.canonicalize().map_err(fail)?;
        let held = hold(&real).map_err(fail)?;
        if !held.metadata().map_err(fail)?.is_dir() {
            return Err(fail(io::ErrorKind::NotADirectory.into()));
        }
        Ok(Self { _held: held, real })
    }

    pub(super) fn path(&self) -> &Path {
        &self.real
    }

    pub(super) fn find<'r>(&self, rel: Cow<'r, str>, _: &Options) -> Result<Found<'r>, Refusal> {
        for component in rel.split('/') {
            match odd(component) {
                Some(Odd::Climbs) => return Err(Refusal::Traversal),
                Some(Odd::NoFile) => return Err(Refusal::NotFound),
                None => {}
            }
        }
        let mut path = self.real.clone();
        let mut held = Vec::new();
        for component in rel.split('/') {
            path.push(component);
            let file = hold(&path).map_err(|_| Refusal::NotFound)?;
            let attributes = file.metadata().map_err(|_| Refusal::NotFound)?.file_attributes();
            if attributes & REPARSE_POINT != 0 {
                return Err(Refusal::Traversal);
            }
            held.push(file);
        }
        let file = held.pop().ok_or(Refusal::NotFound)?;
        Ok(Found { file, path: Cow::Owned(rel.split('/').collect()) })
    }

    /// The path to what was found. Nobody can move the directory while it is held.
    pub(super) fn real_path(&self, found: &Found<'_>) -> Option<PathBuf> {
        Some(self.real.join(&found.path))
    }

    pub(super) fn admit(&self, found: &Found<'_>, options: &Options) -> Result<u64, Refusal> {
        let metadata = found.file.metadata().map_err(|_| Refusal::NotFound)?;
        if !metadata.is_file() || metadata.file_attributes() & DEVICE != 0 {
            return Err(Refusal::NotFound);
        }
        let identity = Identity::of(&found.file).ok_or(Refusal::NotFound)?;
        if identity.names > 1 && has_forbidden_name(&self.real, &identity, &options.forbidden) {
            return Err(Refusal::Forbidden);
        }
        Ok(metadata.len())
    }
}

fn hold(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .share_mode(SHARE_READ_AND_WRITE)
        .custom_flags(OPEN_DIRECTORIES_AND_REPARSE_POINTS)
        .open(path)
}

/// What tells one file from another, and how many names it has.
struct Identity {
    volume: u64,
    index: u64,
    names: u64,
}

impl Identity {
    fn of(file: &File) -> Option<Self> {
        let information = winapi_util::file::information(file).ok()?;
        Some(Self {
            volume: information.volume_serial_number(),
            index: information.file_index(),
            names: information.number_of_links(),
        })
    }
}

/// How many entries are looked at. In a package that has more, a file of several names cannot be cleared.
const MAX_ENTRIES: usize = 65_536;

/// Whether the package has a forbidden name for a file of several names. What cannot be searched to the end
/// counts as if it had one.
fn has_forbidden_name(root: &Path, identity: &Identity, forbidden: &Forbidden) -> bool {
    let mut pending = vec![root.to_path_buf()];
    let mut entries = 0;
    while let Some(dir) = pending.pop() {
        let Ok(listing) = std::fs::read_dir(&dir) else { return true };
        for entry in listing {
            let Ok(entry) = entry else { return true };
            entries += 1;
            if entries > MAX_ENTRIES {
                return true;
            }
            let path = entry.path();
            let Ok(metadata) = entry.metadata() else { return true };
            if metadata.file_attributes() & REPARSE_POINT != 0 {
                continue;
            }
            if metadata.is_dir() {
                pending.push(path);
                continue;
            }
            let below = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            let is_it = || {
                let other = hold(&path).ok().and_then(|file| Identity::of(&file));
                other.is_none_or(|other| (other.volume, other.index) == (identity.volume, identity.index))
            };
            if forbidden.matches(&below) && is_it() {
                return true;
            }
        }
    }
    false
}
