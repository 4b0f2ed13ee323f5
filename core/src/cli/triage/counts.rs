//! What one worker has counted.

use memchr::memmem::Finder;

use super::Settings;
use crate::Dialect;
use crate::cli::frame;
use crate::json::TextNode;
use crate::payload::{Classified, Kind, classify_json, classify_record};
use crate::tally::{Entry, Memory, Tally};

/// What is wrong with a line as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fault {
    NotJson,
    TooLong,
}

impl Fault {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::NotJson => "not_json",
            Self::TooLong => "too_long",
        }
    }
}

/// A line that could not be classified, by its place: all that is said of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Broken {
    pub(super) file: usize,
    /// Counted from 1.
    pub(super) line: u64,
    /// The byte of the line at which it stops being JSON, counted from 0.
    pub(super) at: u64,
    /// Where the line begins, in bytes of the unpacked file.
    pub(super) start: u64,
    pub(super) fault: Fault,
}

/// A part of a file: whole lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) file: usize,
    /// The number of its first line, from 1.
    pub(super) line: u64,
    /// Where it begins in the unpacked file.
    pub(super) start: u64,
    pub(super) text: &'a [u8],
}

pub(super) struct Counts {
    pub(super) tally: Tally,
    pub(super) not_json: u64,
    pub(super) too_long: u64,
    /// The first broken lines in the order of the files.
    pub(super) broken: Vec<Broken>,
    /// Files with damaged gzip data.
    pub(super) damaged: Vec<(usize, &'static str)>,
    named: usize,
    max_line: usize,
    dialect: Dialect,
    jsonrpc: Finder<'static>,
    memory: Memory,
}

impl Counts {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            tally: Tally::new(),
            not_json: 0,
            too_long: 0,
            broken: Vec::new(),
            damaged: Vec::new(),
            named: settings.named,
            max_line: settings.max_line,
            dialect: settings.dialect,
            jsonrpc: Finder::new(b"\"jsonrpc\""),
            memory: Memory::default(),
        }
    }

    pub(super) fn count(&mut self, part: Part<'_>) {
        let mut line = part.line;
        let mut at = 0;
        while at < part.text.len() {
            let rest = part.text.get(at..).unwrap_or_default();
            let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |newline| newline + 1);
            let text = rest.get(..length).unwrap_or_default();
            let text = text.strip_suffix(b"\n").unwrap_or(text);
            self.count_line(text, |fault, offset| Broken {
                file: part.file,
                line,
                at: offset as u64,
                start: part.start + at as u64,
                fault,
            });
            line += 1;
            at += length;
        }
    }

    fn count_line(&mut self, text: &[u8], place: impl Fn(Fault, usize) -> Broken) {
        if text.len() > self.max_line {
            self.note(place(Fault::TooLong, self.max_line));
            return;
        }
        match classify_record(text, self.dialect) {
            Ok(record) => {
                self.add(&record.payload);
                let may_be_frame = record.payload.kind() == Kind::Data
                    && record.event.is_none()
                    && self.jsonrpc.find(text).is_some();
                if may_be_frame {
                    let problem = TextNode::parse(text).ok().and_then(|node| frame::problem(&node));
                    if let Some(problem) = problem {
                        self.tally.note_frame(problem);
                    }
                }
            }
            Err(_) if text.iter().all(u8::is_ascii_whitespace) => {}
            Err(error) => {
                self.tally.add(&classify_json(b"", self.dialect));
                self.note(place(Fault::NotJson, error.offset));
            }
        }
    }

    fn add(&mut self, payload: &Classified<TextNode<'_>>) {
        match payload.text() {
            Some(text) if text.len() <= Memory::LONGEST => {
                self.tally.add_entry(self.memory.entry(text, || Entry::of(payload)));
            }
            _ => self.tally.add(payload),
        }
    }

    /// Counts a line that is broken, and keeps its place if it is among the first.
    pub(super) fn note(&mut self, broken: Broken) {
        match broken.fault {
            Fault::NotJson => self.not_json += 1,
            Fault::TooLong => self.too_long += 1,
        }
        self.broken.push(broken);
        if self.broken.len() >= 2 * self.named + 64 {
            self.keep_first();
        }
    }

    fn keep_first(&mut self) {
        self.broken.sort_unstable();
        self.broken.truncate(self.named);
    }

    pub(super) fn merge(&mut self, mut other: Self) {
        self.tally.merge(&other.tally);
        self.not_json += other.not_json;
        self.too_long += other.too_long;
        self.broken.append(&mut other.broken);
        self.keep_first();
        self.damaged.append(&mut other.damaged);
    }

    /// How many lines were read that are not empty.
    pub(super) fn lines(&self) -> u64 {
        self.tally.total() + self.too_long
    }

    pub(super) fn broken_lines(&self) -> u64 {
        self.not_json + self.too_long
    }
}
