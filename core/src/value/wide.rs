//! Integers of 128 bits as text, in little space: without multiplication and division of that width, which a
//! processor of 32 or 64 bits has to be told step by step.

use alloc::string::String;

/// An integer in decimal.
#[must_use]
pub fn integer(text: &str) -> Option<i128> {
    let (digits, negative) = match text.strip_prefix('-') {
        Some(digits) => (digits, true),
        None => (text.strip_prefix('+').unwrap_or(text), false),
    };
    if digits.is_empty() {
        return None;
    }
    let mut sum = 0_u128;
    for byte in digits.bytes() {
        let digit = byte.wrapping_sub(b'0');
        // Ten times as much would be too much in any case; below, it is within 128 bits.
        if digit > 9 || sum >= 1 << 124 {
            return None;
        }
        sum = (sum << 3) + (sum << 1) + u128::from(digit);
    }
    if negative { 0_i128.checked_sub_unsigned(sum) } else { sum.try_into().ok() }
}

/// An integer as it is written in decimal.
#[must_use]
pub fn decimal(integer: i128) -> String {
    // The lowest digit first; twice as much for each bit from the top, and one more where it is set.
    let mut digits = [0_u8; 39];
    let magnitude = integer.unsigned_abs();
    #[allow(clippy::cast_possible_truncation)] // the two halves
    for half in [(magnitude >> 64) as u64, magnitude as u64] {
        for bit in (0..64).rev() {
            let mut carry = u8::from(half >> bit & 1 == 1);
            for digit in &mut digits {
                let twice = *digit * 2 + carry;
                carry = u8::from(twice > 9);
                *digit = if twice > 9 { twice - 10 } else { twice };
            }
        }
    }
    let length = digits.iter().rposition(|digit| *digit > 0).map_or(1, |last| last + 1);
    let sign = (integer < 0).then_some('-');
    let shown = digits.iter().take(length).rev().map(|digit| char::from(b'0' + digit));
    sign.into_iter().chain(shown).collect()
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_ends_are_what_they_are() {
        for number in [0, 1, -1, 9, 10, i128::MAX, i128::MIN, i128::MAX / 10, i128::MIN / 10, 1 << 124] {
            assert_eq!(decimal(number), number.to_string());
            assert_eq!(integer(&number.to_string()), Some(number));
        }
        for text in [
            "",
            "-",
            "+",
            "--1",
            "+-1",
            "+7",
            "-0",
            "007",
            "1_000",
            " 1",
            "1.0",
            "٣",
            "170141183460469231731687303715884105728",
            "-170141183460469231731687303715884105729",
            "340282366920938463463374607431768211456",
            "9999999999999999999999999999999999999999",
            "-99999999999999999999999999999999999999999999999999",
            "0000000000000000000000000000000000000000000000000000001",
        ] {
            assert_eq!(integer(text), text.parse().ok(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn it_is_what_the_standard_library_says(number: i128, shift in 0..128_u32) {
            let number = number >> shift;
            prop_assert_eq!(decimal(number), number.to_string());
            prop_assert_eq!(integer(&number.to_string()), Some(number));
        }

        #[test]
        fn any_text_is_read_as_there(text in "[-+]?[0-9]{0,42}.?") {
            prop_assert_eq!(integer(&text), text.parse().ok());
        }
    }
}
