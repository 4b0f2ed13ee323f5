//! The files of a SKILL package.

use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};

use ackguard::sandbox::{self, Options};

use crate::error::{AckguardError, guarded};
use crate::names::forbidden;

/// The folder of a SKILL package, held open; nothing outside it is ever read. Every method reads the file
/// system and so may wait for it.
#[derive(Debug, uniffi::Object)]
pub struct SkillRoot(sandbox::SkillRoot);

#[uniffi::export]
impl SkillRoot {
    /// Opens the folder at `path`, which has to come from the host's own registry.
    ///
    /// `max_size` is the largest file that is served, in bytes (100 MiB unless given); `forbid` and
    /// `credentials` are as for `check_rel_path`. Throws `PackageUnusable`.
    #[uniffi::constructor(default(max_size = None, forbid = [], credentials = false))]
    pub fn new(
        path: String,
        max_size: Option<u64>,
        forbid: Vec<String>,
        credentials: bool,
    ) -> Result<Arc<Self>, AckguardError> {
        guarded(|| {
            let mut options = Options::default().with_forbidden(forbidden(forbid, credentials));
            if let Some(max_size) = max_size {
                options = options.with_max_size(max_size);
            }
            Ok(Arc::new(Self(sandbox::SkillRoot::open(path, options)?)))
        })
    }

    /// The content of a file; `SKILL.md` unless a path is given. Throws `SkillResourceRefused`.
    #[uniffi::method(default(rel_path = None))]
    pub fn read(&self, rel_path: Option<String>) -> Result<Vec<u8>, AckguardError> {
        guarded(|| Ok(self.0.read(rel_path.as_deref())?))
    }

    /// Opens a file for reading bit by bit. Throws `SkillResourceRefused`.
    #[uniffi::method(default(rel_path = None))]
    pub fn open(&self, rel_path: Option<String>) -> Result<Arc<SkillFile>, AckguardError> {
        guarded(|| {
            let file = self.0.open_file(rel_path.as_deref())?;
            Ok(Arc::new(SkillFile { size: file.size(), file: Mutex::new(file) }))
        })
    }

    /// The path of a file, for showing only: what stands there may change before it is opened. Throws
    /// `SkillResourceRefused`.
    #[uniffi::method(default(rel_path = None))]
    pub fn resolve(&self, rel_path: Option<String>) -> Result<String, AckguardError> {
        guarded(|| {
            let path = self.0.resolve(rel_path.as_deref())?.into_os_string().into_string();
            path.map_err(|_| AckguardError::misuse("the file's path is not Unicode"))
        })
    }

    /// The size of a file in bytes. Throws `SkillResourceRefused`.
    #[uniffi::method(default(rel_path = None))]
    pub fn size(&self, rel_path: Option<String>) -> Result<u64, AckguardError> {
        guarded(|| Ok(self.0.stat(rel_path.as_deref())?))
    }
}

/// A file of a SKILL package, open for reading.
#[derive(Debug, uniffi::Object)]
pub struct SkillFile {
    size: u64,
    file: Mutex<sandbox::SkillFile>,
}

/// The most bytes that one call reads.
const MOST: u32 = 1024 * 1024;

#[uniffi::export]
impl SkillFile {
    /// The size in bytes when it was checked.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The next bytes, at most `limit` and at most 1 MiB; none at the end. Never gives more in all than the
    /// bound of the root allows, even if the file grows.
    pub fn read(&self, limit: u32) -> Result<Vec<u8>, AckguardError> {
        guarded(|| {
            let mut bytes = vec![0; usize::try_from(limit.min(MOST)).unwrap_or_default()];
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            let read = loop {
                match file.read(&mut bytes) {
                    Ok(read) => break read,
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                    Err(error) => {
                        return Err(AckguardError::PackageUnusable {
                            path: String::new(),
                            text: format!("the file cannot be read: {}", error.kind()),
                        });
                    }
                }
            };
            bytes.truncate(read);
            Ok(bytes)
        })
    }
}
