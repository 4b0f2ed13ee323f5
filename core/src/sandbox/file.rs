//! An open file of a package, and reading it within the bound.

use std::fs::File;
use std::io::{self, Read};

/// A regular file of a package, open for reading, with the size that it had when it was checked.
///
/// Reading it gives at most as many bytes as the host's bound allows, even if the file grows meanwhile;
/// [`SkillFile::into_file`] gives the file itself, whose reader then has to keep to a bound.
#[derive(Debug)]
pub struct SkillFile {
    file: File,
    size: u64,
    left: u64,
}

impl SkillFile {
    pub(super) const fn new(file: File, size: u64, max_size: u64) -> Self {
        Self { file, size, left: max_size }
    }

    /// The size in bytes when the file was checked.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The open file, for hosts that hand it on.
    #[must_use]
    pub fn into_file(self) -> File {
        self.file
    }
}

impl Read for SkillFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let allowed = usize::try_from(self.left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let read = self.file.read(buffer.get_mut(..allowed).unwrap_or_default())?;
        self.left = self.left.saturating_sub(read as u64);
        Ok(read)
    }
}

pub(super) enum ReadError {
    TooLarge(u64),
    Io,
}

/// How much is made room for at once: a size is only a claim until the bytes are there.
const STEP: usize = 1024 * 1024;

/// Reads all of a file that had `size` bytes when it was checked, and never more than `max_size`.
pub(super) fn read_bounded(mut file: File, size: u64, max_size: u64) -> Result<Vec<u8>, ReadError> {
    let claimed = usize::try_from(size).unwrap_or(usize::MAX);
    let mut bytes = Vec::new();
    loop {
        // One byte more than is expected: a read that does not fill it has met the end.
        let room = claimed.saturating_sub(bytes.len()).min(STEP) + 1;
        bytes.try_reserve(room).map_err(|_| ReadError::Io)?;
        let read = match fill(&mut file, &mut bytes) {
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return Err(ReadError::Io),
        };
        let total = bytes.len() as u64;
        if total > max_size {
            let now = file.metadata().map_or(total, |metadata| metadata.len().max(total));
            return Err(ReadError::TooLarge(now));
        }
        if read == 0 || (total == size && read < room) {
            return Ok(bytes);
        }
    }
}

/// One read into the spare room of `bytes`.
#[cfg(unix)]
fn fill(file: &mut File, bytes: &mut Vec<u8>) -> io::Result<usize> {
    Ok(rustix::io::read(&*file, rustix::buffer::spare_capacity(bytes))?)
}

/// One read of at most a step, through a buffer, for want of a safe way into spare room.
#[cfg(not(unix))]
fn fill(file: &mut File, bytes: &mut Vec<u8>) -> io::Result<usize> {
    let room = bytes.capacity() - bytes.len();
    let before = bytes.len();
    file.take(room as u64).read_to_end(bytes)?;
    Ok(bytes.len() - before)
}
