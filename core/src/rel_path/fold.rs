//! Names as careless file systems see them: two names that fold to the same text may be the same file
//! somewhere.

use alloc::string::String;

/// The code points that HFS+ leaves out when it compares names.
pub(super) const fn is_ignored_by_hfs(c: char) -> bool {
    matches!(
        c,
        '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}'
    )
}

/// The code points that any file system leaves out: Unicode's default ignorables, which a case-folding
/// directory of ext4 or f2fs drops.
pub(crate) const fn is_ignored_anywhere(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Appends `name` as a careless file system would see it: the ignored code points left out, without regard to
/// case, and without trailing dots and spaces.
pub(super) fn fold_into(out: &mut String, name: &str, ignored: fn(char) -> bool) {
    let start = out.len();
    if name.is_ascii() {
        out.push_str(name);
        out.get_mut(start..).unwrap_or_default().make_ascii_lowercase();
    } else {
        for c in name.chars().filter(|&c| !ignored(c)) {
            match fold_char(c) {
                Folded::One(c) => out.push(c),
                #[cfg(not(all(feature = "small", target_family = "wasm")))]
                Folded::Lower => out.extend(c.to_lowercase()),
                #[cfg(all(feature = "small", target_family = "wasm"))]
                Folded::Lower => out.push(super::lower::lower(c)),
                Folded::Many(text) => out.push_str(text),
            }
        }
    }
    let kept = out.get(start..).unwrap_or_default().trim_end_matches(['.', ' ']).len();
    out.truncate(start + kept);
}

enum Folded {
    One(char),
    Lower,
    Many(&'static str),
}

/// Unicode case folding where it is something else than the lower case.
fn fold_char(c: char) -> Folded {
    Folded::One(match c {
        '\0'..='\x7f' => c.to_ascii_lowercase(),
        '\u{b5}' => 'μ',
        '\u{17f}' => 's',
        '\u{345}' | '\u{1fbe}' => 'ι',
        'ς' => 'σ',
        '\u{3d0}' => 'β',
        '\u{3d1}' => 'θ',
        '\u{3d5}' => 'φ',
        '\u{3d6}' => 'π',
        '\u{3f0}' => 'κ',
        '\u{3f1}' => 'ρ',
        '\u{3f5}' => 'ε',
        '\u{1e9b}' => 'ṡ',
        'İ' => return Folded::Many("i\u{307}"),
        'ß' | 'ẞ' => return Folded::Many("ss"),
        '\u{fb00}' => return Folded::Many("ff"),
        '\u{fb01}' => return Folded::Many("fi"),
        '\u{fb02}' => return Folded::Many("fl"),
        '\u{fb03}' => return Folded::Many("ffi"),
        '\u{fb04}' => return Folded::Many("ffl"),
        '\u{fb05}' | '\u{fb06}' => return Folded::Many("st"),
        // U+212A KELVIN SIGN is among these: its lower case is `k`.
        _ => return Folded::Lower,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fold(name: &str) -> String {
        let mut out = "before ".to_owned();
        fold_into(&mut out, name, is_ignored_by_hfs);
        out.strip_prefix("before ").unwrap().to_owned()
    }

    #[test]
    fn disguises_fold_to_the_plain_name() {
        for name in [
            ".SKILLENV",
            ".\u{17f}\u{212a}illenv",
            ".skill\u{200c}env",
            ".skillenv. . .",
            ".skillenv.\u{feff} \u{206a}",
            "\u{202e}.\u{200f}S\u{212a}ILLENV\u{feff}.",
        ] {
            assert_eq!(fold(name), ".skillenv", "{name:?}");
        }
        assert_eq!(fold("STRASSE"), fold("stra\u{df}e"));
        assert_eq!(fold("ΟΔΟΣ"), fold("οδος"));
    }

    #[test]
    fn look_alikes_stay_themselves() {
        for name in [".ski\u{131}lenv", "\u{ff0e}skillenv", ".skill\u{200b}env", ".skillenv\n", ".skillenv.x"]
        {
            assert_ne!(fold(name), ".skillenv", "{name:?}");
        }
        assert_eq!(fold(" ..."), "");
    }
}
