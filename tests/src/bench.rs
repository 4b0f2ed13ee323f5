//! Ratios of two things measured in one run.
//!
//! A time means little on a machine that others use as well, so nothing here is compared with a time from another
//! run. Both sides of a ratio take turns in short batches, first one then the other, so that a slow moment
//! hits both; the ratio is the median over all pairs.

use std::hint::black_box;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How long one batch lasts: long against the clock's own cost, short against a scheduler's slice.
const BATCH: Duration = Duration::from_millis(2);
/// How many pairs of batches are measured, unless they take longer than [`ROW`].
const PAIRS: usize = 61;
/// How long one row may take: what takes seconds a batch is measured less often, and at least three times.
const ROW: Duration = Duration::from_secs(6);

/// What a measurement is held against.
#[derive(Debug, Clone, Copy)]
pub enum Bound {
    /// Ours takes at most this many times the peer's time.
    AtMost(f64),
    /// Ours is at least this many times faster than the peer.
    Faster(f64),
    /// For information only.
    None,
}

/// The table of one run, printed row by row.
#[derive(Debug)]
pub struct Table {
    wanted: Vec<String>,
    over: usize,
}

impl Table {
    /// An empty table; the command line's arguments that are no options select rows by part of their name.
    ///
    /// # Errors
    ///
    /// Standard output cannot be written to.
    pub fn new() -> io::Result<Self> {
        let wanted = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
        writeln!(
            io::stdout(),
            "{:<44} {:>10}  {:<34} {:>10}  {:>7}  {:>8}",
            "ours",
            "time",
            "peer",
            "time",
            "ratio",
            "bound"
        )?;
        Ok(Self { wanted, over: 0 })
    }

    /// Measures `ours` against `peer` and prints the row. Ratios are ours over the peer's: below 1 is faster.
    ///
    /// # Errors
    ///
    /// Standard output cannot be written to.
    pub fn ratio<A, B>(
        &mut self,
        name: &str,
        mut ours: impl FnMut() -> A,
        peer_name: &str,
        mut peer: impl FnMut() -> B,
        bound: Bound,
    ) -> io::Result<()> {
        if !self.is_wanted(name) {
            return Ok(());
        }
        let pairs = measure(&mut ours, &mut peer);
        let ratio = median(pairs.iter().map(|(a, b)| a / b));
        let (limit, most) = match bound {
            Bound::AtMost(times) => (format!("<= {times}"), times),
            Bound::Faster(times) => (format!("<= 1/{times}"), 1.0 / times),
            Bound::None => (String::new(), f64::INFINITY),
        };
        let verdict = match bound {
            Bound::None => "",
            _ if ratio <= most => "ok",
            _ => "OVER",
        };
        self.over += usize::from(verdict == "OVER");
        writeln!(
            io::stdout(),
            "{name:<44} {:>10}  {peer_name:<34} {:>10}  {ratio:>7.3}  {limit:>8}  {verdict}",
            shown(median(pairs.iter().map(|(a, _)| *a))),
            shown(median(pairs.iter().map(|(_, b)| *b))),
        )
    }

    /// Measures by how much `ours` is above `peer`, which has to be at most `most` nanoseconds, and prints the row.
    ///
    /// # Errors
    ///
    /// Standard output cannot be written to.
    pub fn surplus<A, B>(
        &mut self,
        name: &str,
        mut ours: impl FnMut() -> A,
        peer_name: &str,
        mut peer: impl FnMut() -> B,
        most: f64,
    ) -> io::Result<()> {
        if !self.is_wanted(name) {
            return Ok(());
        }
        let pairs = measure(&mut ours, &mut peer);
        let surplus = median(pairs.iter().map(|(a, b)| a - b));
        let verdict = if surplus <= most { "ok" } else { "OVER" };
        self.over += usize::from(verdict == "OVER");
        writeln!(
            io::stdout(),
            "{name:<44} {:>10}  {peer_name:<34} {:>10}  {:>+7.0}  {:>8}  {verdict}",
            shown(median(pairs.iter().map(|(a, _)| *a))),
            shown(median(pairs.iter().map(|(_, b)| *b))),
            surplus,
            format!("<= {most}ns"),
        )
    }

    /// Measures `ours` alone against a time in nanoseconds. Only for what the issue states as a time: the row
    /// depends on the machine and on what else it is doing, so it is shown and never fails the run.
    ///
    /// # Errors
    ///
    /// Standard output cannot be written to.
    pub fn time<A>(&mut self, name: &str, mut ours: impl FnMut() -> A, most: f64) -> io::Result<()> {
        if !self.is_wanted(name) {
            return Ok(());
        }
        let took = alone(&mut ours);
        let verdict = if took <= most { "ok" } else { "over (a time, not a ratio)" };
        writeln!(
            io::stdout(),
            "{name:<44} {:>10}  {:<34} {:>10}  {:>7}  {:>8}  {verdict}",
            shown(took),
            "",
            "",
            "",
            format!("<= {most}ns"),
        )
    }

    /// Measures how many megabytes (10^6 bytes) `ours` goes through in a second, shown like [`Table::time`].
    ///
    /// # Errors
    ///
    /// Standard output cannot be written to.
    pub fn throughput<A>(
        &mut self,
        name: &str,
        bytes: usize,
        mut ours: impl FnMut() -> A,
        least: f64,
    ) -> io::Result<()> {
        if !self.is_wanted(name) {
            return Ok(());
        }
        #[expect(clippy::cast_precision_loss, reason = "sizes of benchmarks are small")]
        let speed = bytes as f64 * 1e3 / alone(&mut ours);
        let verdict = if speed >= least { "ok" } else { "under (a speed, not a ratio)" };
        writeln!(
            io::stdout(),
            "{name:<44} {:>10}  {:<34} {:>10}  {:>7}  {:>8}  {verdict}",
            format!("{speed:.0} MB/s"),
            "",
            "",
            "",
            format!(">= {least}"),
        )
    }

    fn is_wanted(&self, name: &str) -> bool {
        self.wanted.is_empty() || self.wanted.iter().any(|wanted| name.contains(wanted.as_str()))
    }

    /// Fails if a row was over its bound.
    #[must_use]
    pub fn finish(self) -> ExitCode {
        if self.over == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// The median nanoseconds of one round.
fn alone<A>(work: &mut impl FnMut() -> A) -> f64 {
    let rounds = rounds(work);
    median((0..PAIRS).map(|_| batch(work, rounds)))
}

/// The nanoseconds that a round of each takes, in pairs.
fn measure<A, B>(ours: &mut impl FnMut() -> A, peer: &mut impl FnMut() -> B) -> Vec<(f64, f64)> {
    let (ours_rounds, peer_rounds) = (rounds(ours), rounds(peer));
    let mut pairs = Vec::with_capacity(PAIRS);
    let start = Instant::now();
    for pair in 0..PAIRS {
        if pair >= 3 && start.elapsed() > ROW {
            break;
        }
        // The order alternates: what the first leaves in the caches must not always help the same side.
        let (a, b);
        if pair % 2 == 0 {
            a = batch(ours, ours_rounds);
            b = batch(peer, peer_rounds);
        } else {
            b = batch(peer, peer_rounds);
            a = batch(ours, ours_rounds);
        }
        pairs.push((a, b));
    }
    pairs
}

/// How often `work` has to be done to fill one batch.
fn rounds<T>(work: &mut impl FnMut() -> T) -> u32 {
    let mut rounds = 1;
    loop {
        let start = Instant::now();
        for _ in 0..rounds {
            black_box(work());
        }
        let took = start.elapsed();
        if took >= BATCH || rounds >= u32::MAX / 2 {
            return rounds;
        }
        rounds *= 2;
    }
}

/// The nanoseconds that one round of a batch takes.
fn batch<T>(work: &mut impl FnMut() -> T, rounds: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..rounds {
        black_box(work());
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(rounds)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn shown(nanoseconds: f64) -> String {
    match nanoseconds {
        n if n < 1e3 => format!("{n:.1} ns"),
        n if n < 1e6 => format!("{:.2} us", n / 1e3),
        n => format!("{:.2} ms", n / 1e6),
    }
}
