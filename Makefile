# Thin on purpose: every line here can be typed by hand, the work is in cargo and in tests/tools.
#
#   make demo     what ackguard does, on real recordings
#   make test     everything, part by part, with a table at the end (CI=1: a skipped part fails)
#   make bench    ratios against named peers, in one run
#   make fuzz     SECONDS=60 for each fuzz target of the core; fuzz-python and fuzz-js: for what the packages export
#   make agree    the same random inputs through every language, SECONDS=60; SEED=1 repeats a run
#   make census   how many shared cases each language ran in the last `make test`
#   make docs     the guide, into target/docs
#   make dist     everything that is delivered, into target/dist
#   make audit    known holes in what we depend on, and whether the API still holds
#   make playground  a static page that explains payloads, in bindings-wasm/playground/dist
#   make fmt lint
#
# To add a part: one block below that appends its name to PARTS, says test-<name>, and, if it runs the shared
# vectors in a language, appends <language>:<name> to CENSUS. A recipe that cannot set up what it needs
# calls `tests/tools/skip.sh "what is missing"`.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory

# Everything that is made goes below one folder, so that `rm -rf target` is a fresh start.
export CARGO_TARGET_DIR := $(abspath $(or $(CARGO_TARGET_DIR),target))
export ACKGUARD_CENSUS := $(CARGO_TARGET_DIR)/census
export ACKGUARD_SUMMARY := $(CARGO_TARGET_DIR)/summary

SECONDS ?= 60
PARTS :=
CENSUS :=
BENCHES :=

.PHONY: help
help:
	@sed -n 's/^#   make/  make/p' Makefile

# --- style: formatting, lints, documentation -----------------------------------------------------------
PARTS += style
.PHONY: test-style
test-style: lint
	RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --all-features --quiet
	tests/tools/check-scripts.sh

# --- core: the Rust crate, the shared vectors in Rust, the command -------------------------------------
PARTS += core
CENSUS += rust:core
BENCHES += core
.PHONY: test-core bench-core
test-core:
	cargo test --all-features --no-fail-fast
	tests/tools/wasm-target.sh
	cargo check --package ackguard --target wasm32-unknown-unknown --no-default-features --features std
	cargo check --package ackguard --target wasm32-unknown-unknown --no-default-features
bench-core:
	tests/tools/pinned.sh cargo bench --package ackguard-tests --features peers --bench ratios
	tests/tools/bench-triage.sh

# --- python: the wheel, its tests, its types; real peers ------------------------------------------------
PARTS += python interop-python
CENSUS += python:python
BENCHES += python
.PHONY: test-python test-interop-python bench-python
test-python:
	bindings-python/tests/run.sh "$$(tests/tools/python-wheel.sh)"
	bindings-python/tests/sdist.sh
test-interop-python:
	tests/interop/python/run.sh "$$(tests/tools/python-wheel.sh)"
bench-python:
	bindings-python/bench/run.sh "$$(tests/tools/python-wheel.sh)"

# --- interop-compat: the drop-in for a2c-smcp, beside the real one from the package index ----------------
PARTS += interop-compat
.PHONY: test-interop-compat
test-interop-compat:
	tests/interop/compat/run.sh

# --- arrow: columns of payloads in pyarrow, Polars, DuckDB and Spark -------------------------------------
PARTS += arrow
BENCHES += arrow
.PHONY: test-arrow bench-arrow
test-arrow:
	tests/tools/need.sh java=default-jre-headless
	tests/interop/arrow/run.sh "$$(tests/tools/python-wheel.sh)"
bench-arrow:
	tests/interop/arrow/bench.sh "$$(tests/tools/python-wheel.sh)"

# --- interop-rust: the same inputs through the crate `smcp` ---------------------------------------------
PARTS += interop-rust
.PHONY: test-interop-rust
test-interop-rust:
	cargo fetch --quiet --manifest-path tests/interop/rust/Cargo.toml \
	    || tests/tools/skip.sh "the crate smcp cannot be fetched from the registry"
	cargo test --quiet --manifest-path tests/interop/rust/Cargo.toml

# --- delivery: one version everywhere, a bill of materials of what is delivered ---------------------------
PARTS += delivery
.PHONY: test-delivery docs dist audit
test-delivery:
	tests/tools/versions.py
	mkdir -p '$(CARGO_TARGET_DIR)/delivery'
	tests/tools/sbom.py '$(CARGO_TARGET_DIR)/delivery/sbom.json'
docs:
	tests/tools/book.sh
dist:
	tests/tools/dist.sh
audit:
	tests/tools/audit.sh

# --- wasm: the npm package in Node and in Chromium, packed, bundled, typed; the playground ---------------
PARTS += wasm
CENSUS += node:wasm chromium:wasm
BENCHES += wasm
.PHONY: test-wasm bench-wasm build-wasm playground
build-wasm:
	tests/tools/need.sh node=nodejs npm
	tests/tools/wasm-target.sh
	tests/tools/npm-ci.sh bindings-wasm
	cd bindings-wasm && node build.mjs
test-wasm: build-wasm
	tests/tools/need.sh chromium
	cargo clippy --package ackguard-wasm --lib --target wasm32-unknown-unknown --quiet -- -D warnings
	cd bindings-wasm && npm run --silent lint
	cd bindings-wasm && npm run --silent playground
	cd bindings-wasm && node --test --test-concurrency=1 test/*.test.mjs
bench-wasm: build-wasm
	tests/tools/need.sh chromium
	cd bindings-wasm && ../tests/tools/pinned.sh node --expose-gc bench/bench.mjs
playground: build-wasm
	cd bindings-wasm && npm run --silent playground

# --- kotlin: the jars, the shared vectors on the JVM, the guide's Kotlin ----------------------------------
PARTS += kotlin
CENSUS += kotlin:kotlin
BENCHES += kotlin
.PHONY: test-kotlin bench-kotlin
test-kotlin:
	bindings-uniffi/support/kotlin.sh test
bench-kotlin:
	tests/tools/pinned.sh bindings-uniffi/support/kotlin.sh run io.ackguard.Bench

# --- swift: the package, the shared vectors in Swift, the guide's Swift -----------------------------------
PARTS += swift
CENSUS += swift:swift
BENCHES += swift
.PHONY: test-swift bench-swift
test-swift:
	bindings-uniffi/support/swift.sh test
bench-swift:
	tests/tools/pinned.sh bindings-uniffi/support/swift.sh run AckguardBench

# --- all of them ---------------------------------------------------------------------------------------
.PHONY: test bench census fmt lint fuzz agree demo clean
test:
	@tests/tools/summary.sh $(PARTS) -- $(CENSUS)

bench: $(addprefix bench-,$(BENCHES))

census:
	@tests/tools/census.py $(CENSUS)

fmt:
	cargo fmt --all

lint:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --all-features --quiet -- -D warnings

.PHONY: fuzz-python fuzz-js
fuzz:
	tests/tools/fuzz.sh $(SECONDS)
fuzz-python:
	bindings-python/fuzz/run.sh $(SECONDS) "$$(tests/tools/python-wheel.sh)"
fuzz-js: build-wasm
	cd bindings-wasm && FUZZ_SECONDS=$(SECONDS) node --test --test-reporter=spec test/fuzz.test.mjs

agree:
	tests/tools/agree.sh $(SECONDS) $(SEED)

demo:
	@tests/tools/demo.sh

clean:
	rm -rf '$(CARGO_TARGET_DIR)'
