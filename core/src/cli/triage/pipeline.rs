//! One reader cuts the text into parts of whole lines, all cores count them.
//!
//! Memory is bounded: there are no more buffers than a few for each worker, and a buffer that grew for a long
//! line is not handed to a worker but counted where it is.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use memchr::{memchr, memchr_iter, memrchr};

use super::Settings;
use super::counts::{Broken, Counts, Fault, Part};
use crate::cli::Failure;

/// The size of an ordinary part. Large enough that handing it over costs nothing, small enough for a cache.
const PART: usize = 256 * 1024;

/// A part on its way to a worker.
struct Job {
    file: usize,
    line: u64,
    start: u64,
    buffer: Vec<u8>,
    length: usize,
}

impl Job {
    fn part(&self) -> Part<'_> {
        Part {
            file: self.file,
            line: self.line,
            start: self.start,
            text: self.buffer.get(..self.length).unwrap_or_default(),
        }
    }
}

/// Counts everything that `read` feeds.
pub(super) fn run(
    settings: &Settings,
    read: impl FnOnce(&mut Feeder<'_>) -> Result<(), Failure>,
) -> Result<Counts, Failure> {
    let (jobs, waiting) = sync_channel::<Job>(settings.workers);
    let (back, spare) = channel();
    let waiting = &Mutex::new(waiting);
    thread::scope(|scope| {
        let mut workers = Vec::new();
        for _ in 0..settings.workers {
            let back = back.clone();
            let worker = thread::Builder::new()
                .name("ackguard-triage".to_owned())
                .spawn_scoped(scope, move || work(settings, waiting, &back));
            match worker {
                Ok(worker) => workers.push(worker),
                // As many as the system gives; with none the reader does the work.
                Err(_) => break,
            }
        }
        drop(back);
        let mut feeder = Feeder {
            settings,
            jobs: (!workers.is_empty()).then_some(jobs),
            spare,
            buffers: 2 * settings.workers + 2,
            own: Counts::new(settings),
        };
        let result = read(&mut feeder);
        let Feeder { jobs, own: mut counts, .. } = feeder;
        // The workers end when there is nobody left to send.
        drop(jobs);
        for worker in workers {
            let Ok(counted) = worker.join() else {
                return Err(Failure::new("a worker has failed; the counts would be wrong"));
            };
            counts.merge(counted);
        }
        result.map(|()| counts)
    })
}

fn work(settings: &Settings, waiting: &Mutex<Receiver<Job>>, back: &Sender<Vec<u8>>) -> Counts {
    let mut counts = Counts::new(settings);
    loop {
        let job = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return counts };
        counts.count(job.part());
        // Nobody takes it any more once the reader has ended.
        let _ = back.send(job.buffer);
    }
}

/// The reader's side.
pub(super) struct Feeder<'a> {
    settings: &'a Settings,
    jobs: Option<SyncSender<Job>>,
    spare: Receiver<Vec<u8>>,
    /// How many more buffers may be made.
    buffers: usize,
    own: Counts,
}

impl Feeder<'_> {
    pub(super) fn note_damage(&mut self, file: usize, damage: &'static str) {
        self.own.damaged.push((file, damage));
    }

    /// A buffer of at least `length` bytes.
    fn buffer(&mut self, length: usize) -> Vec<u8> {
        let mut buffer = match self.spare.try_recv() {
            Ok(buffer) => buffer,
            Err(_) if self.buffers > 0 => {
                self.buffers -= 1;
                Vec::new()
            }
            // Only where every worker has failed is there nothing to wait for.
            Err(_) => self.spare.recv().unwrap_or_default(),
        };
        buffer.resize(length.max(PART), 0);
        buffer
    }

    /// Reads a source to its end.
    pub(super) fn feed(&mut self, file: usize, source: &mut dyn Read) -> io::Result<()> {
        let buffer = self.buffer(PART);
        let result = self.feed_from(file, source, buffer);
        // The last buffer is not handed over, so another one may be made.
        self.buffers += 1;
        result
    }

    fn feed_from(&mut self, file: usize, source: &mut dyn Read, mut buffer: Vec<u8>) -> io::Result<()> {
        let mut filled = 0;
        let mut line = 1_u64;
        let mut start = 0_u64;
        let mut skipping = false;
        loop {
            let ended = fill(source, &mut buffer, &mut filled)?;
            let text = buffer.get(..filled).unwrap_or_default();
            if skipping {
                // The rest of a line that is too long.
                let end = memchr(b'\n', text).map(|newline| newline + 1);
                let past = end.unwrap_or(filled);
                buffer.copy_within(past..filled, 0);
                filled -= past;
                start += past as u64;
                if end.is_some() {
                    line += 1;
                    skipping = false;
                }
                if ended && (skipping || filled == 0) {
                    return Ok(());
                }
                continue;
            }
            let end = if ended { Some(filled) } else { memrchr(b'\n', text).map(|newline| newline + 1) };
            let Some(end) = end else {
                if filled > self.settings.max_line {
                    let at = self.settings.max_line as u64;
                    self.own.note(Broken { file, line, at, start, fault: Fault::TooLong });
                    start += filled as u64;
                    filled = 0;
                    skipping = true;
                    buffer = vec![0; PART];
                } else {
                    let longer = (buffer.len() * 2).min(self.settings.max_line + 2);
                    buffer.resize(longer.max(buffer.len() + 1), 0);
                }
                continue;
            };
            let rest = text.get(end..).unwrap_or_default();
            let lines = memchr_iter(b'\n', text.get(..end).unwrap_or_default()).count() as u64;
            let long = buffer.len() > PART;
            if long || ended {
                let part = Part { file, line, start, text: text.get(..end).unwrap_or_default() };
                if end > 0 {
                    self.own.count(part);
                }
                if ended {
                    return Ok(());
                }
                let mut next = vec![0; rest.len().max(PART)];
                if let Some(head) = next.get_mut(..rest.len()) {
                    head.copy_from_slice(rest);
                }
                filled = rest.len();
                buffer = next;
            } else {
                let mut next = self.buffer(rest.len());
                if let Some(head) = next.get_mut(..rest.len()) {
                    head.copy_from_slice(rest);
                }
                filled -= end;
                self.send(Job { file, line, start, buffer, length: end })?;
                buffer = next;
            }
            line += lines;
            start += end as u64;
        }
    }

    fn send(&mut self, job: Job) -> io::Result<()> {
        let Some(jobs) = &self.jobs else {
            self.own.count(job.part());
            self.buffers += 1;
            return Ok(());
        };
        // Joining says that a worker has failed; here there is just no point in going on.
        jobs.send(job).map_err(|_| io::Error::other("a worker has failed"))
    }
}

/// Reads until the buffer is full; whether the source has ended before.
fn fill(source: &mut dyn Read, buffer: &mut [u8], filled: &mut usize) -> io::Result<bool> {
    while let Some(room) = buffer.get_mut(*filled..).filter(|room| !room.is_empty()) {
        match source.read(room) {
            Ok(0) => return Ok(true),
            Ok(count) => *filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dialect;

    fn settings(max_line: usize) -> Settings {
        Settings { dialect: Dialect::V0_2, max_line, named: 100, workers: 3 }
    }

    /// Gives a few bytes at a time, as a pipe does.
    struct Trickle<'a>(&'a [u8], usize);

    impl Read for Trickle<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.0.len().min(self.1).min(buffer.len());
            let (now, later) = self.0.split_at(count);
            buffer[..count].copy_from_slice(now);
            self.0 = later;
            Ok(count)
        }
    }

    fn counted(text: &[u8], max_line: usize, step: usize) -> Counts {
        let settings = settings(max_line);
        run(&settings, |feeder| {
            feeder.feed(0, &mut Trickle(text, step)).map_err(|error| Failure::new(error.to_string()))
        })
        .unwrap()
    }

    /// The same by the plainest means.
    fn expected(text: &[u8], max_line: usize) -> Vec<(u64, u64, Fault)> {
        let mut start = 0;
        let mut found = Vec::new();
        for (index, line) in text.split(|byte| *byte == b'\n').enumerate() {
            let place = (index as u64 + 1, start);
            if line.len() > max_line {
                found.push((place.0, place.1, Fault::TooLong));
            } else if !line.is_empty() && serde_json::from_slice::<serde_json::Value>(line).is_err() {
                found.push((place.0, place.1, Fault::NotJson));
            }
            start += line.len() as u64 + 1;
        }
        found
    }

    #[test]
    fn lines_are_cut_where_they_end_whatever_the_parts() {
        let max_line = 300_000;
        let mut text = Vec::new();
        for size in [0, 10, 270_000, 299_997, 700_000, 3, 299_999, 0, 7] {
            text.extend_from_slice(b"[true,null]\n{\n");
            text.push(b'"');
            text.resize(text.len() + size, b'x');
            text.extend_from_slice(b"\"\noops\n");
        }
        for (tail, step) in [(&b""[..], 997), (b"null", 65_536), (b"\"", usize::MAX), (b"\n\n[]", usize::MAX)]
        {
            let text = [&text, tail].concat();
            {
                let counts = counted(&text, max_line, step);
                let found: Vec<_> = counts.broken.iter().map(|it| (it.line, it.start, it.fault)).collect();
                let expected = expected(&text, max_line);
                assert_eq!(found, expected, "{step} {:?}", tail);
                assert_eq!(counts.broken_lines(), expected.len() as u64);
                let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count();
                assert_eq!(counts.lines(), lines as u64);
            }
        }
    }

    #[test]
    fn many_files_take_turns_with_the_same_buffers() {
        let settings = settings(1000);
        let text = b"[true,null]\n".repeat(PART / 10);
        let counts = run(&settings, |feeder| {
            for file in 0..12 {
                let mut source = Trickle(&text, usize::MAX);
                feeder.feed(file, &mut source).map_err(|error| Failure::new(error.to_string()))?;
            }
            Ok(())
        })
        .unwrap();
        assert_eq!(counts.lines(), 12 * (PART as u64 / 10));
    }

    #[test]
    fn exactly_the_longest_line_is_read() {
        for (length, fault) in [(1000, None), (1001, Some(Fault::TooLong))] {
            for end in [&b"\n"[..], b"", b"\n\n"] {
                let mut text = vec![b'1'; length];
                text.extend_from_slice(end);
                let counts = counted(&text, 1000, usize::MAX);
                assert_eq!(counts.broken.first().map(|it| it.fault), fault, "{length} {end:?}");
            }
        }
    }
}
