//! Letters and digits of all scripts.

/// Whether a character is a letter or a digit, or goes with those: a mark of a script, a place of its block that is
/// still empty. No white space, no control character, and nothing of the blocks of signs.
///
/// Blocks instead of what the standard library has: its tables are 2 KB that nothing makes smaller.
pub(crate) fn is_alphanumeric(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    !matches!(c,
        // Latin-1 but for its letters, digits and fractions.
        '\u{80}'..='\u{a9}' | '\u{ab}'..='\u{b1}' | '\u{b4}' | '\u{b6}'..='\u{b8}' | '\u{bb}' | '\u{bf}'
        | '\u{d7}' | '\u{f7}'
        // Accents that follow their letter.
        | '\u{300}'..='\u{344}' | '\u{346}'..='\u{362}'
        | '\u{1ab0}'..='\u{1abe}' | '\u{1dc0}'..='\u{1dd2}' | '\u{1df5}'..='\u{1dff}'
        | '\u{1680}'
        // Punctuation, currencies, arrows, mathematics, boxes and pictures.
        | '\u{2000}'..='\u{206f}'
        | '\u{20a0}'..='\u{20ff}'
        | '\u{2190}'..='\u{245f}'
        | '\u{2500}'..='\u{2775}'
        | '\u{2794}'..='\u{2bff}'
        | '\u{2e00}'..='\u{2e2e}'
        | '\u{2e30}'..='\u{3004}'
        | '\u{3008}'..='\u{3020}'
        | '\u{302a}'..='\u{3030}'
        // What everybody may use for anything, and what joins or chooses.
        | '\u{e000}'..='\u{f8ff}'
        | '\u{fe00}'..='\u{fe6f}'
        | '\u{feff}'..='\u{ff0f}'
        | '\u{ff1a}'..='\u{ff20}'
        | '\u{ff3b}'..='\u{ff40}'
        | '\u{ff5b}'..='\u{ff65}'
        | '\u{ffe0}'..='\u{ffff}'
        | '\u{1f000}'..='\u{1f0ff}'
        | '\u{1f18a}'..='\u{1fbef}'
        | '\u{e0000}'..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_and_digit_is_one_and_no_space() {
        for c in '\0'..=char::MAX {
            let is_there = is_alphanumeric(c);
            assert!(is_there || !c.is_alphanumeric(), "{}", c.escape_unicode());
            assert!(!is_there || !c.is_whitespace() && !c.is_control(), "{}", c.escape_unicode());
        }
        for c in "!/:@[`{~ «»“”‘’…—·€→★（）【】《》。、，！？：；｛｝🙂🔑\u{feff}\u{200b}\u{202e}".chars()
        {
            assert!(!is_alphanumeric(c), "{}", c.escape_unicode());
        }
    }
}
