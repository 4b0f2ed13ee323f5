//! One file of a log: plain or gzip, told apart by its first bytes.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use indicatif::ProgressBar;

use crate::cli::{Failure, input};
use crate::code::Text;

const GZIP: &[u8] = &[0x1F, 0x8B];
const BOM: &[u8] = &[0xEF, 0xBB, 0xBF];

/// Looks at a file without reading it and gives its length, if it has one. A pipe is not opened: it can be
/// opened only once.
pub(super) fn check(file: &OsStr) -> Result<Option<u64>, Failure> {
    if file == "-" {
        return Ok(None);
    }
    let meta =
        fs::metadata(Path::new(file)).map_err(|error| input::cannot_read(file, &input::words(&error)))?;
    if meta.is_file() || meta.is_dir() {
        input::open(file)?;
    }
    Ok(meta.is_file().then_some(meta.len()))
}

/// Counts what is read of the file itself, for the progress bar.
struct Counting<'a> {
    inner: Box<dyn Read + 'a>,
    bar: &'a ProgressBar,
}

impl Read for Counting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.bar.inc(count as u64);
        Ok(count)
    }
}

type Raw<'a> = io::Chain<Cursor<Vec<u8>>, Counting<'a>>;

enum Unpacked<'a> {
    Plain(Raw<'a>),
    Gzip(Box<MultiGzDecoder<BufReader<Raw<'a>>>>),
}

/// The text of a log as it was before it was packed, without a byte order mark.
pub(super) struct Source<'a> {
    text: Unpacked<'a>,
    /// Read ahead, to look at it.
    head: Cursor<Vec<u8>>,
    foreign: Option<Text>,
    damage: Option<&'static str>,
}

impl<'a> Source<'a> {
    pub(super) fn new(inner: Box<dyn Read + 'a>, bar: &'a ProgressBar) -> io::Result<Self> {
        let mut raw = Counting { inner, bar };
        let head = read_head(&mut raw)?;
        let gzip = head.starts_with(GZIP);
        let raw = Cursor::new(head).chain(raw);
        let text = if gzip {
            Unpacked::Gzip(Box::new(MultiGzDecoder::new(BufReader::with_capacity(64 * 1024, raw))))
        } else {
            Unpacked::Plain(raw)
        };
        let mut source = Self { text, head: Cursor::default(), foreign: None, damage: None };
        let head = read_head(&mut source)?;
        source.foreign = input::foreign(&head);
        source.head = Cursor::new(head);
        if source.head.get_ref().starts_with(BOM) {
            source.head.set_position(BOM.len() as u64);
        }
        Ok(source)
    }

    /// What it is, if it is no JSON text at all.
    pub(super) fn foreign(&self) -> Option<Text> {
        self.foreign
    }

    /// What is wrong with the packed data, once it has been read to its end.
    pub(super) fn damage(&self) -> Option<&'static str> {
        self.damage
    }
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.head.fill_buf()?.is_empty() {
            return self.head.read(buffer);
        }
        match &mut self.text {
            Unpacked::Plain(raw) => raw.read(buffer),
            Unpacked::Gzip(_) if self.damage.is_some() => Ok(0),
            Unpacked::Gzip(gzip) => match gzip.read(buffer) {
                // The system's own errors have a number; the others are about the data.
                Err(error)
                    if error.raw_os_error().is_none() && error.kind() != io::ErrorKind::Interrupted =>
                {
                    self.damage = Some(if error.kind() == io::ErrorKind::UnexpectedEof {
                        "the gzip data breaks off"
                    } else {
                        "the gzip data is damaged"
                    });
                    Ok(0)
                }
                result => result,
            },
        }
    }
}

/// The first four bytes, or as many as there are.
fn read_head(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(4);
    from.take(4).read_to_end(&mut head)?;
    Ok(head)
}
