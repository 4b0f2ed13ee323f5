//! Opening one file of a SKILL package, and nothing else, whatever the package has in it.
//!
//! # Threats
//!
//! The package's author, and whoever writes the `rel_path`, are not trusted: there may be links to the outside,
//! hard links to the secrets that the host put into the package, FIFOs, devices, odd names; and all of it may
//! change while a call runs. What is promised: no byte from outside the package or of a forbidden file is
//! given out, nothing outside is looked at (so that no answer, and no system call, tells whether something
//! exists there), no call waits for anyone, and no answer has more bytes than the bound.
//!
//! The file that was checked is the file that is opened: a [`SkillRoot`] holds the directory itself, not its
//! name, and everything is reached from there, one component at a time and never through a link. Links are
//! followed by this module and not by the kernel, which could not be stopped at the border without having
//! looked across it. Where the kernel has `openat2`, it opens in one call what has no link on the way.
//!
//! ```
//! use ackguard::rel_path::SkillResourceReason;
//! use ackguard::sandbox::{Options, SkillRoot};
//!
//! # let dir = std::env::temp_dir().join(format!("ackguard-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&dir)?;
//! # std::fs::write(dir.join("SKILL.md"), "body")?;
//! # std::fs::write(dir.join(".skillenv"), "TOKEN=x")?;
//! let package = SkillRoot::open(&dir, Options::default())?;
//! assert_eq!(package.read(None)?, b"body");
//! let refused = package.read(".skillenv").unwrap_err();
//! assert_eq!(refused.reason(), SkillResourceReason::Forbidden);
//! # std::fs::remove_dir_all(&dir)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(unix)]
mod alias;
mod file;
mod root_error;
#[cfg(unix)]
mod unix;
#[cfg(unix)]
mod walk;
#[cfg(windows)]
mod windows;
#[cfg(any(windows, test))]
mod windows_names;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::rel_path::{self, Forbidden, Sight, SkillResourceError, SkillResourceReason};

pub use file::SkillFile;
pub use root_error::RootError;
#[cfg(unix)]
use unix as imp;
#[cfg(windows)]
use windows as imp;

/// The bound on the size of a file unless the host sets another: 100 MiB.
pub const DEFAULT_MAX_SIZE: u64 = 100 * 1024 * 1024;

/// The longest path, in bytes: what a kernel has room for, so that walking it in pieces finds no more.
const MAX_PATH: usize = 4095;

/// What a package may give out.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// The largest file that is served, in bytes.
    pub max_size: u64,
    /// The names that are never served.
    pub forbidden: Forbidden,
    fallback: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { max_size: DEFAULT_MAX_SIZE, forbidden: Forbidden::default(), fallback: false }
    }
}

impl Options {
    /// Sets the largest file that is served, in bytes.
    #[must_use]
    pub const fn with_max_size(mut self, max_size: u64) -> Self {
        self.max_size = max_size;
        self
    }

    /// Sets the names that are never served.
    #[must_use]
    pub fn with_forbidden(mut self, forbidden: Forbidden) -> Self {
        self.forbidden = forbidden;
        self
    }

    /// Does without `openat2` even where the kernel has it, for the tests of what older kernels get.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_fallback(mut self) -> Self {
        self.fallback = true;
        self
    }
}

/// The directory of a SKILL package, held open (spec: rel_path, the file system).
///
/// Renaming the directory, or putting another in its place, changes nothing for a root that is open.
/// Every method checks the text of the `rel_path` first, as [`rel_path::check`] does; `None` and the empty
/// text stand for `SKILL.md`.
#[derive(Debug)]
pub struct SkillRoot {
    dir: imp::Dir,
    options: Options,
}

impl SkillRoot {
    /// Opens the directory of a package, whose path has to come from the host's registry.
    ///
    /// # Errors
    ///
    /// [`RootError`] if it is missing, no directory, or cannot be read and searched.
    pub fn open(dir: impl AsRef<Path>, options: Options) -> Result<Self, RootError> {
        Ok(Self { dir: imp::Dir::open(dir.as_ref(), &options)?, options })
    }

    /// Opens a file for reading.
    ///
    /// # Errors
    ///
    /// [`SkillResourceError`], code 4017:
    /// - `traversal` if the text or a link leads out of the package, whether or not there is anything;
    /// - `forbidden` if the text or a link leads to a forbidden file, whether or not it is there, and for a hard
    ///   link to one that is in the package;
    /// - `not_found` if there is no such regular file that this process may read: missing, a directory, a FIFO,
    ///   a device, a socket, a link that leads nowhere or in circles, a name that is too long;
    /// - `too_large` if it has more bytes than the bound.
    #[inline]
    pub fn open_file<'r>(
        &self,
        rel_path: impl Into<Option<&'r str>>,
    ) -> Result<SkillFile, SkillResourceError> {
        let rel_path = rel_path.into();
        let (found, size) = self.find(rel_path)?;
        Ok(SkillFile::new(found.file, size, self.options.max_size))
    }

    /// Reads a whole file, at most as many bytes as the bound allows.
    ///
    /// # Errors
    ///
    /// As [`SkillRoot::open_file`]; also `too_large` if the file grows beyond the bound while it is read, and
    /// `not_found` if reading fails.
    pub fn read<'r>(&self, rel_path: impl Into<Option<&'r str>>) -> Result<Vec<u8>, SkillResourceError> {
        let rel_path = rel_path.into();
        let (found, size) = self.find(rel_path)?;
        match file::read_bounded(found.file, size, self.options.max_size) {
            Ok(bytes) => Ok(bytes),
            Err(file::ReadError::TooLarge(size)) => Err(SkillResourceError::too_large(rel_path, size)),
            Err(file::ReadError::Io) => Err(SkillResourceError::new(SkillResourceReason::NotFound, rel_path)),
        }
    }

    /// The real path of a file, every link resolved, for hosts that must have one.
    ///
    /// It leads to the file that was found at the time of the call, also if the package has been moved since it was
    /// opened. What is behind a path can change at any time: prefer [`SkillRoot::open_file`] and
    /// [`SkillRoot::read`], which cannot be deceived that way.
    ///
    /// # Errors
    ///
    /// As [`SkillRoot::open_file`]; also `not_found` if no path is known that leads to the file.
    pub fn resolve<'r>(&self, rel_path: impl Into<Option<&'r str>>) -> Result<PathBuf, SkillResourceError> {
        let rel_path = rel_path.into();
        let (found, _) = self.find(rel_path)?;
        let path = self.dir.real_path(&found);
        path.ok_or_else(|| SkillResourceError::new(SkillResourceReason::NotFound, rel_path))
    }

    /// The size of a file in bytes.
    ///
    /// # Errors
    ///
    /// As [`SkillRoot::open_file`].
    pub fn stat<'r>(&self, rel_path: impl Into<Option<&'r str>>) -> Result<u64, SkillResourceError> {
        let rel_path = rel_path.into();
        self.find(rel_path).map(|(_, size)| size)
    }

    /// The real path of the package's directory when it was opened.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// The one way to a file: its text, then the walk, then what it is.
    #[inline]
    fn find<'r>(&self, rel_path: Option<&'r str>) -> Result<(Found<'r>, u64), SkillResourceError> {
        let rel = rel_path::check(rel_path, &self.options.forbidden)?;
        self.find_checked(rel).map_err(|refusal| match refusal {
            Refusal::TooLarge(size) => SkillResourceError::too_large(rel_path, size),
            Refusal::Traversal => SkillResourceError::new(SkillResourceReason::Traversal, rel_path),
            Refusal::Forbidden => SkillResourceError::new(SkillResourceReason::Forbidden, rel_path),
            Refusal::NotFound => SkillResourceError::new(SkillResourceReason::NotFound, rel_path),
        })
    }

    #[inline]
    fn find_checked<'r>(&self, rel: Cow<'r, str>) -> Result<(Found<'r>, u64), Refusal> {
        // The package itself is no file, and a longer path is one that no kernel takes in one piece.
        if rel.is_empty() || rel.len() > MAX_PATH {
            return Err(Refusal::NotFound);
        }
        // A case-folding directory ignores more code points than the page's list has.
        if !rel.is_ascii() && self.options.forbidden.matches_components(rel.split('/'), Sight::Native) {
            return Err(Refusal::Forbidden);
        }
        let found = self.dir.find(rel, &self.options)?;
        let size = self.dir.admit(&found, &self.options)?;
        if size > self.options.max_size {
            return Err(Refusal::TooLarge(size));
        }
        Ok((found, size))
    }
}

/// An open file and the way to it: below the root, and without links.
struct Found<'r> {
    file: std::fs::File,
    path: Cow<'r, Path>,
}

/// Why a file is not served, before the caller's own text is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refusal {
    Traversal,
    Forbidden,
    NotFound,
    TooLarge(u64),
}
