//! Counting classified payloads.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ackguard::tally;

use crate::Dialect;
use crate::error::{AckguardError, guarded};
use crate::payload::with_classified;

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq, Eq, Hash, uniffi::Enum)]
pub enum AttributeValue {
    /// A text.
    Text {
        /// The text.
        text: String,
    },
    /// A number.
    Number {
        /// The number.
        number: i64,
    },
}

/// One row of a tally, as OpenTelemetry has it: the attributes of a measurement, named by its semantic conventions where
/// they have a name, and how many payloads it stands for.
#[derive(Debug, Clone, PartialEq, Eq, uniffi::Record)]
pub struct TallyRow {
    /// The attributes; their number and their values are bounded.
    pub attributes: HashMap<String, AttributeValue>,
    /// The count.
    pub count: i64,
}

/// Counts payloads by kind, code, reason and outcome. Of bounded size; safe to use from many threads.
#[derive(Debug, Default, uniffi::Object)]
pub struct Tally(Mutex<tally::Tally>);

impl Tally {
    fn lock(&self) -> MutexGuard<'_, tally::Tally> {
        // A count that was interrupted is at worst one short.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `None` for a type of value that this language does not know yet.
fn attribute(value: tally::AttributeValue<'_>) -> Option<AttributeValue> {
    match value {
        tally::AttributeValue::Text(text) => Some(AttributeValue::Text { text: text.into_owned() }),
        tally::AttributeValue::Number(number) => Some(AttributeValue::Number { number }),
        _ => None,
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

    /// The rows, each with the attributes for a counter of OpenTelemetry.
    pub fn rows(&self) -> Result<Vec<TallyRow>, AckguardError> {
        guarded(|| {
            let tally = self.lock();
            let rows = tally.rows().map(|(row, count)| TallyRow {
                attributes: row
                    .attributes()
                    .into_iter()
                    .filter_map(|(name, value)| Some((name.to_owned(), attribute(value)?)))
                    .collect(),
                count: i64::try_from(count).unwrap_or(i64::MAX),
            });
            Ok(rows.collect())
        })
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
