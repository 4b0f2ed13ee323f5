//! Why a text is not a SKILL name, and where. Reads no more than a bounded window of each segment.

use alloc::boxed::Box;
use core::ops::Range;

use super::{MAX_SEGMENT_LEN, MCP, SkillNameReason, is_kebab_byte, is_server_byte};
use crate::Dialect;
use crate::lossy;

/// The longest range that an error points to. The end of a segment that is too long is looked for no further
/// than this, because looking for it would cost what the bound is there to save.
const MAX_SPAN: usize = 128;

/// The rules of one kind of segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    Kebab,
    Server(Dialect),
}

/// One thing that is wrong with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) reason: SkillNameReason,
    pub(super) segment: Option<usize>,
    pub(super) span: Range<usize>,
    pub(super) rule: Rule,
}

impl Fault {
    fn new(reason: SkillNameReason, segment: Option<usize>, span: Range<usize>) -> Self {
        Self { reason, segment, span, rule: Rule::Kebab }
    }

    fn in_segment(reason: SkillNameReason, segment: usize, rule: Rule, span: Range<usize>) -> Self {
        Self { reason, segment: Some(segment), span, rule }
    }

    /// The same fault in a name that has `by` bytes in front.
    pub(super) fn shifted(mut self, by: usize) -> Self {
        self.span = self.span.start + by..self.span.end + by;
        self
    }
}

/// What is wrong with `bytes` as a whole name; `None` if nothing is.
pub(super) fn of_name(bytes: &[u8], dialect: Dialect) -> Option<Fault> {
    if bytes.is_empty() {
        return Some(Fault::new(SkillNameReason::Empty, None, 0..0));
    }
    let mut segments: [Range<usize>; 3] = [0..0, 0..0, 0..0];
    let mut start = 0;
    for (index, slot) in segments.iter_mut().enumerate() {
        let is_mcp = index == 1 && bytes.starts_with(b"mcp:");
        match segment_end(bytes, start, (is_mcp && dialect == Dialect::V0_3).then_some(dialect)) {
            End::Colon(end) => {
                *slot = start..end;
                start = end + 1;
            }
            End::Text => {
                *slot = start..bytes.len();
                return of_segments(bytes, &segments, index + 1, None, dialect);
            }
            End::TooLong => {
                *slot = start..start;
                return of_segments(bytes, &segments, index + 1, Some(index), dialect);
            }
            End::Fault(fault) => return Some(*fault),
        }
    }
    let surplus = start.saturating_sub(1);
    let end = boundary(bytes, bytes.len().min(surplus + MAX_SPAN));
    Some(Fault::new(SkillNameReason::SegmentCount, Some(segments.len()), surplus..end))
}

/// The faults of a name whose segments are known: the prefix, then each segment from the left.
fn of_segments(
    bytes: &[u8],
    segments: &[Range<usize>; 3],
    count: usize,
    too_long: Option<usize>,
    dialect: Dialect,
) -> Option<Fault> {
    let first = segments.first().cloned().unwrap_or_default();
    let three = count == segments.len();
    if three && bytes.get(first.clone()) != Some(MCP.as_bytes()) {
        return Some(Fault::new(SkillNameReason::ReservedPrefix, Some(0), first));
    }
    segments.iter().take(count).enumerate().find_map(|(index, segment)| {
        let rule = if three && index == 1 { Rule::Server(dialect) } else { Rule::Kebab };
        if too_long == Some(index) {
            return Some(overlong(bytes, segment.start, index, rule));
        }
        of_segment(bytes.get(segment.clone())?, index, rule).map(|fault| fault.shifted(segment.start))
    })
}

/// What is wrong with one segment by itself. A colon is one more character that does not belong.
pub(super) fn of_segment(segment: &[u8], index: usize, rule: Rule) -> Option<Fault> {
    let fault = |reason, span| Some(Fault::in_segment(reason, index, rule, span));
    let (Some(first), Some(last)) = (segment.first(), segment.last()) else {
        return fault(SkillNameReason::EmptySegment, 0..0);
    };
    let (fits, bounded): (fn(u8) -> bool, bool) = match rule {
        Rule::Kebab => (is_kebab_byte, true),
        Rule::Server(dialect) => (is_server_byte, dialect == Dialect::V0_2),
    };
    if bounded && segment.len() > MAX_SEGMENT_LEN {
        return Some(overlong(segment, 0, index, rule));
    }
    if let Some(at) = segment.iter().position(|&b| !fits(b)) {
        return fault(SkillNameReason::BadChar, at..at + char_len(segment, at));
    }
    let doubled = |byte: u8| {
        let start = segment.windows(2).position(|pair| pair == [byte, byte])?;
        let run = segment.iter().skip(start).take_while(|&&b| b == byte).take(MAX_SPAN).count();
        Some(start..start + run)
    };
    match rule {
        Rule::Kebab if *first == b'-' => fault(SkillNameReason::LeadingHyphen, 0..1),
        Rule::Kebab if *last == b'-' => {
            fault(SkillNameReason::TrailingHyphen, segment.len() - 1..segment.len())
        }
        Rule::Kebab => doubled(b'-').and_then(|span| fault(SkillNameReason::DoubleHyphen, span)),
        Rule::Server(Dialect::V0_2) => None,
        Rule::Server(Dialect::V0_3) => {
            doubled(b'_').and_then(|span| fault(SkillNameReason::DoubleUnderscore, span))
        }
    }
}

fn overlong(bytes: &[u8], start: usize, index: usize, rule: Rule) -> Fault {
    let rest = bytes.get(start..).unwrap_or_default();
    let window = rest.get(..MAX_SPAN).unwrap_or(rest);
    let len = colon(window).unwrap_or(window.len());
    let end = boundary(bytes, start + len);
    Fault::in_segment(SkillNameReason::TooLong, index, rule, start..end)
}

/// The place of the first colon. Most windows that get here have none, and saying so takes a few instructions
/// for all of their bytes together.
fn colon(window: &[u8]) -> Option<usize> {
    if window.contains(&b':') { window.iter().position(|&b| b == b':') } else { None }
}

enum End {
    /// The segment ends before the colon at this place.
    Colon(usize),
    /// The segment is the last.
    Text,
    /// The segment has more bytes than a segment may have, and where it ends was not looked for.
    TooLong,
    /// The segment cannot be right whatever follows it.
    Fault(Box<Fault>),
}

/// Where the segment at `start` ends. `unbounded` is given for a server that may be longer than the bound.
fn segment_end(bytes: &[u8], start: usize, unbounded: Option<Dialect>) -> End {
    let rest = bytes.get(start..).unwrap_or_default();
    let window = rest.get(..=MAX_SEGMENT_LEN).unwrap_or(rest);
    if let Some(len) = colon(window) {
        return End::Colon(start + len);
    }
    if rest.len() <= MAX_SEGMENT_LEN {
        return End::Text;
    }
    let Some(dialect) = unbounded else { return End::TooLong };
    // Past the bound the first byte that no server may have is the end of the search: looking behind it for
    // a colon would let a long text cost more than its first bad byte.
    let mut before = 0;
    for (at, &b) in rest.iter().enumerate() {
        let broken = if b == b':' {
            return End::Colon(start + at);
        } else if !is_server_byte(b) {
            (SkillNameReason::BadChar, at..at + char_len(rest, at))
        } else if b == b'_' && before == b'_' {
            (SkillNameReason::DoubleUnderscore, at - 1..at + 1)
        } else {
            before = b;
            continue;
        };
        let fault = Fault::in_segment(broken.0, 1, Rule::Server(dialect), broken.1);
        return End::Fault(Box::new(fault.shifted(start)));
    }
    End::TooLong
}

/// How many bytes the character (or the broken piece of one) at `at` has.
fn char_len(bytes: &[u8], at: usize) -> usize {
    let end = bytes.len().min(at + 4);
    let Some(piece) = bytes.get(at..end) else { return 1 };
    let (valid, broken) = lossy::chunk(piece);
    valid.chars().next().map_or(broken.max(1), char::len_utf8)
}

/// `at`, or the start of the UTF-8 character that it would split.
fn boundary(bytes: &[u8], at: usize) -> usize {
    let is_continuation = |i: usize| bytes.get(i).is_some_and(|&b| b & 0xC0 == 0x80);
    // More than three continuation bytes in a row are not UTF-8, and then any place is as good as another.
    (at.saturating_sub(3)..=at).rev().find(|&i| !is_continuation(i)).unwrap_or(at)
}
