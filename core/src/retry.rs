//! Retry advice, and the exponential backoff that goes with it.
//!
//! Advice is a small value, not a sentence: may the program try again by itself, and what has to happen
//! first. The core never sleeps: [`Backoff`] only says how long the caller should.

use core::iter::FusedIterator;
use core::time::Duration;

use serde::Serialize;

/// May the program try again by itself?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Automatic {
    /// No.
    No,
    /// Yes, once, after the action.
    Once,
    /// It may: the caller decides, with backoff.
    Optional,
}

impl Automatic {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Once => "once",
            Self::Optional => "optional",
        }
    }
}

macro_rules! actions {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)+) => {
        /// What has to happen before another try makes sense.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
        #[non_exhaustive]
        pub enum Action {
            $($(#[$doc])* #[serde(rename = $name)] $variant,)+
        }

        impl Action {
            /// Every action.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The stable name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }
        }
    };
}

actions! {
    /// Nothing helps.
    None = "none",
    /// The program that sent the request has to be corrected.
    FixRequest = "fix_request",
    /// Sign in again.
    Reauthenticate = "reauthenticate",
    /// Wait as [`Backoff`] says.
    Backoff = "backoff",
    /// Fetch the tool list again.
    RefreshTools = "refresh_tools",
    /// The user confirms.
    Confirm = "confirm",
    /// The user authorizes on the Computer's host; only then, and only when the user asks.
    Authorize = "authorize",
    /// The user checks permissions on the Computer's host, or authorizes anew.
    ReviewAuthorization = "review_authorization",
    /// Disconnect, then upgrade one of the two sides.
    Upgrade = "upgrade",
    /// Fetch the server list again (for SKILLs: the SKILL list).
    RefreshServers = "refresh_servers",
    /// Leave this server out.
    SkipServer = "skip_server",
    /// Use the name as `get_skills` listed it.
    UseListedName = "use_listed_name",
    /// Go on with the SKILL's body alone.
    UseSkillBody = "use_skill_body",
    /// Tell the user the size, or take another way.
    ReportSize = "report_size",
    /// Fetch a new handle from the channel that minted the old one.
    RemintHandle = "remint_handle",
    /// Correct the offset.
    FixRange = "fix_range",
    /// Join the room.
    JoinRoom = "join_room",
    /// The user signs in to the agent (a JSON-RPC -32000).
    Authenticate = "authenticate",
    /// The server is at fault: report a bug.
    ReportBug = "report_bug",
    /// Whoever runs the agent process has to look at it.
    Operator = "operator",
}

/// The advice for one payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Advice {
    /// May the program try again by itself?
    pub automatic: Automatic,
    /// What has to happen first.
    pub action: Action,
}

impl Advice {
    /// Do not retry; nothing helps. The advice for every unknown code and reason.
    pub const NONE: Self = Self { automatic: Automatic::No, action: Action::None };

    /// The schedule to wait by, where the action is [`Action::Backoff`].
    #[must_use]
    pub fn schedule(self) -> Option<Schedule> {
        (self.action == Action::Backoff).then(Schedule::default)
    }
}

/// How often to retry and how long to wait at the most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Schedule {
    /// The most retries; 3 by default.
    pub max_retries: u32,
    /// The longest wait; 60 s by default.
    pub cap: Duration,
}

impl Default for Schedule {
    fn default() -> Self {
        Self { max_retries: 3, cap: Duration::from_secs(60) }
    }
}

impl Schedule {
    #[cfg(feature = "std")]
    /// The waits, with randomness from the operating system's seed of the standard library's hasher.
    #[must_use]
    pub fn waits(self) -> Backoff<fn() -> f64> {
        self.waits_with(random_unit)
    }

    /// The waits, with a given source of numbers in [0, 1). What it gives outside that range is clamped.
    pub fn waits_with<R: FnMut() -> f64>(self, random: R) -> Backoff<R> {
        Backoff { schedule: self, retry: 0, random }
    }
}

/// The waits before retry 0, 1, 2 and so on: 2^i seconds plus a random part in [0, 1), capped.
///
/// After `max_retries` waits the iterator ends, and the caller returns its last failure.
///
/// ```
/// use ackguard::retry::Schedule;
///
/// let waits: Vec<f64> = Schedule::default().waits_with(|| 0.5).map(|wait| wait.as_secs_f64()).collect();
/// assert_eq!(waits, [1.5, 2.5, 4.5]);
/// ```
#[derive(Debug, Clone)]
pub struct Backoff<R> {
    schedule: Schedule,
    retry: u32,
    random: R,
}

impl<R: FnMut() -> f64> Iterator for Backoff<R> {
    type Item = Duration;

    fn next(&mut self) -> Option<Duration> {
        if self.retry >= self.schedule.max_retries {
            return None;
        }
        // The largest fraction of a second that a Duration does not round up to one.
        const LARGEST: f64 = 0.999_999_999;
        // What is not a number becomes 0.
        let random = (self.random)().max(0.0);
        let random = if random > LARGEST { LARGEST } else { random };
        // 2^63 s is past every cap that a Duration can hold in practice, and still exact.
        let base = Duration::from_secs(1_u64 << self.retry.min(62));
        self.retry += 1;
        Some(base.saturating_add(Duration::from_secs_f64(random)).min(self.schedule.cap))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.schedule.max_retries.saturating_sub(self.retry) as usize;
        (left, Some(left))
    }
}

impl<R: FnMut() -> f64> ExactSizeIterator for Backoff<R> {}
impl<R: FnMut() -> f64> FusedIterator for Backoff<R> {}

/// A number in [0, 1). The jitter only has to differ between clients, so the random keys of the standard
/// library's hash map serve and no random number crate is needed.
#[cfg(feature = "std")]
fn random_unit() -> f64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    let bits = RandomState::new().build_hasher().finish() >> 11;
    #[allow(clippy::cast_precision_loss)] // 53 bits fit a double exactly
    let unit = bits as f64 / (1_u64 << 53) as f64;
    unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_and_are_capped() {
        let schedule = Schedule { max_retries: 10, cap: Duration::from_secs(60) };
        let waits: Vec<u64> = schedule.waits_with(|| 0.0).map(|wait| wait.as_secs()).collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
    }

    #[test]
    fn the_random_part_stays_below_one() {
        for wild in [f64::NAN, f64::INFINITY, -3.0, 1.0, 7.0] {
            let wait = Schedule::default().waits_with(|| wild).next().unwrap().as_secs_f64();
            assert!((1.0..2.0).contains(&wait), "{wild}: {wait}");
        }
        let drawn: Vec<f64> = (0..200).map(|_| random_unit()).collect();
        assert!(drawn.iter().all(|unit| (0.0..1.0).contains(unit)));
        assert!(drawn.windows(2).any(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn many_retries_do_not_overflow() {
        let schedule = Schedule { max_retries: 2000, cap: Duration::MAX };
        assert_eq!(schedule.waits_with(|| 0.9).count(), 2000);
    }
}
