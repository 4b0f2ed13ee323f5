//! One plain form of every disguise, with a way back to the source.
//!
//! A secret is looked for once, in a text whose percent-encodings, escapes, full-width forms, look-alike letters
//! and invisible characters have been undone. Every byte of that text remembers where in the source it
//! came from and how many decodings made it, so that a span found here can be cut out of the source, and
//! so that a `%20` inside a plain URL does not end the URL as a plain space would.

use alloc::vec::Vec;
use core::cell::OnceCell;

/// The text that the rules look at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text<'t> {
    bytes: &'t [u8],
    fold: Option<&'t Fold<'t>>,
}

impl<'t> Text<'t> {
    /// A text that stands for itself.
    pub(super) const fn plain(bytes: &'t [u8]) -> Self {
        Self { bytes, fold: None }
    }

    pub(super) const fn bytes(&self) -> &'t [u8] {
        self.bytes
    }

    pub(super) const fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The byte at a place; 0 outside.
    #[cfg_attr(not(all(feature = "small", target_family = "wasm")), inline)]
    #[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
    pub(super) fn at(&self, index: usize) -> u8 {
        self.bytes.get(index).copied().unwrap_or(0)
    }

    /// The byte before a place; 0 outside.
    #[cfg_attr(not(all(feature = "small", target_family = "wasm")), inline)]
    #[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
    pub(super) fn before(&self, index: usize) -> u8 {
        index.checked_sub(1).map_or(0, |index| self.at(index))
    }

    #[cfg_attr(not(all(feature = "small", target_family = "wasm")), inline)]
    #[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
    pub(super) fn slice(&self, start: usize, end: usize) -> &'t [u8] {
        self.bytes.get(start..end.min(self.bytes.len())).unwrap_or_default()
    }

    #[cfg_attr(not(all(feature = "small", target_family = "wasm")), inline)]
    #[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
    pub(super) fn from(&self, start: usize) -> &'t [u8] {
        self.bytes.get(start..).unwrap_or_default()
    }

    /// How many decodings made the byte.
    #[cfg_attr(not(all(feature = "small", target_family = "wasm")), inline)]
    #[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
    pub(super) fn level(&self, index: usize) -> u8 {
        self.fold.map_or(0, |fold| fold.places().level.get(index).copied().unwrap_or(0))
    }

    /// Where in the source the byte begins.
    #[cfg_attr(not(all(feature = "small", target_family = "wasm")), inline)]
    #[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
    pub(super) fn source(&self, index: usize) -> usize {
        match self.fold {
            None => index.min(self.bytes.len()),
            Some(fold) => fold.places().source.get(index).map_or(fold.text.len(), |at| *at as usize),
        }
    }

    /// The first byte that comes from a place of the source or from beyond it.
    pub(super) fn place_of(&self, source: usize) -> usize {
        match self.fold {
            None => source.min(self.bytes.len()),
            Some(fold) => fold.places().source.partition_point(|at| (*at as usize) < source),
        }
    }
}

/// A text with its disguises undone.
#[derive(Debug)]
pub(super) struct Fold<'t> {
    text: &'t str,
    bytes: Vec<u8>,
    /// Five bytes for each byte: made when something is found that needs it, for most texts never.
    places: OnceCell<Places>,
}

/// Where each byte comes from, and how many decodings made it.
#[derive(Debug, Default)]
struct Places {
    source: Vec<u32>,
    level: Vec<u8>,
}

impl<'t> Fold<'t> {
    /// The longest text that can be folded: places are kept in 32 bits.
    pub(super) const MOST: usize = u32::MAX as usize;

    pub(super) fn text(&self) -> Text<'_> {
        Text { bytes: &self.bytes, fold: Some(self) }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn places(&self) -> &Places {
        self.places.get_or_init(|| Folding::of(self.text.as_bytes(), true).places.unwrap_or_default())
    }

    /// Undoes the disguises of a text; `None` where there are none.
    pub(super) fn of(text: &'t str) -> Option<Self> {
        is_disguised(text.as_bytes()).then(|| Self {
            text,
            bytes: Folding::of(text.as_bytes(), false).bytes,
            places: OnceCell::new(),
        })
    }
}

/// What has been undone so far.
struct Folding {
    bytes: Vec<u8>,
    places: Option<Places>,
}

impl Folding {
    fn of(text: &[u8], with_places: bool) -> Self {
        let mut folding = Self {
            bytes: Vec::with_capacity(text.len()),
            places: with_places.then(|| Places {
                source: Vec::with_capacity(text.len()),
                level: Vec::with_capacity(text.len()),
            }),
        };
        let mut at = 0;
        // How many more bytes may complete a disguise that has begun. Where there are none, what does not begin one is
        // taken over as it is.
        let mut open = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            if open == 0 {
                let begins = |byte: &u8| super::scan::is_odd(*byte) || *byte == WIDE_BLANK;
                let run = rest.iter().position(begins).unwrap_or(rest.len());
                folding.copy(rest.get(..run).unwrap_or_default(), at);
                at += run;
            }
            let Some(&byte) = text.get(at) else { break };
            let mut next = Some((byte, place(at), 0));
            open = if super::scan::is_odd(byte) || byte == WIDE_BLANK {
                opens(byte).max(open)
            } else {
                open.saturating_sub(1)
            };
            at += 1;
            // What an escape stands for may complete another escape: a loop, since a recursion would go as
            // deep as the text is long.
            while let Some((byte, at, level)) = next {
                folding.bytes.push(byte);
                if let Some(places) = &mut folding.places {
                    places.source.push(at);
                    places.level.push(level);
                }
                let length = folding.bytes.len();
                next = folding.collapse(byte);
                if folding.bytes.len() < length {
                    open = LONGEST;
                }
            }
        }
        folding
    }

    /// Takes over bytes that are no disguise, from a place of the source on.
    fn copy(&mut self, run: &[u8], at: usize) {
        self.bytes.extend_from_slice(run);
        if let Some(places) = &mut self.places {
            places.source.extend((at..at + run.len()).map(place));
            places.level.resize(self.bytes.len(), 0);
        }
    }

    /// Takes back what the last bytes were a disguise of.
    #[cfg_attr(not(all(feature = "small", target_family = "wasm")), inline)]
    #[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
    fn collapse(&mut self, last: u8) -> Option<(u8, u32, u8)> {
        if last >= 0x80 {
            return self.collapse_char();
        }
        if is_control(last) {
            return self.replace(1, None, 0);
        }
        if last.is_ascii_hexdigit() {
            return match *self.bytes.as_slice() {
                [.., b'%', high, low] if high.is_ascii_hexdigit() => {
                    self.replace(3, Some(hex(high) << 4 | hex(low)), 1)
                }
                [.., b'\\', b'x', high, low] if high.is_ascii_hexdigit() => {
                    self.replace(4, Some(hex(high) << 4 | hex(low)), 1)
                }
                [.., b'\\', b'u' | b'U', a, b, c, d] => self.unicode_escape([a, b, c, d]),
                _ => None,
            };
        }
        if last == b';' { self.entity() } else { None }
    }

    /// `\u003d`: only what folds to ASCII matters to the rules.
    fn unicode_escape(&mut self, digits: [u8; 4]) -> Option<(u8, u32, u8)> {
        if !digits.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        let code = digits.iter().fold(0, |code, digit| code << 4 | u32::from(hex(*digit)));
        match fold_char(code) {
            Folded::Byte(byte) => self.replace(6, Some(byte), 1),
            Folded::Nothing => self.replace(6, None, 1),
            Folded::Itself => None,
        }
    }

    /// `&amp;` and its like.
    fn entity(&mut self) -> Option<(u8, u32, u8)> {
        let tail = self.bytes.get(self.bytes.len().saturating_sub(LONGEST)..)?;
        let start = tail.iter().rposition(|byte| *byte == b'&')?;
        let name = tail.get(start + 1..tail.len() - 1)?;
        let byte = match name {
            [b'#', b'x' | b'X', digits @ ..] => number(digits, 16)?,
            [b'#', digits @ ..] => number(digits, 10)?,
            _ => match name.to_ascii_lowercase().as_slice() {
                b"amp" => b'&',
                b"quot" => b'"',
                b"apos" => b'\'',
                b"lt" => b'<',
                b"gt" => b'>',
                b"colon" => b':',
                b"equals" => b'=',
                b"sol" => b'/',
                b"bsol" => b'\\',
                b"quest" => b'?',
                b"num" => b'#',
                b"percnt" => b'%',
                b"period" => b'.',
                b"lowbar" => b'_',
                b"commat" => b'@',
                b"nbsp" => b' ',
                _ => return None,
            },
        };
        let length = name.len() + 2;
        self.replace(length, Some(byte), 0)
    }

    /// A character beyond ASCII that is a disguise of one within, or of nothing.
    fn collapse_char(&mut self) -> Option<(u8, u32, u8)> {
        let (length, code) = match *self.bytes.as_slice() {
            [.., a @ 0xC2..=0xDF, b] => (2, u32::from(a & 0x1F) << 6 | low(b)),
            [.., a @ 0xE1..=0xEF, b @ 0x80..0xC0, c] => (3, u32::from(a & 0x0F) << 12 | low(b) << 6 | low(c)),
            [.., a @ 0xF0..=0xF3, b @ 0x80..0xC0, c @ 0x80..0xC0, d] => {
                (4, u32::from(a & 0x07) << 18 | low(b) << 12 | low(c) << 6 | low(d))
            }
            _ => return None,
        };
        match fold_char(code) {
            Folded::Byte(byte) => self.replace(length, Some(byte), 0),
            Folded::Nothing => self.replace(length, None, 0),
            Folded::Itself => None,
        }
    }

    /// Takes the last bytes away and says what stands in their place.
    fn replace(&mut self, count: usize, byte: Option<u8>, deeper: u8) -> Option<(u8, u32, u8)> {
        let start = self.bytes.len().checked_sub(count)?;
        self.bytes.truncate(start);
        let Some(places) = &mut self.places else { return Some((byte?, 0, 0)) };
        let source = places.source.get(start).copied()?;
        let level = places.level.get(start..)?.iter().max().copied()?;
        places.source.truncate(start);
        places.level.truncate(start);
        Some((byte?, source, level.saturating_add(deeper)))
    }
}

/// The first byte of the ideographic blank, and of much else.
const WIDE_BLANK: u8 = 0xE3;
/// How many bytes the longest escape has: `&percnt;` and its like.
const LONGEST: usize = 10;

/// How many bytes after this one may complete a disguise that begins with it.
const fn opens(byte: u8) -> usize {
    match byte {
        b'%' => 2,
        b'\\' => 5,
        b'&' => LONGEST - 1,
        0xC0..=0xDF => 1,
        0xE0..=0xEF => 2,
        0xF0.. => 3,
        _ => 0,
    }
}

fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn low(byte: u8) -> u32 {
    u32::from(byte & 0x3F)
}

fn hex(digit: u8) -> u8 {
    char::from(digit).to_digit(16).map_or(0, |value| value.to_le_bytes()[0])
}

fn number(digits: &[u8], radix: u32) -> Option<u8> {
    let text = core::str::from_utf8(digits).ok()?;
    match fold_char(u32::from_str_radix(text, radix).ok()?) {
        Folded::Byte(byte) => Some(byte),
        _ => None,
    }
}

enum Folded {
    Itself,
    Nothing,
    Byte(u8),
}

/// The letters U+00C0 to U+017F without what is above and below them; a dot is no letter.
const ACCENTED: &str = "AAAAAAACEEEEIIIIDNOOOOO.OUUUUYTsaaaaaaaceeeeiiiidnooooo.ouuuuyty\
    AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlLlLlNnNnNnnNnOoOoOoOoRrRrRr\
    SsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";

/// What a character is a disguise of.
fn fold_char(code: u32) -> Folded {
    let byte = match code {
        0x01..=0x08 | 0x0E..=0x1F | 0x7F | 0x00 => return Folded::Nothing,
        0x09..=0x7E => code,
        0x00A0 | 0x1680 | 0x2000..=0x200A | 0x2028 | 0x2029 | 0x202F | 0x205F | 0x3000 => 0x20,
        // Signs that are drawn as those of ASCII.
        0x02D0 | 0x0589 | 0x2236 | 0xFE55 => 0x3A,
        0x2010..=0x2012 | 0x2212 | 0xFE63 => 0x2D,
        0x2024 => 0x2E,
        0x2044 | 0x2215 => 0x2F,
        0xFE56 => 0x3F,
        0xFE60 => 0x26,
        0xFE66 => 0x3D,
        0xFE6B => 0x40,
        // What has no width or only colours its neighbour.
        0x00AD
        | 0x0300..=0x036F
        | 0x061C
        | 0x180B..=0x180E
        | 0x200B..=0x200F
        | 0x202A..=0x202E
        | 0x2060..=0x206F
        | 0xFE00..=0xFE0F
        | 0xFEFF
        | 0xE0000..=0xE01EF => return Folded::Nothing,
        // Sentence marks of Chinese prose end what stands before them, so they stay what they are.
        0xFF01 | 0xFF08 | 0xFF09 | 0xFF0C => return Folded::Itself,
        0xFF02..=0xFF5E => code - 0xFEE0,
        0xC0..=0x17F => match ACCENTED.as_bytes().get((code - 0xC0) as usize) {
            Some(b'.') | None => return Folded::Itself,
            Some(letter) => u32::from(*letter),
        },
        0x24B6..=0x24CF => code - 0x24B6 + 0x41,
        0x24D0..=0x24E9 => code - 0x24D0 + 0x61,
        // Mathematical letters and digits: thirteen alphabets, five rows of digits.
        0x1D400..=0x1D6A3 => {
            let letter = (code - 0x1D400) % 52;
            if letter < 26 { letter + 0x41 } else { letter - 26 + 0x61 }
        }
        0x1D7CE..=0x1D7FF => (code - 0x1D7CE) % 10 + 0x30,
        _ => match look_alike(code) {
            Some(letter) => u32::from(letter),
            None => return Folded::Itself,
        },
    };
    Folded::Byte(byte.to_le_bytes()[0])
}

/// Cyrillic, Greek and other letters that are drawn as Latin ones.
const fn look_alike(code: u32) -> Option<u8> {
    Some(match char::from_u32(code) {
        Some('а' | 'α' | 'ɑ') => b'a',
        Some('А' | 'Α') => b'A',
        Some('В' | 'Β') => b'B',
        Some('Ь' | 'ь') => b'b',
        Some('с' | 'ϲ') => b'c',
        Some('С' | 'Ϲ') => b'C',
        Some('ԁ') => b'd',
        Some('е' | 'ё' | 'ε') => b'e',
        Some('Е' | 'Ё' | 'Ε') => b'E',
        Some('ɡ' | 'ց') => b'g',
        Some('һ' | 'հ') => b'h',
        Some('Н' | 'Η') => b'H',
        Some('і' | 'ї' | 'ι') => b'i',
        Some('І' | 'Ι' | 'Ї') => b'I',
        Some('ј' | 'ϳ') => b'j',
        Some('Ј') => b'J',
        Some('к' | 'κ') => b'k',
        Some('К' | 'Κ') => b'K',
        Some('ӏ') => b'l',
        Some('М' | 'Μ') => b'M',
        Some('м') => b'm',
        Some('Ν') => b'N',
        Some('п' | 'ո') => b'n',
        Some('о' | 'ο' | 'օ' | 'σ') => b'o',
        Some('О' | 'Ο') => b'O',
        Some('р' | 'ρ') => b'p',
        Some('Р' | 'Ρ') => b'P',
        Some('ԛ') => b'q',
        Some('г') => b'r',
        Some('ѕ') => b's',
        Some('Ѕ') => b'S',
        Some('т' | 'τ') => b't',
        Some('Т' | 'Τ') => b'T',
        Some('υ' | 'ս') => b'u',
        Some('ν' | 'ѵ') => b'v',
        Some('ԝ' | 'ω') => b'w',
        Some('х' | 'χ') => b'x',
        Some('Х' | 'Χ') => b'X',
        Some('у') => b'y',
        Some('У' | 'Υ') => b'Y',
        Some('Ζ') => b'Z',
        _ => return None,
    })
}

/// Whether folding would change anything that the rules look at.
fn is_disguised(bytes: &[u8]) -> bool {
    const BLOCK: usize = 32;
    let is_at = |at: usize| bytes.get(at..).is_some_and(begins_disguise);
    let (blocks, tail) = bytes.as_chunks::<BLOCK>();
    for (index, block) in blocks.iter().enumerate() {
        // All of a block at once, which the compiler knows how to do.
        if block.iter().fold(false, |odd, &byte| odd | is_odd(byte)) {
            let start = index * BLOCK;
            if block.iter().zip(start..).any(|(byte, at)| is_odd(*byte) && is_at(at)) {
                return true;
            }
        }
    }
    super::scan::has_odd(tail)
        && tail.iter().zip(blocks.len() * BLOCK..).any(|(byte, at)| super::scan::is_odd(*byte) && is_at(at))
}

/// A control character that is no white space: nothing is seen of it.
#[cfg_attr(not(all(feature = "small", target_family = "wasm")), inline)]
#[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
const fn is_control(byte: u8) -> bool {
    byte < 0x09 || (byte >= 0x0E && byte < 0x20) || byte == 0x7F
}

/// Whether a disguise may begin with this byte.
#[cfg_attr(not(all(feature = "small", target_family = "wasm")), inline)]
#[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
pub(super) const fn is_odd(byte: u8) -> bool {
    is_control(byte)
        || byte == b'%'
        || byte == b'&'
        || byte == b'\\'
        || (byte >= 0xC2 && byte <= 0xE2)
        || byte >= 0xEF
}

fn begins_disguise(rest: &[u8]) -> bool {
    match *rest {
        [byte, ..] if is_control(byte) => true,
        [b'%', high, low, ..] => high.is_ascii_hexdigit() && low.is_ascii_hexdigit(),
        [b'&', b'#', ..] => true,
        [b'&', ref name @ ..] => {
            let letters = name.iter().take_while(|byte| byte.is_ascii_alphabetic()).take(9).count();
            letters > 1 && name.get(letters) == Some(&b';')
        }
        [b'\\', b'x', high, low, ..] => high.is_ascii_hexdigit() && low.is_ascii_hexdigit(),
        [b'\\', b'u' | b'U', ref digits @ ..] => {
            digits.len() >= 4 && digits.iter().take(4).all(u8::is_ascii_hexdigit)
        }
        // A full-width colon, semicolon or question mark is a sentence's own unless ASCII follows at once.
        [0xEF, 0xBC, 0x9A | 0x9B | 0x9F, next, ..] => next.is_ascii_graphic(),
        [0xEF, 0xBC, 0x9A | 0x9B | 0x9F] => false,
        [lead @ 0xC2..=0xDF, b, ..] => folds(u32::from(lead & 0x1F) << 6 | low(b)),
        [lead @ (0xE1 | 0xE2 | 0xEF), b, c, ..] => folds(u32::from(lead & 0x0F) << 12 | low(b) << 6 | low(c)),
        [lead @ 0xF0..=0xF3, b, c, d, ..] => {
            folds(u32::from(lead & 0x07) << 18 | low(b) << 12 | low(c) << 6 | low(d))
        }
        _ => false,
    }
}

fn folds(code: u32) -> bool {
    !matches!(fold_char(code), Folded::Itself)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        Fold::of(text)
            .map_or_else(|| text.to_owned(), |fold| String::from_utf8_lossy(fold.bytes()).into_owned())
    }

    #[test]
    fn every_disguise_has_one_plain_form() {
        for (text, plain) in [
            ("to\u{200b}ken", "token"),
            ("ｔｏｋｅｎ＝１", "token=1"),
            ("t\u{43e}ken", "token"),
            ("%74oken", "token"),
            ("%2574oken", "token"),
            ("%2525252574oken", "token"),
            ("％74oken", "token"),
            ("%EF%BC%9D", "="),
            ("a&amp;b", "a&b"),
            ("a&#x3d;b&#61;", "a=b="),
            (r"\u0074oken\x3d", "token="),
            ("𝐭𝐨𝐤𝐞𝐧", "token"),
            ("ⓣoken", "token"),
            ("pässwörd: ÿſ", "password: ys"),
            ("client‑secret∶\u{2003}x", "client-secret: x"),
            ("密码：1", "密码:1"),
            ("cb？x", "cb?x"),
        ] {
            assert_eq!(folded(text), plain, "{text}");
        }
    }

    #[test]
    fn ordinary_text_is_left_alone() {
        for text in [
            "plain words, 100% sure",
            "请打开页面，完成后重试。好吗？是的：对",
            "“quoted” — dashed… ’tis",
            "R&D; a && b",
            r"C:\users\name",
            "100%",
            "%zz",
            "日本語",
            "😀 fine",
        ] {
            assert!(Fold::of(text).is_none(), "{text}");
        }
    }

    #[test]
    fn places_lead_back_to_the_source() {
        let source = "a%253Db";
        let fold = Fold::of(source).unwrap();
        let text = fold.text();
        assert_eq!(text.bytes(), b"a=b");
        assert_eq!([text.source(0), text.source(1), text.source(2), text.source(3)], [0, 1, 6, 7]);
        assert_eq!([text.level(0), text.level(1), text.level(2)], [0, 2, 0]);
    }

    #[test]
    fn a_cascade_of_escapes_neither_recurses_nor_slows_down() {
        let text = "%3".repeat(200_000) + "%35";
        assert_eq!(folded(&text), "5");
        assert_eq!(folded(&"%25".repeat(200_000)).len(), 200_000);
    }
}
