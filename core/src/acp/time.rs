//! A moment in UTC, without a calendar library.

use core::fmt;
#[cfg(feature = "std")]
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Serialize, Serializer};

/// A moment in UTC, in whole microseconds, between the years 1 and 9999.
///
/// Microseconds, because that is what the finest of the hosts' clocks keeps: a coarser time would lie before the
/// moment at which it was taken. A moment outside the range becomes the nearest inside it.
///
/// ```
/// use ackguard::acp::Timestamp;
///
/// let at = Timestamp::from_unix_micros(1_700_000_000_250_000);
/// assert_eq!(at.to_string(), "2023-11-14T22:13:20.250000Z");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

impl Timestamp {
    /// 0001-01-01T00:00:00Z.
    pub const MIN: Self = Self(-719_162 * DAY);
    /// The last microsecond of the year 9999.
    pub const MAX: Self = Self(2_932_897 * DAY - 1);

    /// So many microseconds after (before, if negative) 1970-01-01T00:00:00Z.
    #[must_use]
    pub fn from_unix_micros(micros: i64) -> Self {
        Self(micros.clamp(Self::MIN.0, Self::MAX.0))
    }

    /// So many milliseconds after 1970-01-01T00:00:00Z.
    #[must_use]
    pub fn from_unix_millis(millis: i64) -> Self {
        Self::from_unix_micros(millis.saturating_mul(1000))
    }

    /// Microseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn unix_micros(self) -> i64 {
        self.0
    }

    /// Milliseconds since 1970-01-01T00:00:00Z, rounded down.
    #[must_use]
    pub const fn unix_millis(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// The system's clock.
    #[cfg(all(feature = "std", not(all(target_family = "wasm", target_os = "unknown"))))]
    #[must_use]
    pub fn now() -> Self {
        SystemTime::now().into()
    }
}

#[cfg(feature = "std")]
impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Self {
        let micros = |d: Duration| i64::try_from(d.as_micros()).unwrap_or(i64::MAX);
        Self::from_unix_micros(match time.duration_since(UNIX_EPOCH) {
            Ok(after) => micros(after),
            Err(before) => -micros(before.duration()),
        })
    }
}

#[cfg(feature = "std")]
impl From<Timestamp> for SystemTime {
    fn from(at: Timestamp) -> Self {
        let distance = Duration::from_micros(at.0.unsigned_abs());
        let time = if at.0 < 0 { UNIX_EPOCH.checked_sub(distance) } else { UNIX_EPOCH.checked_add(distance) };
        time.unwrap_or(UNIX_EPOCH)
    }
}

/// RFC 3339, in UTC, always with six digits after the point, so that texts sort as the moments do.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, in_day) = (self.0.div_euclid(DAY), self.0.rem_euclid(DAY));
        let (year, month, day) = date(days);
        let (seconds, micros) = (in_day / SECOND, in_day % SECOND);
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}Z")
    }
}

/// The Gregorian date that is so many days after 1970-01-01.
///
/// Years are taken from March on, which puts the leap day at a year's end, in spans of 400 years, which all
/// have the same length.
fn date(days: i64) -> (i64, i64, i64) {
    const SPAN: i64 = 146_097;
    let since_march_0000 = days + 719_468;
    let (span, day_of_span) = (since_march_0000.div_euclid(SPAN), since_march_0000.rem_euclid(SPAN));
    let year_of_span =
        (day_of_span - day_of_span / 1460 + day_of_span / 36_524 - day_of_span / (SPAN - 1)) / 365;
    let day_of_year = day_of_span - (365 * year_of_span + year_of_span / 4 - year_of_span / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = span * 400 + year_of_span + i64::from(month <= 2);
    (year, month, day)
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_the_range_follows_the_one_before() {
        let leap = |y: i64| y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
        let mut expected = (1, 1, 1);
        for days in -719_162..2_932_897 {
            assert_eq!(date(days), expected);
            let (y, m, d) = expected;
            let length = match m {
                2 => 28 + i64::from(leap(y)),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            expected = match (m, d) {
                (12, 31) => (y + 1, 1, 1),
                (_, d) if d == length => (y, m + 1, 1),
                _ => (y, m, d + 1),
            };
        }
        assert_eq!(expected, (10_000, 1, 1));
    }

    #[test]
    fn the_ends_and_what_lies_beyond() {
        assert_eq!(Timestamp::MIN.to_string(), "0001-01-01T00:00:00.000000Z");
        assert_eq!(Timestamp::MAX.to_string(), "9999-12-31T23:59:59.999999Z");
        assert_eq!(Timestamp::from_unix_micros(i64::MIN), Timestamp::MIN);
        assert_eq!(Timestamp::from_unix_millis(i64::MAX), Timestamp::MAX);
        assert_eq!(Timestamp::from_unix_micros(-1).to_string(), "1969-12-31T23:59:59.999999Z");
        assert_eq!(Timestamp::from_unix_micros(-1).unix_millis(), -1);
    }

    #[test]
    fn the_systems_time_survives() {
        for micros in [0, 1, -1, 1_700_000_000_123_456, -5_000_000_001] {
            let at = Timestamp::from_unix_micros(micros);
            assert_eq!(Timestamp::from(SystemTime::from(at)), at);
        }
    }
}
