//! Doubles as text and text as doubles, exactly, by the plain arithmetic of large numbers: the tables of the fast
//! ways are larger than all the rest of a small module.

use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// A natural number: 32 bits in each place, the lowest first, none of the highest zero.
#[derive(Clone, PartialEq, Eq)]
struct Large(Vec<u32>);

impl Large {
    fn new(value: u64) -> Self {
        let mut large = Self(Vec::new());
        #[allow(clippy::cast_possible_truncation)] // the two halves
        for half in [(value >> 32) as u32, value as u32] {
            large.shift(32);
            large.times(1, half);
        }
        large
    }

    /// `self * by + add`.
    fn times(&mut self, by: u32, add: u32) {
        let mut carry = u64::from(add);
        for place in &mut self.0 {
            carry += u64::from(*place) * u64::from(by);
            *place = low(carry);
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(low(carry));
        }
    }

    fn times_power_of_ten(&mut self, exponent: u32) {
        for _ in 0..exponent {
            self.times(10, 0);
        }
    }

    /// `self * 2^bits`.
    fn shift(&mut self, bits: u32) {
        if !self.0.is_empty() {
            self.times(1 << (bits % 32), 0);
            self.0.splice(0..0, core::iter::repeat_n(0, bits as usize / 32));
        }
    }

    fn bits(&self) -> i32 {
        let top = self.0.last().map_or(0, |top| 32 - top.leading_zeros());
        i32::try_from(self.0.len().saturating_sub(1) * 32).unwrap_or(i32::MAX).saturating_add_unsigned(top)
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }

    /// `self + other`.
    fn plus(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        sum.0.resize(self.0.len().max(other.0.len()), 0);
        let mut carry = 0;
        let others = other.0.iter().copied().chain(core::iter::repeat(0));
        for (place, other) in sum.0.iter_mut().zip(others) {
            carry += u64::from(*place) + u64::from(other);
            *place = low(carry);
            carry >>= 32;
        }
        if carry > 0 {
            sum.0.push(low(carry));
        }
        sum
    }

    /// Takes `other` away if it is not larger; whether it did.
    fn take(&mut self, other: &Self) -> bool {
        if self.compare(other) == Ordering::Less {
            return false;
        }
        let mut borrow = 0_i64;
        let others = other.0.iter().copied().chain(core::iter::repeat(0));
        for (place, other) in self.0.iter_mut().zip(others) {
            borrow += i64::from(*place) - i64::from(other);
            *place = low(borrow.cast_unsigned());
            borrow >>= 32;
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        true
    }
}

#[allow(clippy::cast_possible_truncation)] // that is the point
const fn low(value: u64) -> u32 {
    value as u32
}

/// More digits than this decide nothing but which side of the middle a number is on.
const DIGITS: usize = 800;

/// The double that is nearest to a number of JSON; infinite where no double is near.
pub(crate) fn nearest(text: &str) -> f64 {
    let (digits, negative) = match text.strip_prefix('-') {
        Some(digits) => (digits, true),
        None => (text, false),
    };
    let magnitude = magnitude(digits);
    if negative { -magnitude } else { magnitude }
}

/// A number in any of the forms that Rust reads.
pub(crate) fn any_number(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if ["inf", "infinity", "nan"].iter().any(|word| unsigned.eq_ignore_ascii_case(word)) {
        return Some(f64::INFINITY);
    }
    let (digits, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    let all = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = all(whole)
        && all(fraction)
        && all(exponent)
        && !exponent.is_empty()
        && whole.len() + fraction.len() > 0;
    is_number.then(|| nearest(text.strip_prefix('+').unwrap_or(text)))
}

fn magnitude(text: &str) -> f64 {
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent = exponent.strip_prefix('+').unwrap_or(exponent);
    let far = if exponent.starts_with('-') { -100_000 } else { 100_000 };
    let mut exponent: i32 = exponent.parse().unwrap_or(far).clamp(-100_000, 100_000);
    let (mut number, mut kept, mut fraction) = (Large(Vec::new()), 0, false);
    for byte in digits.bytes() {
        if byte == b'.' {
            fraction = true;
            continue;
        }
        let digit = u32::from(byte.wrapping_sub(b'0'));
        let beyond = kept >= DIGITS;
        if !beyond {
            number.times(10, digit);
            kept += usize::from(!number.0.is_empty());
        } else if digit != 0
            && let Some(lowest) = number.0.first_mut()
        {
            // What is cut off is more than nothing; the last digit is far below what is rounded to.
            *lowest |= 1;
        }
        exponent = exponent.saturating_add(i32::from(beyond)).saturating_sub(i32::from(fraction));
    }
    let length = i32::try_from(kept).unwrap_or(i32::MAX);
    if number.0.is_empty() || length + exponent < -400 {
        return 0.0;
    }
    if length + exponent > 400 {
        return f64::INFINITY;
    }
    let mut divisor = Large::new(1);
    if exponent < 0 { &mut divisor } else { &mut number }.times_power_of_ten(exponent.unsigned_abs());
    quotient(number, divisor)
}

/// Divides, rounding to the nearest double and a tie to the even one.
fn quotient(mut number: Large, mut divisor: Large) -> f64 {
    // So that the quotient lies between 1/2 and 2.
    let power = number.bits() - divisor.bits();
    if power > 0 { &mut divisor } else { &mut number }.shift(power.unsigned_abs());
    let mut quotient = 0_u64;
    for step in 0..64 {
        if step > 0 {
            number.times(2, 0);
        }
        quotient = quotient << 1 | u64::from(number.take(&divisor));
    }
    // The number is `quotient * 2^lowest` and a little more unless the remainder is none.
    let lowest = power - 63;
    let unit = (lowest + 63 - i32::try_from(quotient.leading_zeros()).unwrap_or(0) - 52).max(-1074);
    let Some(cut) = u32::try_from(unit - lowest).ok().filter(|cut| (1..=64).contains(cut)) else {
        return 0.0;
    };
    let quotient = u128::from(quotient);
    let (whole, rest) = (quotient >> cut, quotient << 1 & ((2 << cut) - 1));
    let up = match rest.cmp(&(1 << cut)) {
        Ordering::Less => 0,
        Ordering::Equal => u128::from(!number.0.is_empty()) | whole & 1,
        Ordering::Greater => 1,
    };
    // An exponent of 1 and the hidden bit add up, and so does a carry.
    let whole = u64::try_from(whole + up).unwrap_or(0);
    let bits = (u64::try_from(unit + 1074).unwrap_or(0) << 52) + whole;
    f64::from_bits(bits.min(f64::INFINITY.to_bits()))
}

/// Writes the shortest digits that are read as the same double, as `serde_json` does: `1.0`, `0.00001`, `1e+16`.
pub(crate) fn write(float: f64, to: &mut String) {
    if float.is_sign_negative() {
        to.push('-');
    }
    let (digits, point) = shortest(float.abs());
    let length = i32::try_from(digits.len()).unwrap_or(0);
    let zeros = |count: i32| core::iter::repeat_n('0', usize::try_from(count).unwrap_or(0));
    if (1..=16).contains(&point) {
        to.extend(digits.chars().take(usize::try_from(point).unwrap_or(0)));
        to.extend(zeros(point - length));
        to.push('.');
        if point < length {
            to.extend(digits.chars().skip(usize::try_from(point).unwrap_or(0)));
        } else {
            to.push('0');
        }
    } else if (-4..=0).contains(&point) {
        to.push_str("0.");
        to.extend(zeros(-point));
        to.push_str(&digits);
    } else {
        let mut digits = digits.chars();
        to.extend(digits.next());
        if !digits.as_str().is_empty() {
            to.push('.');
            to.push_str(digits.as_str());
        }
        to.push_str(if point > 0 { "e+" } else { "e" });
        to.push_str(&alloc::string::ToString::to_string(&(point - 1)));
    }
}

/// The shortest digits, and the place of the point from their left.
fn shortest(float: f64) -> (String, i32) {
    if float == 0.0 {
        return (String::from("0"), 1);
    }
    let bits = float.to_bits();
    let (exponent, fraction) = (low(bits >> 52), bits & ((1 << 52) - 1));
    let mantissa = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    let power = i32::try_from(exponent.max(1)).unwrap_or(0) - 1075;
    // Twice the number over twice the scale, and the distance to the middle of the next double on each side.
    let mut number = Large::new(mantissa * 2);
    let mut scale = Large::new(2);
    let mut above = Large::new(1);
    if power > 0 {
        number.shift(power.unsigned_abs());
        above.shift(power.unsigned_abs());
    } else {
        scale.shift(power.unsigned_abs());
    }
    let mut below = above.clone();
    if fraction == 0 && exponent > 1 {
        for large in [&mut number, &mut scale, &mut above] {
            large.times(2, 0);
        }
    }
    let even = mantissa.is_multiple_of(2);
    let reaches = |sum: &Large, scale: &Large| match sum.compare(scale) {
        Ordering::Less => false,
        Ordering::Equal => even,
        Ordering::Greater => true,
    };
    let mut point = 0;
    while reaches(&number.plus(&above), &scale) {
        scale.times(10, 0);
        point += 1;
    }
    let mut digits = String::new();
    loop {
        for large in [&mut number, &mut above, &mut below] {
            large.times(10, 0);
        }
        if digits.is_empty() && !reaches(&number.plus(&above), &scale) {
            point -= 1;
            continue;
        }
        let mut digit = b'0';
        while number.take(&scale) {
            digit += 1;
        }
        let down = reaches(&below, &number);
        let up = reaches(&number.plus(&above), &scale);
        let nearer = number.plus(&number).compare(&scale).then(if digit.is_multiple_of(2) {
            Ordering::Less
        } else {
            Ordering::Greater
        });
        if up && (!down || nearer == Ordering::Greater) {
            digit += 1;
        }
        digits.push(char::from(digit));
        if up || down {
            return (digits, point);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn same(float: f64) {
        if float.is_finite() {
            let mut text = String::new();
            write(float, &mut text);
            assert_eq!(text, serde_json::Value::from(float).to_string());
            assert_eq!(nearest(&text).to_bits(), float.to_bits(), "{text}");
        }
    }

    #[test]
    fn the_ends_and_the_middle_are_read_and_written_as_elsewhere() {
        for bits in [0, 1, 2, 3, (1 << 52) - 1, 1 << 52, (1 << 52) + 1, f64::MAX.to_bits(), 1 << 63] {
            same(f64::from_bits(bits));
        }
        for exponent in 0..2047_u64 {
            for fraction in [0, 1, (1 << 52) - 1] {
                same(f64::from_bits(exponent << 52 | fraction));
            }
        }
        for text in [
            "1e16",
            "1e15",
            "123456789012345680",
            "0.00001",
            "0.000001",
            "1.5",
            "100",
            "5e-324",
            "9.5",
            "2e22",
        ] {
            same(text.parse().unwrap());
        }
    }

    #[test]
    fn long_numbers_are_rounded_as_elsewhere() {
        let half = "90071992547409925".to_owned();
        let tie = "2.47032822920623272088284396434110686182e-324";
        let long = format!("0.{}1", "0".repeat(500));
        let (many, sticky) =
            (format!("1{}", "3".repeat(900)), format!("9007199254740993.{}1", "0".repeat(1000)));
        for text in [
            &half,
            tie,
            &long,
            &many,
            &sticky,
            "9007199254740993",
            "9007199254740993.0",
            "1e400",
            "1e-400",
            "0e999999999999",
            "1e99999999999",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "179769313486231580793e289",
            "-0.0",
            "-1e-7",
            "2.2250738585072011e-308",
            "4.9e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
        ] {
            assert_eq!(nearest(text).to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
        }
    }

    #[test]
    fn all_forms_are_read_as_elsewhere() {
        for text in [
            "", "-", ".", "-.", "1", "-1", "+1", "1.", ".5", "-.5", "1.e3", "1e", "1e+", "1e-2", "1E+2",
            "e5", "1.2.3", "1e5.0", "1_0", "--1", "0x10", "1f", "infi", "1e5e5", "+-1", "00012", "0.10",
        ] {
            assert_eq!(any_number(text), text.parse::<f64>().ok(), "{text}");
        }
        for text in ["inf", "-INF", "Infinity", "nan"] {
            assert!(any_number(text).is_some_and(|float| !float.is_finite()));
        }
    }

    proptest! {
        #[test]
        fn any_double_is_written_and_read_as_elsewhere(bits: u64) {
            same(f64::from_bits(bits));
        }

        #[test]
        fn any_number_is_read_as_elsewhere(text in "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,40})?([eE][+-]?[0-9]{1,3})?") {
            prop_assert_eq!(nearest(&text).to_bits(), text.parse::<f64>().unwrap().to_bits());
        }
    }
}
