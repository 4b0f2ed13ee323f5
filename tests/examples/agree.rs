//! Rust's side of `make agree`: reads `{"file", "input"}` line by line, answers as the runner of the shared cases does.

#[path = "../tests/ops/mod.rs"]
#[expect(dead_code, reason = "the runner asks about what only shows once all cases of a file have been run")]
mod ops;

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use ackguard_tests::vectors::{Fields, File};
use serde_json::{Map, Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let mut asked: Map<String, Value> = serde_json::from_str(&line?)?;
        let name = asked.get("file").and_then(Value::as_str).unwrap_or_default().to_owned();
        let file = File { name, json: Value::Null, cases: Vec::new() };
        let input = asked.remove("input").and_then(|input| input.as_object().cloned()).unwrap_or_default();
        let mut input = Fields::new(input);
        let mut together = ops::Together::new(&file);
        let answer = match catch_unwind(AssertUnwindSafe(|| ops::answer(&file, &mut input, &mut together))) {
            Ok(Ok(answer)) => json!({ "answer": answer }),
            Ok(Err(problem)) => json!({ "not_run": problem }),
            Err(_) => json!({ "answer": "a panic" }),
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}
