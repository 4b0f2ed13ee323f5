//! Counting classified payloads.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::Dialect;
use crate::error::{AckguardError, guarded};
use crate::payload::with_classified;

/// Counts payloads by kind, code, reason and outcome. Of bounded size; safe to use from many threads.
#[derive(Debug, Default, uniffi::Object)]
pub struct Tally(Mutex<ackguard::tally::Tally>);

impl Tally {
    fn lock(&self) -> MutexGuard<'_, ackguard::tally::Tally> {
        // A count that was interrupted is at worst one short.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[uniffi::export]
impl Tally {
    /// An empty tally.
    #[uniffi::constructor]
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Counts a payload, which is JSON.
    #[uniffi::method(default(dialect = None))]
    pub fn add_json(&self, json: Vec<u8>, dialect: Option<Dialect>) -> Result<(), AckguardError> {
        guarded(|| {
            with_classified(&json, false, dialect.unwrap_or_default(), |classified| {
                self.lock().add(classified);
            });
            Ok(())
        })
    }

    /// Adds what another one has counted.
    pub fn merge(&self, other: Arc<Tally>) -> Result<(), AckguardError> {
        guarded(|| {
            // Not both locks at once: two threads may merge each into the other, and one into itself.
            let counted = other.lock().clone();
            self.lock().merge(&counted);
            Ok(())
        })
    }

    /// How many payloads there were.
    pub fn total(&self) -> Result<u64, AckguardError> {
        guarded(|| Ok(self.lock().total()))
    }

    /// The counts as JSON.
    pub fn to_json(&self) -> Result<String, AckguardError> {
        guarded(|| Ok(self.lock().to_json()))
    }

    /// The counts in Prometheus' text format.
    pub fn to_prometheus(&self) -> Result<String, AckguardError> {
        guarded(|| Ok(self.lock().to_prometheus()))
    }

    /// The counts as a table for people.
    pub fn to_table(&self) -> Result<String, AckguardError> {
        guarded(|| Ok(self.lock().to_string()))
    }
}
