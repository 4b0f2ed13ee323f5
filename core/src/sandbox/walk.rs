//! The walk to a file, one component at a time, with the links followed here and not by the kernel.
//!
//! Each step opens one name in a directory that is already held, and never a link. What a link says is put in
//! front of what is left to walk; a step above the root, or an absolute link that does not begin with the
//! root's own path, ends the walk before anything out there is touched.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{Mode, OFlags, openat, readlinkat};
use rustix::io::{Errno, retry_on_intr};

use super::unix::{FILE, as_path};
use super::{Found, Options, Refusal};
use crate::rel_path::{Forbidden, Sight, text_of};

/// As many links as Linux follows in one path.
const MAX_LINKS: usize = 40;

/// How many of the directories on the way are held open, so that a deep package cannot use up the process's
/// descriptors. The others are found again by name if a link climbs back to them.
const MAX_HELD: usize = 32;

/// How many directories one walk opens: more than any path has components, and a bound on what links that climb
/// up and down can cost.
const MAX_OPENED: usize = 8192;

#[cfg(any(target_os = "linux", target_os = "android"))]
const DIRECTORY: OFlags =
    OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const DIRECTORY: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Opens what `rel` leads to. `rel` has been checked and has no `.` or `..` in it.
pub(super) fn find<'r>(
    root: BorrowedFd<'_>,
    root_names: [&Path; 2],
    rel: &Cow<'r, str>,
    options: &Options,
) -> Result<Found<'r>, Refusal> {
    let forbidden = &options.forbidden;
    let mut walk = Walk { root, steps: Vec::new(), held: VecDeque::new(), opened: 0 };
    let mut pending: Vec<Cow<'_, [u8]>> =
        rel.split('/').rev().map(|component| Cow::Borrowed(component.as_bytes())).collect();
    let mut links = 0;
    while let Some(name) = pending.pop() {
        match &*name {
            b"" | b"." => continue,
            b".." => {
                walk.climb()?;
                continue;
            }
            _ => {}
        }
        let failed = if pending.is_empty() {
            // Without a link on the way, this is the text that was checked before.
            if links > 0 && is_forbidden(forbidden, walk.steps.iter().map(Vec::as_slice).chain([&*name])) {
                return Err(Refusal::Forbidden);
            }
            let name_of = OsStr::from_bytes(&name);
            match retry_on_intr(|| openat(walk.dir(), name_of, FILE | OFlags::NOFOLLOW, Mode::empty())) {
                Ok(file) => {
                    let path = if links == 0 { as_path(rel.clone()) } else { Cow::Owned(walk.path(&name)) };
                    return Ok(Found { file: File::from(file), path });
                }
                Err(errno) => errno,
            }
        } else {
            match walk.enter(&name) {
                Ok(()) => continue,
                Err(errno) => errno,
            }
        };
        links += 1;
        if failed == Errno::NOENT || links > MAX_LINKS {
            return Err(missing(walk.steps.len(), &pending));
        }
        // What could not be opened may be a link; systems differ in what they say to one. If it is none,
        // reading it as one fails.
        let link = readlinkat(walk.dir(), OsStr::from_bytes(&name), Vec::new());
        let link = link.map_err(|_| missing(walk.steps.len(), &pending))?;
        let mut target = link.as_bytes();
        if target.first() == Some(&b'/') {
            target = inside(root_names, target).ok_or(Refusal::Traversal)?;
            walk.restart();
        }
        let components: Vec<&[u8]> = target.split(|&b| b == b'/').collect();
        let climbs = components.iter().filter(|c| !is_idle(c)).take_while(|c| **c == b"..").count();
        if climbs > walk.steps.len() {
            return Err(Refusal::Traversal);
        }
        // Before a step is taken: what the link leads to is forbidden whether or not it is there.
        if leads_to_forbidden(forbidden, &walk.steps, &components, &pending) {
            return Err(Refusal::Forbidden);
        }
        pending.extend(components.iter().rev().map(|component| Cow::Owned(component.to_vec())));
    }
    // The walk has ended on a directory.
    Err(Refusal::NotFound)
}

/// What is said of a name that leads nowhere, `depth` directories below the root: a link that would have climbed out after
/// it leaves all the same.
fn missing(depth: usize, pending: &[Cow<'_, [u8]>]) -> Refusal {
    let mut names = pending.iter().rev().filter(|name| !is_idle(name));
    let inside =
        names.try_fold(
            depth + 1,
            |depth, name| {
                if **name == *b".." { depth.checked_sub(1) } else { Some(depth + 1) }
            },
        );
    if inside.is_some() { Refusal::NotFound } else { Refusal::Traversal }
}

/// Where a walk is: the names below the root, and the last directories of them, held open.
struct Walk<'d> {
    root: BorrowedFd<'d>,
    steps: Vec<Vec<u8>>,
    held: VecDeque<OwnedFd>,
    opened: usize,
}

impl Walk<'_> {
    fn dir(&self) -> BorrowedFd<'_> {
        self.held.back().map_or(self.root, AsFd::as_fd)
    }

    fn enter(&mut self, name: &[u8]) -> Result<(), Errno> {
        self.hold(name)?;
        self.steps.push(name.to_vec());
        Ok(())
    }

    fn hold(&mut self, name: &[u8]) -> Result<(), Errno> {
        self.opened += 1;
        if self.opened > MAX_OPENED {
            return Err(Errno::NOENT);
        }
        let name = OsStr::from_bytes(name);
        let dir = retry_on_intr(|| openat(self.dir(), name, DIRECTORY, Mode::empty()))?;
        if self.held.len() == MAX_HELD {
            self.held.pop_front();
        }
        self.held.push_back(dir);
        Ok(())
    }

    /// One step up, to the directory that the walk came from: what `..` is in a directory that somebody moves
    /// meanwhile is not asked.
    fn climb(&mut self) -> Result<(), Refusal> {
        self.steps.pop().ok_or(Refusal::Traversal)?;
        self.held.pop_back();
        if self.held.is_empty() {
            for name in std::mem::take(&mut self.steps) {
                self.enter(&name).map_err(|_| Refusal::NotFound)?;
            }
        }
        Ok(())
    }

    fn restart(&mut self) {
        self.steps.clear();
        self.held.clear();
    }

    fn path(&self, name: &[u8]) -> PathBuf {
        let steps = self.steps.iter().map(Vec::as_slice);
        steps.chain([name]).map(|step| Path::new(OsStr::from_bytes(step))).collect()
    }
}

fn is_idle(component: &[u8]) -> bool {
    matches!(component, b"" | b".")
}

/// What is left of an absolute link below the root, if it begins with one of the root's own paths. Nothing is
/// looked up: a link that takes another way to the same place is one that leaves.
fn inside<'t>(root_names: [&Path; 2], target: &'t [u8]) -> Option<&'t [u8]> {
    root_names.into_iter().find_map(|root| {
        let mut rest = target;
        for component in root.components() {
            let name = match component {
                Component::RootDir => continue,
                Component::Normal(name) => name.as_bytes(),
                _ => return None,
            };
            rest = skip_idle(rest).strip_prefix(name)?;
            if rest.first().is_some_and(|&b| b != b'/') {
                return None;
            }
        }
        Some(skip_idle(rest))
    })
}

fn skip_idle(mut path: &[u8]) -> &[u8] {
    loop {
        path = match path {
            [b'/', rest @ ..] | [b'.', rest @ ..] if matches!(path, [b'/', ..] | [b'.', b'/', ..]) => rest,
            _ => return path,
        };
    }
}

/// Whether a link's text, or the path that it makes with what is before and after it, has a forbidden name.
fn leads_to_forbidden(
    forbidden: &Forbidden,
    steps: &[Vec<u8>],
    components: &[&[u8]],
    pending: &[Cow<'_, [u8]>],
) -> bool {
    if is_forbidden(forbidden, components.iter().copied()) {
        return true;
    }
    let mut path: Vec<&[u8]> = steps.iter().map(Vec::as_slice).collect();
    for &component in components.iter().chain(pending.iter().rev().map(|c| &**c).collect::<Vec<_>>().iter()) {
        match component {
            b".." => drop(path.pop()),
            _ => path.push(component),
        }
    }
    is_forbidden(forbidden, path.into_iter())
}

/// Whether there is a forbidden name among components that came from the file system.
pub(super) fn is_forbidden<'a>(forbidden: &Forbidden, components: impl Iterator<Item = &'a [u8]>) -> bool {
    let texts: Vec<Cow<'_, str>> = components.map(text_of).collect();
    // A stream of a file, and a separator of another system, may be in a link although not in a rel_path.
    let pieces = || texts.iter().flat_map(|text| text.split([':', '\\']));
    forbidden.matches_components(pieces(), Sight::Lexical)
        || forbidden.matches_components(pieces(), Sight::Native)
}
