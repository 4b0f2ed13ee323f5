//! IPv6 addresses in text. The standard library's reader is ten times as long.

/// The groups of an address: `fe80::1`, `::ffff:10.0.0.1`.
pub(super) fn groups(text: &[u8]) -> Option<[u16; 8]> {
    let mut groups = [0; 8];
    let gap = text.windows(2).position(|two| two == b"::");
    let head = read(text.get(..gap.unwrap_or(text.len()))?, &mut groups, gap.is_none())?;
    let Some(gap) = gap else { return (head == 8).then_some(groups) };
    let mut rest = [0; 8];
    let tail = read(text.get(gap + 2..)?, &mut rest, true)?;
    // The gap stands for at least one group.
    let begin = 8_usize.checked_sub(tail).filter(|begin| *begin > head)?;
    for (group, value) in groups.iter_mut().skip(begin).zip(rest) {
        *group = value;
    }
    Some(groups)
}

/// Reads groups with colons between them and says how many there are. An IPv4 address may be the last two.
fn read(text: &[u8], to: &mut [u16; 8], is_end: bool) -> Option<usize> {
    let mut count = 0;
    if text.is_empty() {
        return Some(count);
    }
    let mut parts = text.split(|byte| *byte == b':').peekable();
    while let Some(part) = parts.next() {
        if is_end && parts.peek().is_none() && part.contains(&b'.') {
            let [a, b, c, d] = v4(part)?;
            *to.get_mut(count)? = a << 8 | b;
            *to.get_mut(count + 1)? = c << 8 | d;
            return Some(count + 2);
        }
        if part.is_empty() || part.len() > 4 {
            return None;
        }
        let digit =
            |value: u16, byte: &u8| Some(value << 4 | u16::try_from(char::from(*byte).to_digit(16)?).ok()?);
        *to.get_mut(count)? = part.iter().try_fold(0, digit)?;
        count += 1;
    }
    Some(count)
}

fn v4(text: &[u8]) -> Option<[u16; 4]> {
    let mut octets = [0; 4];
    let mut count = 0;
    for part in text.split(|byte| *byte == b'.') {
        if part.is_empty() || part.len() > 3 || part.len() > 1 && part.starts_with(b"0") {
            return None;
        }
        let digit =
            |value: u16, byte: &u8| byte.is_ascii_digit().then(|| value * 10 + u16::from(byte - b'0'));
        *octets.get_mut(count)? = part.iter().try_fold(0, digit).filter(|octet| *octet < 256)?;
        count += 1;
    }
    (count == 4).then_some(octets)
}

#[cfg(test)]
mod tests {
    use core::net::Ipv6Addr;

    use proptest::prelude::*;

    use super::*;

    fn same(text: &str) {
        let standard = text.parse().ok().map(|address: Ipv6Addr| address.segments());
        assert_eq!(groups(text.as_bytes()), standard, "{text}");
    }

    #[test]
    fn the_forms_of_an_address() {
        for text in [
            "::",
            "::1",
            "1::",
            "fe80::1",
            "1:2:3:4:5:6:7:8",
            "1:2:3:4:5:6:7::",
            "::2:3:4:5:6:7:8",
            "1:2:3:4:5:6:7:8::",
            "1::2:3:4:5:6:7:8",
            "1:2:3:4:5:6:7",
            "::ffff:10.0.0.1",
            "1:2:3:4:5:6:1.2.3.4",
            "1:2:3:4:5:6:7:1.2.3.4",
            "1.2.3.4::",
            "::1.2.3.4:5",
            "::01.2.3.4",
            "::1.2.3.256",
            "::1.2.3",
            "12345::",
            ":::",
            ":1",
            "1:",
            "::g",
            "1::2::3",
            "::0.0.0.0",
            "::1.2.3.4.5",
            "",
        ] {
            same(text);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_as_by_the_standard_library(text in "([0-9a-f]{0,5}:{1,2}){0,9}([0-9a-f]{0,4}|[0-9]{1,3}(\\.[0-9]{1,3}){2,4})") {
            same(&text);
        }
    }
}
