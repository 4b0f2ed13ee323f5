//! Why a package cannot be opened at all.

use std::io;
use std::path::{Path, PathBuf};

use crate::code::ErrorCode;
use crate::payload::ErrorPayload;

/// The directory of a package cannot be used. This is the host's own mistake: to others it is an internal error, and its
/// text, which names the path, is not for them.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RootError {
    /// There is nothing at this path.
    #[error("SKILL package {}: there is no such directory", path.display())]
    #[non_exhaustive]
    Missing {
        /// The path as it was given.
        path: PathBuf,
    },
    /// There is something else than a directory at this path.
    #[error("SKILL package {}: it is not a directory", path.display())]
    #[non_exhaustive]
    NotADirectory {
        /// The path as it was given.
        path: PathBuf,
    },
    /// This process may not read or search the directory.
    #[error("SKILL package {}: it cannot be read by this process", path.display())]
    #[non_exhaustive]
    NotReadable {
        /// The path as it was given.
        path: PathBuf,
    },
    /// The system could not open the directory for another reason.
    #[error("SKILL package {}: it cannot be opened", path.display())]
    #[non_exhaustive]
    Io {
        /// The path as it was given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl RootError {
    /// The path as it was given.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Missing { path }
            | Self::NotADirectory { path }
            | Self::NotReadable { path }
            | Self::Io { path, .. } => path,
        }
    }

    /// The code with which a Computer would answer: 500.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        ErrorCode::INTERNAL_ERROR
    }

    /// The payload for the wire. Where the package lies is nobody's business.
    #[must_use]
    pub fn to_payload(&self) -> ErrorPayload {
        ErrorPayload::new(self.code(), "Internal Error")
    }

    pub(super) fn new(path: &Path, source: io::Error) -> Self {
        let path = path.to_path_buf();
        match source.kind() {
            io::ErrorKind::NotFound => Self::Missing { path },
            io::ErrorKind::NotADirectory => Self::NotADirectory { path },
            io::ErrorKind::PermissionDenied => Self::NotReadable { path },
            _ => Self::Io { path, source },
        }
    }
}
