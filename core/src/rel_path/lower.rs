//! Lower case in little space. The standard library's table is of the same content and five times as long, since it
//! is made to be fast.

use core::slice;

/// Letters that have another lower case: the first of a run, how many, every which, and how far away it is.
#[rustfmt::skip]
const RUNS: &[(u32, u8, u8, i32)] = &[
    (0xc0, 23, 1, 32), (0xd8, 7, 1, 32), (0x100, 24, 2, 1), (0x132, 3, 2, 1), (0x139, 8, 2, 1),
    (0x14a, 23, 2, 1), (0x178, 1, 2, -121), (0x179, 3, 2, 1), (0x181, 1, 2, 210), (0x182, 2, 2, 1),
    (0x186, 1, 2, 206), (0x187, 1, 2, 1), (0x189, 2, 1, 205), (0x18b, 1, 2, 1), (0x18e, 1, 2, 79),
    (0x18f, 1, 2, 202), (0x190, 1, 2, 203), (0x191, 1, 2, 1), (0x193, 1, 2, 205), (0x194, 1, 2, 207),
    (0x196, 1, 2, 211), (0x197, 1, 2, 209), (0x198, 1, 2, 1), (0x19c, 1, 2, 211), (0x19d, 1, 2, 213),
    (0x19f, 1, 2, 214), (0x1a0, 3, 2, 1), (0x1a6, 1, 2, 218), (0x1a7, 1, 2, 1), (0x1a9, 1, 2, 218),
    (0x1ac, 1, 2, 1), (0x1ae, 1, 2, 218), (0x1af, 1, 2, 1), (0x1b1, 2, 1, 217), (0x1b3, 2, 2, 1),
    (0x1b7, 1, 2, 219), (0x1b8, 1, 2, 1), (0x1bc, 1, 2, 1), (0x1c4, 1, 2, 2), (0x1c5, 1, 2, 1),
    (0x1c7, 1, 2, 2), (0x1c8, 1, 2, 1), (0x1ca, 1, 2, 2), (0x1cb, 9, 2, 1), (0x1de, 9, 2, 1),
    (0x1f1, 1, 2, 2), (0x1f2, 2, 2, 1), (0x1f6, 1, 2, -97), (0x1f7, 1, 2, -56), (0x1f8, 20, 2, 1),
    (0x220, 1, 2, -130), (0x222, 9, 2, 1), (0x23a, 1, 2, 10795), (0x23b, 1, 2, 1), (0x23d, 1, 2, -163),
    (0x23e, 1, 2, 10792), (0x241, 1, 2, 1), (0x243, 1, 2, -195), (0x244, 1, 2, 69), (0x245, 1, 2, 71),
    (0x246, 5, 2, 1), (0x370, 2, 2, 1), (0x376, 1, 2, 1), (0x37f, 1, 2, 116), (0x386, 1, 2, 38),
    (0x388, 3, 1, 37), (0x38c, 1, 2, 64), (0x38e, 2, 1, 63), (0x391, 17, 1, 32), (0x3a3, 9, 1, 32),
    (0x3cf, 1, 2, 8), (0x3d8, 12, 2, 1), (0x3f4, 1, 2, -60), (0x3f7, 1, 2, 1), (0x3f9, 1, 2, -7),
    (0x3fa, 1, 2, 1), (0x3fd, 3, 1, -130), (0x400, 16, 1, 80), (0x410, 32, 1, 32), (0x460, 17, 2, 1),
    (0x48a, 27, 2, 1), (0x4c0, 1, 2, 15), (0x4c1, 7, 2, 1), (0x4d0, 48, 2, 1), (0x531, 38, 1, 48),
    (0x10a0, 38, 1, 7264), (0x10c7, 1, 2, 7264), (0x10cd, 1, 2, 7264), (0x13a0, 80, 1, 38864),
    (0x13f0, 6, 1, 8), (0x1c89, 1, 2, 1), (0x1c90, 43, 1, -3008), (0x1cbd, 3, 1, -3008),
    (0x1e00, 75, 2, 1), (0x1e9e, 1, 2, -7615), (0x1ea0, 48, 2, 1), (0x1f08, 8, 1, -8), (0x1f18, 6, 1, -8),
    (0x1f28, 8, 1, -8), (0x1f38, 8, 1, -8), (0x1f48, 6, 1, -8), (0x1f59, 4, 2, -8), (0x1f68, 8, 1, -8),
    (0x1f88, 8, 1, -8), (0x1f98, 8, 1, -8), (0x1fa8, 8, 1, -8), (0x1fb8, 2, 1, -8), (0x1fba, 2, 1, -74),
    (0x1fbc, 1, 2, -9), (0x1fc8, 4, 1, -86), (0x1fcc, 1, 2, -9), (0x1fd8, 2, 1, -8), (0x1fda, 2, 1, -100),
    (0x1fe8, 2, 1, -8), (0x1fea, 2, 1, -112), (0x1fec, 1, 2, -7), (0x1ff8, 2, 1, -128),
    (0x1ffa, 2, 1, -126), (0x1ffc, 1, 2, -9), (0x2126, 1, 2, -7517), (0x212a, 1, 2, -8383),
    (0x212b, 1, 2, -8262), (0x2132, 1, 2, 28), (0x2160, 16, 1, 16), (0x2183, 1, 2, 1), (0x24b6, 26, 1, 26),
    (0x2c00, 48, 1, 48), (0x2c60, 1, 2, 1), (0x2c62, 1, 2, -10743), (0x2c63, 1, 2, -3814),
    (0x2c64, 1, 2, -10727), (0x2c67, 3, 2, 1), (0x2c6d, 1, 2, -10780), (0x2c6e, 1, 2, -10749),
    (0x2c6f, 1, 2, -10783), (0x2c70, 1, 2, -10782), (0x2c72, 1, 2, 1), (0x2c75, 1, 2, 1),
    (0x2c7e, 2, 1, -10815), (0x2c80, 50, 2, 1), (0x2ceb, 2, 2, 1), (0x2cf2, 1, 2, 1), (0xa640, 23, 2, 1),
    (0xa680, 14, 2, 1), (0xa722, 7, 2, 1), (0xa732, 31, 2, 1), (0xa779, 2, 2, 1), (0xa77d, 1, 2, -35332),
    (0xa77e, 5, 2, 1), (0xa78b, 1, 2, 1), (0xa78d, 1, 2, -42280), (0xa790, 2, 2, 1), (0xa796, 10, 2, 1),
    (0xa7aa, 1, 2, -42308), (0xa7ab, 1, 2, -42319), (0xa7ac, 1, 2, -42315), (0xa7ad, 1, 2, -42305),
    (0xa7ae, 1, 2, -42308), (0xa7b0, 1, 2, -42258), (0xa7b1, 1, 2, -42282), (0xa7b2, 1, 2, -42261),
    (0xa7b3, 1, 2, 928), (0xa7b4, 8, 2, 1), (0xa7c4, 1, 2, -48), (0xa7c5, 1, 2, -42307),
    (0xa7c6, 1, 2, -35384), (0xa7c7, 2, 2, 1), (0xa7cb, 1, 2, -42343), (0xa7cc, 8, 2, 1),
    (0xa7dc, 1, 2, -42561), (0xa7f5, 1, 2, 1), (0xff21, 26, 1, 32), (0x10400, 40, 1, 40),
    (0x104b0, 36, 1, 40), (0x10570, 11, 1, 39), (0x1057c, 15, 1, 39), (0x1058c, 7, 1, 39),
    (0x10594, 2, 1, 39), (0x10c80, 51, 1, 64), (0x10d50, 22, 1, 32), (0x118a0, 32, 1, 32),
    (0x16e40, 32, 1, 32), (0x16ea0, 25, 1, 27), (0x1e900, 34, 1, 34),
];

/// The runs as bytes, in a quarter of the space: each as the distance from the one before, the count with the step, and
/// the distance of the lower case, all as numbers of seven bits a byte.
static PACKED: [u8; SIZE] = pack().0;
const SIZE: usize = pack::<2048>().1;

#[allow(clippy::indexing_slicing, clippy::cast_possible_truncation)] // the compiler runs it, and would refuse
const fn pack<const N: usize>() -> ([u8; N], usize) {
    let mut bytes = [0; N];
    let (mut run, mut at, mut before) = (0, 0, 0);
    while run < RUNS.len() {
        let (first, count, step, distance) = RUNS[run];
        let sign = if distance < 0 { 1 } else { 0 };
        let numbers =
            [first - before, (count as u32) << 1 | (step as u32 - 1), distance.unsigned_abs() << 1 | sign];
        before = first;
        let mut index = 0;
        while index < numbers.len() {
            let mut rest = numbers[index];
            while rest > 0x7f {
                bytes[at] = rest as u8 | 0x80;
                rest >>= 7;
                at += 1;
            }
            bytes[at] = rest as u8;
            at += 1;
            index += 1;
        }
        run += 1;
    }
    (bytes, at)
}

/// The next number of [`PACKED`].
fn number(bytes: &mut slice::Iter<'_, u8>) -> Option<u32> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = *bytes.next()?;
        number |= u32::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            return Some(number);
        }
    }
}

/// The lower case of a character; `İ` alone has one of two characters, of which this is the first.
pub(super) fn lower(character: char) -> char {
    let code = u32::from(character);
    let mut bytes = PACKED.iter();
    let mut first = 0;
    while let (Some(gap), Some(count), Some(distance)) =
        (number(&mut bytes), number(&mut bytes), number(&mut bytes))
    {
        first += gap;
        let Some(place) = code.checked_sub(first) else { break };
        let step = 1 + (count & 1);
        if place < (count >> 1) * step && place.is_multiple_of(step) {
            let lower = if distance & 1 == 0 { code + (distance >> 1) } else { code - (distance >> 1) };
            return char::from_u32(lower).unwrap_or(character);
        }
    }
    character
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_what_the_standard_library_says() {
        for character in ('\u{80}'..=char::MAX).filter(|character| *character != 'İ') {
            let mut standard = character.to_lowercase();
            assert_eq!((Some(lower(character)), None), (standard.next(), standard.next()), "{character}");
        }
    }
}
