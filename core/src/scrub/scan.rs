//! The one pass over every byte: where something might be.
//!
//! Three bytes at a time are looked up in a table of the beginnings of everything that is worth a closer look, and
//! the fourth confirms it. What is not in the table costs a few instructions a byte, and that is all that clean prose
//! pays.

use super::{chinese, fold, shapes, words};
use crate::table::{Table, table};

/// Beginnings of what only details must not hold: names of the inside, the first names of connection strings, the heads
/// of stack traces.
const DETAILS: &[&[u8; 4]] = &[
    b"loca", b"jdbc", b"serv", b"data", b"host", b"user", b"uid=", b"init", b"defa", b"acco", b"endp",
    b"driv", b"prov", b"addr", b"port", b"dbna", b"trac", b"pani", b"goro", b"stac", b"exce", b".loc",
    b".int", b".svc", b".lan", b".cor", b".hom", b"fe80", b".jav", b".kt:", b".js:", b".ts:", b".mjs",
    b".cs:", b"fc00", b"fd0\0", b"fd1\0", b"fd2\0", b"fda\0", b"fdb\0", b"fdc\0", b"fdd\0", b"fde\0",
    b"fdf\0",
];

/// Beginnings that are neither a label's nor a shape's: PEM blocks, options of command lines.
const OTHERS: &[&[u8; 4]] = &[b"----", b"-u \0", b"-a \0", b"-p \0", b"--us", b"--pr"];

/// Bytes that are looked at whatever stands around them.
const ALWAYS: &[u8] = b"?#@/\\{[";
/// In details a line may begin a stack trace.
const LINE: u8 = b'\n';

/// Beside a byte's class: one of [`ALWAYS`] or a line's end. So high that it is out of the way when three classes are put
/// together.
const STOP: u32 = 1 << 31;
/// Beside a byte's class: a disguise may begin with it.
const ODD: u32 = 1 << 30;

/// What one set of rules looks for.
#[derive(Debug)]
pub(super) struct Tables {
    classes: Table<256>,
    /// One bit for each triple of classes; behind them, from [`FOLLOWERS`] on, which classes may follow a triple. There
    /// triples share places.
    beginnings: Table<{ 2 * FOLLOWERS }>,
}

const FOLLOWERS: usize = 1024;

/// For `auth_hint`.
static HINT: Tables = Tables { classes: table!(classes(false)), beginnings: table!(beginnings(false)) };
/// For `details`.
static DETAIL: Tables = Tables { classes: table!(classes(true)), beginnings: table!(beginnings(true)) };

/// What [`next`] looks for.
pub(super) fn tables(details: bool) -> &'static Tables {
    let tables = if details { &DETAIL } else { &HINT };
    tables.classes.ready();
    tables.beginnings.ready();
    tables
}

const fn class(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' => byte & 0x1F,
        b'0'..=b'9' => 27 + byte % 3,
        b' ' | b'\n' | b'\t' | b'\r' | b',' => 0,
        b'-' | b'_' => 30,
        0x80.. => byte & 0x1F,
        _ => 31,
    }
}

#[allow(clippy::indexing_slicing)] // evaluated by the compiler
const fn classes(details: bool) -> [u32; 256] {
    let mut classes = [0; 256];
    let mut byte = 0_u8;
    loop {
        classes[byte as usize] = class(byte) as u32 | if fold::is_odd(byte) { ODD } else { 0 };
        if byte == u8::MAX {
            break;
        }
        byte += 1;
    }
    let mut at = 0;
    while at < ALWAYS.len() {
        classes[ALWAYS[at] as usize] |= STOP;
        at += 1;
    }
    if details {
        classes[LINE as usize] |= STOP;
    }
    classes
}

type Beginnings = [u32; 2 * FOLLOWERS];

const fn follower_place(triple: u32) -> usize {
    (triple ^ triple >> 5) as usize & 1023
}

#[allow(clippy::indexing_slicing)] // evaluated by the compiler
const fn add(table: &mut Beginnings, bytes: [u8; 3], followers: u32) {
    let [a, b, c] = bytes;
    let triple = (class(a) as u32) << 10 | (class(b) as u32) << 5 | class(c) as u32;
    table[triple as usize >> 5] |= 1 << (triple & 31);
    table[FOLLOWERS + follower_place(triple)] |= followers;
}

/// A fourth byte is not told.
const ANY: u32 = u32::MAX;

const fn add_four(table: &mut Beginnings, bytes: [u8; 4]) {
    let [a, b, c, d] = bytes;
    add(table, [a, b, c], if d == 0 { ANY } else { 1 << class(d) });
}

#[allow(clippy::indexing_slicing)] // evaluated by the compiler
const fn beginnings(details: bool) -> Beginnings {
    let mut table = [0; 2 * FOLLOWERS];
    let (mut group, mut from) = (0, 0);
    while let Some((bytes, in_group, end)) = words::label_beginning(group, from) {
        let [a, b, c, _] = bytes;
        if c == 0 {
            // A word of two letters ends with what no word goes on with.
            let ends = b" _0129=";
            let mut end = 0;
            while end < ends.len() {
                add(&mut table, [a, b, ends[end]], ANY);
                end += 1;
            }
        } else {
            add_four(&mut table, bytes);
        }
        (group, from) = (in_group, end);
    }
    let mut at = 0;
    while at < OTHERS.len() {
        add_four(&mut table, *OTHERS[at]);
        at += 1;
    }
    at = 0;
    while let Some(bytes) = chinese::first_bytes(at) {
        add(&mut table, bytes, ANY);
        at += 1;
    }
    at = 0;
    while let Some(bytes) = shapes::beginning(at) {
        let [a, b, c, _] = bytes;
        if c == 0 {
            // Two letters and hexadecimal digits.
            let digits = b"0123456789abcdef";
            let mut digit = 0;
            while digit < digits.len() {
                add(&mut table, [a, b, digits[digit]], HEX);
                digit += 1;
            }
        } else {
            add_four(&mut table, bytes);
        }
        at += 1;
    }
    // A Telegram bot's token begins with digits.
    let mut digit = 0;
    while digit < 27 {
        add(&mut table, [b'0' + digit / 9, b'0' + digit / 3 % 3, b'0' + digit % 3], DIGITS);
        // The middle of a client secret of Microsoft Entra.
        add(&mut table, [b'0' + digit % 3, b'Q', b'~'], ANY);
        digit += 1;
    }
    if details {
        at = 0;
        while at < DETAILS.len() {
            add_four(&mut table, *DETAILS[at]);
            at += 1;
        }
        // 10.0.0.1, fd00:1:2, ::1
        digit = 0;
        while digit < 9 {
            add(&mut table, [b'0' + digit / 3, b'.', b'0' + digit % 3], DIGITS | 1 << 31);
            digit += 1;
        }
        add(&mut table, *b"::0", ANY);
        add(&mut table, *b"::1", ANY);
        add(&mut table, *b"::2", ANY);
        add(&mut table, *b"::f", ANY);
    }
    table
}

const DIGITS: u32 = 0b111 << 27;
/// `a` to `f` and digits.
const HEX: u32 = DIGITS | 0b111_1110;

impl Tables {
    /// The class of a byte, with what stands beside it.
    #[inline]
    fn class(&self, byte: u8) -> u32 {
        self.classes.get(usize::from(byte))
    }

    /// Whether something may be where the class of a byte has come to the classes before it. Only the last bit counts.
    #[inline]
    fn hit(&self, recent: u32, class: u32) -> u32 {
        let word = self.beginnings.get((recent >> 5 & 1023) as usize);
        word >> (recent & 31) | class >> STOP.trailing_zeros()
    }

    /// Whether this byte may follow the last three.
    #[inline]
    fn follows(&self, recent: u32, next: u8) -> bool {
        let followers = self.beginnings.get(FOLLOWERS + follower_place(recent & 0x7FFF));
        followers >> (self.class(next) & 31) & 1 != 0
    }
}

/// The next place at or after `from` that is worth a closer look: the index of the last byte of what was
/// recognised.
// Not inlined: among the caller's variables the loop would run out of registers.
#[inline(never)]
pub(super) fn next(bytes: &[u8], from: usize, tables: &Tables) -> Option<usize> {
    let mut recent = 0_u32;
    let mut at = from;
    loop {
        // Four bytes for one branch, as long as there is nothing; then one by one.
        for four in bytes.get(at..)?.as_chunks::<4>().0 {
            let [a, b, c, d] = four.map(|byte| tables.class(byte));
            let first = recent << 5 | a;
            let second = first << 5 | b;
            let third = second << 5 | c;
            let fourth = third << 5 | d;
            let hits =
                tables.hit(first, a) | tables.hit(second, b) | tables.hit(third, c) | tables.hit(fourth, d);
            if hits & 1 != 0 {
                break;
            }
            recent = fourth;
            at += 4;
        }
        at += bytes.get(at..)?.iter().position(|&byte| {
            let class = tables.class(byte);
            recent = recent << 5 | class;
            tables.hit(recent, class) & 1 != 0
        })?;
        let class = tables.class(bytes.get(at).copied()?);
        if class & STOP != 0 || tables.follows(recent, bytes.get(at + 1).copied().unwrap_or(b' ')) {
            return Some(at);
        }
        at += 1;
    }
}

/// Whether a key of small letters and underscores holds nothing, and no label: nothing that the scan knows begins in it.
/// Most keys are of this kind, and this costs a tenth of looking at their words. Where a word is shorter than three letters,
/// what it makes together with the next one would not be seen, so the answer is no.
pub(super) fn is_plain_key(key: &[u8], tables: &Tables) -> bool {
    let mut recent = 0_u32;
    let mut length = 0_u32;
    for (at, &byte) in key.iter().enumerate() {
        if byte == b'_' && length > 2 {
            length = 0;
        } else if byte.is_ascii_lowercase() {
            length += 1;
        } else {
            return false;
        }
        let class = tables.class(byte);
        recent = recent << 5 | class;
        // `pas_sword`: all words together may be one that is known, and begin with the three letters of the first.
        let follows = |next: u8| at == 2 && next == b'_' || tables.follows(recent, next);
        if tables.hit(recent, class) & 1 != 0 && follows(key.get(at + 1).copied().unwrap_or(b' ')) {
            return false;
        }
    }
    length > 2
}

/// [`fold::is_odd`], looked up.
#[inline]
pub(super) fn is_odd(byte: u8) -> bool {
    HINT.classes.ready().get(usize::from(byte)) & ODD != 0
}

/// Whether one of the bytes is such a one. All are looked at: that is quicker than asking after each.
#[inline]
pub(super) fn has_odd(bytes: &[u8]) -> bool {
    let classes = HINT.classes.ready();
    bytes.iter().fold(0, |all, &byte| all | classes.get(usize::from(byte))) & ODD != 0
}

/// Whether the byte at a hit is one of those that are looked at whatever stands around them.
pub(super) fn is_always(byte: u8) -> bool {
    ALWAYS.contains(&byte) || byte == LINE
}
