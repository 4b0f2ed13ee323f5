//! A legal name is read without a single allocation.

// Only a global allocator can count, and the trait that makes one is unsafe.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

use ackguard::Dialect;
use ackguard::skill_name::SkillName;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call is the system allocator's own; counting touches nothing that it manages.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise is handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is handed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations(run: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.with(Cell::get);
    run();
    ALLOCATIONS.with(Cell::get) - before
}

#[test]
fn a_legal_name_costs_no_allocation() {
    let long_server = format!("mcp:{}:skill", "s".repeat(1 << 20));
    for (name, dialect) in [
        ("code-review", Dialect::V0_2),
        ("acme:code-review", Dialect::V0_2),
        ("mcp:tfrobot-tools:code-review", Dialect::V0_2),
        (&long_server, Dialect::V0_3),
    ] {
        let count = allocations(|| {
            let parsed = SkillName::parse(black_box(name), dialect).unwrap();
            black_box((parsed.source(), parsed.skill(), parsed.plugin(), parsed.server(), parsed.hint()));
            black_box(SkillName::parse_bytes(name.as_bytes(), dialect).unwrap());
        });
        assert_eq!(count, 0, "{name:.40}");
    }
    // The counter counts: a refusal keeps a copy of what it refused.
    assert!(allocations(|| assert!(SkillName::parse("Not A Name", Dialect::V0_2).is_err())) > 0);
}
