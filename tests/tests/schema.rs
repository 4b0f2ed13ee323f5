//! The vector files have the shape that their schema gives them.

use std::fs;

use ackguard_tests::vectors;
use boon::{Compiler, Schemas};
use serde_json::Value;

#[test]
fn every_vector_file_fits_the_schema() {
    let folder = vectors::folder();
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    let schema = compiler.compile(folder.join("schema.json").to_str().unwrap(), &mut schemas).unwrap();
    let mut problems = Vec::new();
    for file in fs::read_dir(&folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|e| e == "json") && !path.ends_with("schema.json") {
            let json: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
            if let Err(error) = schemas.validate(&json, schema) {
                problems.push(format!("{}: {error:#}", path.file_name().unwrap().to_string_lossy()));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
