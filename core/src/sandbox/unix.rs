//! The package's directory on Unix: one descriptor, from which everything is reached.

use std::borrow::Cow;
#[cfg(any(target_os = "linux", target_os = "android"))]
use std::os::fd::AsRawFd;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, fstat, openat, statat};
#[cfg(any(target_os = "linux", target_os = "android"))]
use rustix::fs::{ResolveFlags, openat2};
#[cfg(any(target_os = "linux", target_os = "android"))]
use rustix::io::{Errno, retry_on_intr};

use super::{Found, Options, Refusal, RootError, alias, walk};

/// How a file is opened. Nothing waits: a FIFO without a writer opens at once and is refused for what it is;
/// and a terminal in the package cannot become that of this process.
pub(super) const FILE: OFlags =
    OFlags::RDONLY.union(OFlags::CLOEXEC).union(OFlags::NONBLOCK).union(OFlags::NOCTTY);

#[derive(Debug)]
pub(super) struct Dir {
    fd: OwnedFd,
    /// The real path, and the path by which the host calls the directory: absolute links into the package may
    /// be written with either, and are only compared with them.
    real: PathBuf,
    given: PathBuf,
    #[cfg(any(target_os = "linux", target_os = "android"))]
    openat2: bool,
}

impl Dir {
    pub(super) fn open(
        dir: &Path,
        #[cfg_attr(
            not(any(target_os = "linux", target_os = "android")),
            expect(unused_variables, reason = "elsewhere there is one way only")
        )]
        options: &Options,
    ) -> Result<Self, RootError> {
        let fail = |error: std::io::Error| RootError::new(dir, error);
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let fd = openat(CWD, dir, flags, Mode::empty()).map_err(|error| fail(error.into()))?;
        // A directory that can be read and not searched would say `not_found` to everything.
        openat(&fd, ".", flags, Mode::empty()).map_err(|error| fail(error.into()))?;
        let real = dir.canonicalize().map_err(fail)?;
        let given = std::path::absolute(dir).map_err(fail)?;
        Ok(Self {
            #[cfg(any(target_os = "linux", target_os = "android"))]
            openat2: !options.fallback && has_openat2(&fd),
            fd,
            real,
            given,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.real
    }

    /// Opens what `rel` leads to. `rel` has been checked and has no `.` or `..` in it.
    #[inline]
    pub(super) fn find<'r>(&self, rel: Cow<'r, str>, options: &Options) -> Result<Found<'r>, Refusal> {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        if self.openat2 {
            match retry_on_intr(|| openat2(&self.fd, &*rel, FILE, Mode::empty(), BENEATH)) {
                Ok(file) => return Ok(Found { file: file.into(), path: as_path(rel) }),
                // There is a link on the way, or this call is not to be had (any more): one at a time.
                Err(Errno::LOOP | Errno::NOSYS | Errno::PERM | Errno::XDEV | Errno::AGAIN) => {}
                Err(_) => return Err(Refusal::NotFound),
            }
        }
        walk::find(self.fd.as_fd(), [&self.real, &self.given], &rel, options)
    }

    /// A path that leads to what was found: below the directory's path of then, or where the directory is now.
    pub(super) fn real_path(&self, found: &Found<'_>) -> Option<PathBuf> {
        let file = fstat(&found.file).ok()?;
        let leads_there = |path: &PathBuf| {
            statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW)
                .is_ok_and(|other| (other.st_dev, other.st_ino) == (file.st_dev, file.st_ino))
        };
        let below = |dir: &Path| Some(dir.join(&found.path)).filter(leads_there);
        let path = below(&self.real);
        #[cfg(any(target_os = "linux", target_os = "android"))]
        let path = path.or_else(|| {
            let held = format!("/proc/self/fd/{}", self.fd.as_raw_fd());
            below(&std::fs::read_link(held).ok()?)
        });
        path
    }

    /// The size of what was opened, if it is a regular file and no second name of a forbidden one.
    #[inline]
    pub(super) fn admit(&self, found: &Found<'_>, options: &Options) -> Result<u64, Refusal> {
        let stat = fstat(&found.file).map_err(|_| Refusal::NotFound)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(Refusal::NotFound);
        }
        if stat.st_nlink > 1 && alias::is_forbidden(self.fd.as_fd(), &stat, &options.forbidden) {
            return Err(Refusal::Forbidden);
        }
        Ok(u64::try_from(stat.st_size).unwrap_or(0))
    }
}

/// Nothing outside, and no link at all: the kernel stops at the first one without a look at where it leads.
#[cfg(any(target_os = "linux", target_os = "android"))]
const BENEATH: ResolveFlags =
    ResolveFlags::BENEATH.union(ResolveFlags::NO_SYMLINKS).union(ResolveFlags::NO_MAGICLINKS);

/// Kernels before 5.6 do not know the call, and a container's filter may forbid it with an error of its own.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn has_openat2(dir: &OwnedFd) -> bool {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    openat2(dir, ".", flags, Mode::empty(), BENEATH).is_ok()
}

pub(super) fn as_path(rel: Cow<'_, str>) -> Cow<'_, Path> {
    match rel {
        Cow::Borrowed(rel) => Cow::Borrowed(Path::new(rel)),
        Cow::Owned(rel) => Cow::Owned(PathBuf::from(rel)),
    }
}
