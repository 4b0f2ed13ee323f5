//! What the last payloads counted for.
//!
//! An error echoes no `req_id`, so a failure that happens again is the same text again, and it is the failures
//! that cost: their details pass the scrubber. What a text counts for depends on nothing but the text.

use super::Entry;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Each text has one slot, where a newer one takes the place of an older: nothing grows, and a peer who finds
/// texts that share a slot wins nothing.
#[derive(Default)]
pub(crate) struct Memory {
    slots: Vec<Option<(Box<[u8]>, Entry)>>,
    /// Where there is no slot.
    spare: Option<(Box<[u8]>, Entry)>,
}

impl Memory {
    const SLOTS: usize = 1024;
    /// Longer texts are not remembered.
    pub(crate) const LONGEST: usize = 1024;

    /// What a text counts for; `find` says so where it is not remembered.
    pub(crate) fn entry(&mut self, text: &[u8], find: impl FnOnce() -> Entry) -> &Entry {
        if self.slots.is_empty() {
            self.slots.resize_with(Self::SLOTS, || None);
        }
        let slot = self.slots.get_mut(Self::slot(text)).unwrap_or(&mut self.spare);
        if slot.as_ref().is_none_or(|(known, _)| **known != *text) {
            *slot = None;
        }
        let (_, entry) = slot.get_or_insert_with(|| (text.into(), find()));
        entry
    }

    /// A quick mix of the bytes, eight at a time.
    fn slot(text: &[u8]) -> usize {
        let mix = |sum: u64, word: u64| (sum.rotate_left(5) ^ word).wrapping_mul(0x51_7C_C1_B7_27_22_0A_95);
        let (words, rest) = text.as_chunks::<8>();
        let sum = words.iter().fold(text.len() as u64, |sum, word| mix(sum, u64::from_le_bytes(*word)));
        let sum = rest.iter().fold(sum, |sum, byte| mix(sum, (*byte).into()));
        // The high bits are the well mixed ones; 1024 slots take ten of them.
        usize::try_from(sum >> 54).unwrap_or_default() % Self::SLOTS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dialect;
    use crate::payload::{classify_json, classify_record};
    use crate::tally::Tally;

    #[test]
    fn what_is_remembered_counts_as_what_is_not() {
        let mut memory = Memory::default();
        let (mut by_memory, mut plainly) = (Tally::new(), Tally::new());
        let (mut found, mut asked) = (0, 0);
        for round in 0..3 {
            // Far more texts than slots, so that they drive each other out, and some that stay.
            for i in 0..3000 {
                let reason = if i % 2 == 0 { "gone" } else { "range" };
                let text = match i % 3 {
                    0 => format!(r#"{{"code":4018,"message":"{i}","details":{{"reason":"{reason}"}}}}"#),
                    1 => format!(r#"{{"code":4018,"message":"m","details":{{"reason":"{reason}"}}}}"#),
                    _ => format!(r#"{{"content":[{round}],"isError":true}}"#),
                };
                let payload = classify_record(text.as_bytes(), Dialect::V0_2).unwrap().payload;
                asked += 1;
                let entry = memory.entry(text.as_bytes(), || {
                    found += 1;
                    Entry::of(&payload)
                });
                by_memory.add_entry(entry);
                plainly.add(&classify_json(text.as_bytes(), Dialect::V0_2));
            }
        }
        assert_eq!(by_memory, plainly);
        assert!(found < asked / 2, "{found} of {asked}");
    }
}
