//! See the module of the same name in the library beside.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ackguard_fuzz::payload::run(input));
