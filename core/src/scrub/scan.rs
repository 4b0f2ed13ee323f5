//! The one pass over every byte: where something might be.
//!
//! Three bytes at a time are looked up in a table of the beginnings of everything that is worth a closer look, and
//! the fourth confirms it. What is not in the table costs a few instructions a byte, and that is all that clean prose
//! pays.

use super::{chinese, shapes, words};

/// Beginnings that are neither a label's nor a shape's: schemes of the Authorization header, PEM blocks.
const OTHERS: &[&[u8; 4]] = &[b"basi", b"nego", b"ntlm", b"dpop", b"ente", b"----"];

/// Bytes that are looked at whatever stands around them.
const ALWAYS: &[u8] = b"?#@/\\{[";

const STOP: u8 = 0x80;
const CLASS: [u8; 256] = classes();
/// One bit for each triple of classes.
static TRIPLES: [u32; 1024] = tables().0;
/// Which classes may follow a triple; triples share places.
static FOLLOWERS: [u32; 1024] = tables().1;

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
const fn classes() -> [u8; 256] {
    let mut classes = [0; 256];
    let mut byte = 0_u8;
    loop {
        classes[byte as usize] = class(byte);
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
    classes
}

const fn follower_place(triple: u32) -> usize {
    (triple ^ triple >> 5) as usize & 1023
}

type Tables = ([u32; 1024], [u32; 1024]);

#[allow(clippy::indexing_slicing)] // evaluated by the compiler
const fn add(mut tables: Tables, bytes: [u8; 3], followers: u32) -> Tables {
    let [a, b, c] = bytes;
    let triple = (class(a) as u32) << 10 | (class(b) as u32) << 5 | class(c) as u32;
    tables.0[triple as usize >> 5] |= 1 << (triple & 31);
    tables.1[follower_place(triple)] |= followers;
    tables
}

/// What may follow a word of three letters: no letter but a plural's, or the next word's in camel case.
const ANY: u32 = u32::MAX;

#[allow(clippy::indexing_slicing)] // evaluated by the compiler
const fn tables() -> Tables {
    let mut tables = ([0; 1024], [0; 1024]);
    let (mut group, mut from) = (0, 0);
    while let Some((bytes, in_group, end)) = words::label_beginning(group, from) {
        let [a, b, c, d] = bytes;
        // A word of two letters has any third.
        if c == 0 {
            let mut third = 0;
            while third < 32 {
                tables = add(tables, [a, b, b'a' + third % 26], ANY);
                third += 1;
            }
            tables = add(tables, [a, b, b'0'], ANY);
            tables = add(tables, [a, b, b'1'], ANY);
            tables = add(tables, [a, b, b'2'], ANY);
            tables = add(tables, [a, b, b' '], ANY);
            tables = add(tables, [a, b, b'_'], ANY);
            tables = add(tables, [a, b, b':'], ANY);
        } else {
            tables = add(tables, [a, b, c], if d == 0 { ANY } else { 1 << class(d) });
        }
        (group, from) = (in_group, end);
    }
    let mut at = 0;
    while at < OTHERS.len() {
        let [a, b, c, d] = *OTHERS[at];
        tables = add(tables, [a, b, c], 1 << class(d));
        at += 1;
    }
    at = 0;
    while let Some(bytes) = chinese::first_bytes(at) {
        tables = add(tables, bytes, ANY);
        at += 1;
    }
    at = 0;
    while let Some([a, b, c, d]) = shapes::beginning(at) {
        if c == 0 {
            // Two letters and hexadecimal digits.
            let digits = b"0123456789abcdef";
            let mut digit = 0;
            while digit < digits.len() {
                tables = add(tables, [a, b, digits[digit]], ANY);
                digit += 1;
            }
        } else {
            tables = add(tables, [a, b, c], if d == 0 { ANY } else { 1 << class(d) });
        }
        at += 1;
    }
    // A Telegram bot's token begins with digits.
    let mut digit = 0;
    while digit < 27 {
        tables = add(tables, [b'0' + digit / 9, b'0' + digit / 3 % 3, b'0' + digit % 3], 0b111 << 27);
        digit += 1;
    }
    tables
}

/// The next place at or after `from` that is worth a closer look: the index of the last byte of what was
/// recognised.
#[inline]
pub(super) fn next(bytes: &[u8], from: usize) -> Option<usize> {
    let mut recent = 0_u32;
    for (at, &byte) in bytes.iter().enumerate().skip(from) {
        let class = CLASS.get(usize::from(byte)).copied().unwrap_or(0);
        recent = (recent << 5 | u32::from(class & 0x1F)) & 0x7FFF;
        let word = TRIPLES.get((recent >> 5) as usize).copied().unwrap_or(0);
        if class & STOP != 0 {
            return Some(at);
        }
        if word >> (recent & 31) & 1 != 0 {
            let follower = bytes.get(at + 1).copied().unwrap_or(b' ');
            let class = CLASS.get(usize::from(follower)).copied().unwrap_or(0) & 0x1F;
            if FOLLOWERS.get(follower_place(recent)).copied().unwrap_or(0) >> class & 1 != 0 {
                return Some(at);
            }
        }
    }
    None
}

/// Whether the byte at a hit is one of those that are looked at whatever stands around them.
pub(super) fn is_always(byte: u8) -> bool {
    ALWAYS.contains(&byte)
}
