//! Secrets that are known by their own shape, wherever they stand: provider tokens, JWTs, PEM blocks.

use super::Category;
use super::fold::Text;

/// What may follow a prefix.
#[derive(Debug, Clone, Copy)]
enum Body {
    /// Letters and digits.
    Alnum,
    /// Also `_`.
    Word,
    /// Also `-` and `_`.
    Url,
    /// Also `.`, `-`, `_`, `=`, `/`, `+`.
    Wide,
    /// Hexadecimal digits.
    Hex,
}

/// Whether the prefix may stand inside a word.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Edge {
    /// It is telling enough.
    Anywhere,
    /// Only where a word begins.
    Word,
    /// Only where a word begins, and in this letter case.
    Exact,
}

use Body::{Alnum, Hex, Url, Wide, Word};
use Edge::{Anywhere, Exact};

/// Prefix, what follows it, how much of that at least, where it may stand. In order of the first letter, and of equal
/// beginnings the longer first.
const PREFIXES: &[(&str, Body, usize, Edge)] = &[
    ("AKIA", Alnum, 12, Exact),
    ("ASIA", Alnum, 12, Exact),
    ("ABIA", Alnum, 12, Exact),
    ("ACCA", Alnum, 12, Exact),
    ("AROA", Alnum, 12, Exact),
    ("AIDA", Alnum, 12, Exact),
    ("AIza", Url, 20, Edge::Word),
    ("api_org_", Alnum, 20, Edge::Word),
    ("AC", Hex, 32, Exact),
    ("ATATT3", Wide, 20, Edge::Word),
    ("ATCTT3", Wide, 20, Edge::Word),
    ("ATBB", Alnum, 20, Exact),
    ("AKID", Alnum, 24, Exact),
    ("amzn.mws.", Url, 20, Anywhere),
    ("AGE-SECRET-KEY-1", Alnum, 20, Anywhere),
    ("AQ.Ab", Url, 20, Exact),
    ("APA91b", Url, 40, Exact),
    ("atlasv1.", Url, 20, Anywhere),
    ("bkua_", Hex, 32, Anywhere),
    ("CCIPAT_", Word, 20, Anywhere),
    ("cio", Alnum, 32, Exact),
    ("CFPAT-", Url, 20, Edge::Word),
    ("dckr_pat_", Url, 12, Anywhere),
    ("dckr_oat_", Url, 12, Anywhere),
    ("dop_v1_", Hex, 16, Anywhere),
    ("doo_v1_", Hex, 16, Anywhere),
    ("dor_v1_", Hex, 16, Anywhere),
    ("dapi", Hex, 32, Edge::Word),
    ("dp.pt.", Alnum, 20, Edge::Word),
    ("dp.st.", Wide, 20, Edge::Word),
    ("EAAA", Url, 40, Exact),
    ("EAAC", Alnum, 40, Exact),
    ("e2b_", Hex, 32, Edge::Word),
    ("figd_", Url, 16, Edge::Word),
    ("fc-", Hex, 32, Edge::Word),
    ("fm2_", Wide, 24, Edge::Word),
    ("fw_", Alnum, 20, Edge::Word),
    ("fio-u-", Url, 20, Edge::Word),
    ("ghp_", Alnum, 16, Anywhere),
    ("gho_", Alnum, 16, Anywhere),
    ("ghu_", Alnum, 16, Anywhere),
    ("ghs_", Wide, 16, Anywhere),
    ("ghr_", Alnum, 16, Anywhere),
    ("github_pat_", Word, 16, Anywhere),
    ("glpat-", Wide, 12, Anywhere),
    ("gldt-", Url, 12, Edge::Word),
    ("glrt-", Wide, 12, Edge::Word),
    ("glrtr-", Url, 12, Edge::Word),
    ("glptt-", Url, 12, Edge::Word),
    ("glcbt-", Url, 12, Edge::Word),
    ("glft-", Url, 12, Edge::Word),
    ("glsoat-", Url, 12, Edge::Word),
    ("glimt-", Url, 12, Edge::Word),
    ("glagent-", Url, 12, Edge::Word),
    ("gloas-", Url, 12, Edge::Word),
    ("glwt-", Url, 12, Edge::Word),
    ("GOCSPX-", Url, 12, Anywhere),
    ("gsk_", Alnum, 20, Edge::Word),
    ("glsa_", Word, 20, Edge::Word),
    ("glc_", Wide, 20, Edge::Word),
    ("hf_", Alnum, 16, Edge::Word),
    ("HRKU-", Url, 30, Exact),
    ("hvs.", Url, 16, Edge::Word),
    ("hvb.", Url, 16, Edge::Word),
    ("hvr.", Url, 16, Edge::Word),
    ("key-", Hex, 32, Edge::Word),
    ("lin_api_", Alnum, 16, Anywhere),
    ("lin_oauth_", Alnum, 16, Anywhere),
    ("LTAI", Alnum, 12, Exact),
    ("lsv2_pt_", Word, 20, Anywhere),
    ("nvapi-", Url, 20, Edge::Word),
    ("npm_", Alnum, 16, Edge::Word),
    ("ntn_", Alnum, 20, Edge::Word),
    ("NRAK-", Alnum, 20, Edge::Word),
    ("pplx-", Alnum, 20, Edge::Word),
    ("pk_live_", Word, 8, Anywhere),
    ("pk_test_", Word, 8, Anywhere),
    ("pypi-", Wide, 16, Edge::Word),
    ("PMAK-", Url, 20, Edge::Word),
    ("pul-", Hex, 20, Edge::Word),
    ("pscale_tkn_", Url, 16, Anywhere),
    ("pscale_pw_", Url, 16, Anywhere),
    ("phc_", Alnum, 20, Edge::Word),
    ("phx_", Alnum, 20, Edge::Word),
    ("patat", Wide, 40, Exact),
    ("pat-na1-", Url, 30, Anywhere),
    ("pat-eu1-", Url, 30, Anywhere),
    ("p8e-", Alnum, 24, Edge::Word),
    ("r8_", Alnum, 20, Edge::Word),
    ("rnd_", Alnum, 24, Edge::Word),
    ("rpa_", Alnum, 30, Edge::Word),
    ("rk_live_", Word, 8, Anywhere),
    ("rk_test_", Word, 8, Anywhere),
    ("rubygems_", Hex, 16, Edge::Word),
    ("sk-ant-", Wide, 8, Anywhere),
    ("sk-proj-", Url, 8, Anywhere),
    ("sk-svcacct-", Url, 8, Anywhere),
    ("sk-admin-", Url, 8, Anywhere),
    ("sk-or-v1-", Url, 8, Anywhere),
    ("sk-", Url, 16, Edge::Word),
    ("sk_live_", Word, 8, Anywhere),
    ("sk_test_", Word, 8, Anywhere),
    ("SG.", Wide, 16, Exact),
    ("SK", Hex, 32, Exact),
    ("shpat_", Alnum, 16, Anywhere),
    ("shpca_", Alnum, 16, Anywhere),
    ("shppa_", Alnum, 16, Anywhere),
    ("shpss_", Alnum, 16, Anywhere),
    ("shptka_", Alnum, 16, Anywhere),
    ("secret_", Alnum, 32, Edge::Word),
    ("sess-", Alnum, 32, Edge::Word),
    ("sbp_", Hex, 20, Edge::Word),
    ("sb_secret_", Url, 16, Anywhere),
    ("sntrys_", Wide, 20, Anywhere),
    ("sntryu_", Wide, 20, Anywhere),
    ("sq0atp-", Url, 16, Anywhere),
    ("sq0csp-", Url, 16, Anywhere),
    ("shippo_live_", Hex, 16, Anywhere),
    ("sl.", Url, 60, Exact),
    ("tvly-", Url, 16, Edge::Word),
    ("tskey-", Url, 16, Edge::Word),
    ("tgp_v1_", Url, 24, Anywhere),
    ("whsec_", Wide, 12, Anywhere),
    ("xoxb-", Url, 8, Anywhere),
    ("xoxp-", Url, 8, Anywhere),
    ("xoxa-", Url, 8, Anywhere),
    ("xoxr-", Url, 8, Anywhere),
    ("xoxs-", Url, 8, Anywhere),
    ("xoxc-", Url, 8, Anywhere),
    ("xoxd-", Wide, 8, Anywhere),
    ("xoxo-", Url, 8, Anywhere),
    ("xoxe-", Url, 8, Anywhere),
    ("xoxe.", Wide, 8, Anywhere),
    ("xapp-", Url, 8, Anywhere),
    ("xwfp-", Url, 8, Anywhere),
    ("xai-", Alnum, 20, Edge::Word),
    ("xkeysib-", Url, 20, Anywhere),
    ("ya29.", Wide, 8, Anywhere),
    ("1//0", Url, 16, Edge::Word),
];

/// The first bytes of a prefix, filled up with zeros, for the scan that looks for them.
#[allow(clippy::indexing_slicing)] // evaluated by the compiler, and in bounds by the lines around it
pub(super) const fn beginning(index: usize) -> Option<[u8; 4]> {
    if index > PREFIXES.len() {
        return None;
    }
    let prefix = if index == PREFIXES.len() { b"eyJ" } else { PREFIXES[index].0.as_bytes() };
    let mut bytes = [0; 4];
    let mut at = 0;
    while at < 4 && at < prefix.len() {
        bytes[at] = prefix[at];
        at += 1;
    }
    Some(bytes)
}

/// The prefixes that begin with one letter (or with what is none), and which letters follow there.
#[derive(Debug, Clone, Copy)]
struct Family {
    first: u8,
    end: u8,
    /// The second letters of them all, one bit each.
    seconds: u32,
    /// The third ones. A prefix of two letters has any.
    thirds: u32,
}

static FAMILIES: [Family; 27] = families();

const fn letter(byte: u8) -> usize {
    if byte.is_ascii_alphabetic() { (byte & 0x1F) as usize - 1 } else { 26 }
}

const fn bit(byte: u8) -> u32 {
    1 << (byte & 0x1F)
}

#[allow(clippy::indexing_slicing, clippy::cast_possible_truncation)] // evaluated by the compiler
const fn families() -> [Family; 27] {
    let mut families = [Family { first: u8::MAX, end: 0, seconds: 0, thirds: 0 }; 27];
    let mut at = 0;
    while at < PREFIXES.len() {
        let prefix = PREFIXES[at].0.as_bytes();
        let family = &mut families[letter(prefix[0])];
        family.seconds |= bit(prefix[1]);
        family.thirds |= if prefix.len() > 2 { bit(prefix[2]) } else { u32::MAX };
        if family.first == u8::MAX {
            family.first = at as u8;
        }
        family.end = at as u8 + 1;
        at += 1;
    }
    families
}

/// How much of a token is enough to judge it by.
const JUDGED: usize = 64;

/// Where a secret lies that begins at `start`.
pub(super) fn token(text: Text<'_>, start: usize) -> Option<(usize, Category)> {
    let rest = text.from(start);
    let [first, second, third, ..] = *rest else { return None };
    if rest.starts_with(b"eyJ") {
        return jwt(text, start);
    }
    let family = FAMILIES.get(letter(first))?;
    // Nearly always it is a label that only begins as one of them does.
    if family.seconds & bit(second) == 0 || family.thirds & bit(third) == 0 {
        return None;
    }
    let word_start = !text.before(start).is_ascii_alphanumeric();
    let prefixes = PREFIXES.get(usize::from(family.first)..usize::from(family.end));
    for &(prefix, body, least, edge) in prefixes.unwrap_or_default() {
        let prefix = prefix.as_bytes();
        if prefix.get(1).is_none_or(|byte| !byte.eq_ignore_ascii_case(&second)) {
            continue;
        }
        let Some(head) = rest.get(..prefix.len()) else { continue };
        let matches = if edge == Exact { head == prefix } else { head.eq_ignore_ascii_case(prefix) };
        if !matches || edge != Anywhere && !word_start {
            continue;
        }
        // Judged by its first part, so that what is no token is not read to its end.
        let run = |most: usize| {
            rest.iter().skip(prefix.len()).take(most).take_while(|byte| body.has(**byte)).count()
        };
        let length = run(JUDGED);
        if length < least {
            continue;
        }
        // `sk-` and its like begin ordinary hyphenated names too, which have no digits among their letters.
        let inner = rest.get(prefix.len()..prefix.len() + length).unwrap_or_default();
        let random = match edge {
            Anywhere => true,
            Edge::Word => looks_random(inner),
            // Letters only are rare, but there are such keys: capitals without end, or both cases mixed.
            Exact => {
                let has = |is: fn(&u8) -> bool| inner.iter().filter(|byte| is(byte)).count();
                inner.iter().any(u8::is_ascii_digit)
                    || length >= 16 && length == has(u8::is_ascii_uppercase)
                    || length >= 20 && has(u8::is_ascii_uppercase) > 1 && has(u8::is_ascii_lowercase) > 1
            }
        };
        if !random {
            continue;
        }
        let length = run(usize::MAX);
        return Some((
            trim_end(text, start + prefix.len(), start + prefix.len() + length),
            Category::AccessCredential,
        ));
    }
    None
}

/// Letters and digits mixed, or letters of both cases inside a word: no name that a person gave.
fn looks_random(bytes: &[u8]) -> bool {
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    let upper = bytes.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    let lower = bytes.iter().filter(|byte| byte.is_ascii_lowercase()).count();
    let dashes = bytes.iter().filter(|byte| **byte == b'-').count();
    // No word is as long as this, with nothing in it to part it.
    let parts = || bytes.split(|byte| matches!(byte, b'-' | b'_' | b'.')).filter(|part| !part.is_empty());
    let longest = parts().map(<[u8]>::len).max().unwrap_or(0);
    if longest >= 24 || longest >= 20 && parts().count() == 1 {
        return true;
    }
    // Kebab-case names have a dash every few letters; tokens hardly any.
    if upper == 0 && dashes * 12 > bytes.len() {
        return false;
    }
    digits >= 2 && digits + upper + lower > digits || upper >= 2 && lower >= 2 || bytes.len() >= 30
}

/// A JSON Web Token, signed, encrypted or cut short, and other base64 of a JSON object.
fn jwt(text: Text<'_>, start: usize) -> Option<(usize, Category)> {
    let rest = text.from(start);
    let head = rest.iter().take(JUDGED).take_while(|byte| Url.has(**byte)).count();
    if head < 10 {
        return None;
    }
    let wide = |most: usize| rest.iter().skip(head).take(most).take_while(|byte| Wide.has(**byte)).count();
    // What is no token is not read to its end.
    if rest.get(head) == Some(&b'.') && wide(5) == 5 || head >= 24 {
        return Some((trim_end(text, start, start + head + wide(usize::MAX)), Category::AccessCredential));
    }
    None
}

/// A Telegram bot's token.
pub(super) fn digits_token(text: Text<'_>, start: usize) -> Option<(usize, Category)> {
    let rest = text.from(start);
    let digits = rest.iter().take(12).take_while(|byte| byte.is_ascii_digit()).count();
    if !(8..=11).contains(&digits)
        || rest.get(digits) != Some(&b':')
        || text.before(start).is_ascii_alphanumeric()
    {
        return None;
    }
    let length = rest.iter().skip(digits + 1).take(64).take_while(|byte| Url.has(**byte)).count();
    (30..=50).contains(&length).then_some((start + digits + 1 + length, Category::AccessCredential))
}

/// Where a client secret of Microsoft Entra lies: three characters, a digit and `Q~`, and 31 characters and more. The digit
/// is at `start`.
pub(super) fn entra(text: Text<'_>, start: usize) -> Option<(usize, usize)> {
    let is = |byte: &u8| Url.has(*byte) || matches!(byte, b'.' | b'~');
    let before = start.checked_sub(3)?;
    let rest = text.from(start + 3);
    let length = rest.iter().take(JUDGED).take_while(|byte| is(byte)).count();
    (text.slice(start + 1, start + 3) == b"Q~" && length >= 31 && text.slice(before, start).iter().all(is))
        .then(|| (before, trim_end(text, start, start + 3 + length)))
}

/// A PEM block that begins with the dashes at `start`. One without an end takes all that follows.
pub(super) fn pem(text: Text<'_>, start: usize) -> Option<(usize, Category)> {
    const END: &[u8] = b"-----END";
    let rest = text.from(start);
    let head = rest.strip_prefix(b"-----BEGIN")?;
    let title = head.iter().take(64).position(|byte| *byte == b'-')?;
    let secret =
        head.get(..title).unwrap_or_default().windows(7).any(|word| word.eq_ignore_ascii_case(b"PRIVATE"));
    let category = if secret { Category::ClientCredential } else { Category::AccessCredential };
    let mut from = rest.len() - head.len() + title;
    while let Some(tail) = rest.get(from..) {
        let Some(dash) = tail.iter().position(|byte| *byte == b'-') else { break };
        from += dash;
        let run = tail.iter().skip(dash).take_while(|byte| **byte == b'-').count();
        let from_run = rest.get(from + run.saturating_sub(5)..).unwrap_or_default();
        if run >= 5 && from_run.starts_with(END) {
            let line = from_run.get(END.len()..).unwrap_or_default();
            let end = line.iter().take(80).position(|byte| *byte == b'-').unwrap_or(0);
            let dashes = line.iter().skip(end).take_while(|byte| **byte == b'-').count();
            return Some((start + from + run - 5 + END.len() + end + dashes, category));
        }
        from += run;
    }
    Some((text.len(), category))
}

impl Body {
    #[cfg_attr(not(all(feature = "small", target_family = "wasm")), inline)]
    #[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
    const fn has(self, byte: u8) -> bool {
        match self {
            Alnum => byte.is_ascii_alphanumeric(),
            Word => byte.is_ascii_alphanumeric() || byte == b'_',
            Url => byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-',
            Wide => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'=' | b'/' | b'+'),
            Hex => byte.is_ascii_hexdigit(),
        }
    }
}

/// A full stop at the end is the sentence's.
fn trim_end(text: Text<'_>, start: usize, end: usize) -> usize {
    let tail = text.slice(start, end).iter().rev().take_while(|byte| **byte == b'.').count();
    end - tail
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(text: &str) -> Option<usize> {
        token(Text::plain(text.as_bytes()), 0).map(|(end, _)| end)
    }

    #[test]
    fn every_prefix_is_found() {
        for &(prefix, body, least, _) in PREFIXES {
            let unit = if matches!(body, Hex) { "a1b2c3d4" } else { "aB3dE5fG" };
            let text = prefix.to_owned() + &unit.repeat(least / 8 + 1);
            assert_eq!(length(&text), Some(text.len()), "{prefix}");
            assert_eq!(length(&(text.clone() + ". Next")), Some(text.len()), "{prefix}");
            // The scan has to stop there as well.
            let (clean, _) = crate::scrub::text(&text, crate::scrub::Rules::Hint);
            assert_eq!(clean, crate::scrub::REDACTED, "{prefix}");
        }
    }

    #[test]
    fn names_that_begin_alike_are_no_tokens() {
        for text in [
            "sk-learn-compatible-estimators-for-everyone",
            "key-value-stores",
            "npm_config_registry_url",
            "ACCOUNT",
            "SKILL",
            "hf_hub",
            "secret_manager_service_name_is_here_and_so",
            "ghp_",
            "eyJ",
            "pul-request",
        ] {
            assert_eq!(length(text), None, "{text}");
        }
    }

    #[test]
    fn a_block_ends_where_it_says_or_with_the_text() {
        let block = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----";
        let text = block.to_owned() + " after";
        let found = pem(Text::plain(text.as_bytes()), 0).unwrap();
        assert_eq!(found, (block.len(), Category::ClientCredential));
        let open = "-----BEGIN PRIVATE KEY-----\nMIIE";
        assert_eq!(pem(Text::plain(open.as_bytes()), 0).unwrap().0, open.len());
    }
}
