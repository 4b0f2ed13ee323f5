//! The memory of the module: an allocator of a few hundred bytes, and the places for what outlives a call.
//!
//! Blocks have sizes that are powers of two, and those that are free are kept in one list for each size. Both taking and
//! giving back are a few instructions, and what one call has used the next one uses again, so that a million calls
//! need no more memory than one.

use core::alloc::{GlobalAlloc, Layout};
use core::arch::wasm32::{memory_grow, unreachable};
use core::cell::{Cell, UnsafeCell};
use core::mem::{forget, replace};
use core::panic::PanicInfo;
use core::ptr::null_mut;

/// The smallest block, which is also what all of them are aligned to.
const SMALLEST: usize = 16;
const PAGE: usize = 1 << 16;
/// How much may be lost at least before anything is done about it.
const LOST: usize = 1 << 20;

struct Heap {
    /// The first free block of each size; each begins with the address of the next.
    free: [*mut u8; 32],
    start: usize,
    /// What has never been used.
    fresh: usize,
    end: usize,
    /// How much may be lost before it is worth the time to make it free.
    enough: usize,
}

impl Heap {
    /// The exponent of the size of the block that holds so many bytes.
    const fn class(size: usize) -> u32 {
        if size <= SMALLEST { SMALLEST.ilog2() } else { usize::BITS - (size - 1).leading_zeros() }
    }

    fn take(&mut self, class: u32) -> *mut u8 {
        let Some(first) = self.free.get_mut(class as usize) else { return null_mut() };
        let block = *first;
        if !block.is_null() {
            // SAFETY: a block in a list holds the address of the next, written when it was given back.
            *first = unsafe { *block.cast::<*mut u8>() };
            return block;
        }
        let size = 1_usize << class;
        if self.end - self.fresh < size {
            let pages = size.div_ceil(PAGE);
            let before = memory_grow(0, pages);
            if before == usize::MAX {
                return null_mut();
            }
            // Pages that follow the last ones lengthen the space; there is nobody else who asks for pages.
            if before * PAGE != self.end {
                self.start = before * PAGE;
                self.fresh = self.start;
            }
            self.end = (before + pages) * PAGE;
        }
        let block = self.fresh;
        self.fresh += size;
        core::ptr::with_exposed_provenance_mut(block)
    }

    fn give(&mut self, block: *mut u8, class: u32) {
        if let Some(first) = self.free.get_mut(class as usize) {
            // SAFETY: the block is nobody's any more, and no block is smaller than an address.
            unsafe { *block.cast::<*mut u8>() = *first };
            *first = block;
        }
    }
}

struct OneThread<T>(T);

// SAFETY: the module is built without threads, so nothing in it is ever shared between two.
unsafe impl<T> Sync for OneThread<T> {}

struct Allocator(OneThread<UnsafeCell<Heap>>);

// SAFETY: blocks do not overlap, are at least as large as was asked for, and are aligned to 16, which is more
// than any type here needs; for more there is none. No method calls another while it holds the heap.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() > SMALLEST {
            return null_mut();
        }
        self.heap(|heap| heap.take(Heap::class(layout.size())))
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        self.heap(|heap| heap.give(block, Heap::class(layout.size())));
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if Heap::class(size) == Heap::class(layout.size()) {
            return block;
        }
        // SAFETY: the caller's, whose layout it is; the two blocks are different ones.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !new.is_null() {
                new.copy_from_nonoverlapping(block, size.min(layout.size()));
                self.dealloc(block, layout);
            }
            new
        }
    }
}

#[global_allocator]
static ALLOCATOR: Allocator = Allocator(OneThread(UnsafeCell::new(Heap {
    free: [null_mut(); 32],
    start: 0,
    fresh: 0,
    end: 0,
    enough: LOST,
})));

impl Allocator {
    fn heap<R>(&self, work: impl FnOnce(&mut Heap) -> R) -> R {
        // SAFETY: one thread, and nothing here calls back.
        work(unsafe { &mut *self.0.0.get() })
    }
}

/// Whether so much of the memory may be lost that [`keep`] is worth its time.
pub(crate) fn is_full() -> bool {
    ALLOCATOR.heap(|heap| heap.fresh - heap.start > heap.enough)
}

/// Makes all memory free but for what a value holds. Nobody may use or give back anything else that is in it.
pub(crate) fn keep<T: Clone>(value: &mut T) {
    // A copy behind everything, and a copy of that from the start on, which ends before the first begins: neither takes more
    // than what the value had.
    ALLOCATOR.heap(|heap| heap.free = [null_mut(); 32]);
    let copy = value.clone();
    ALLOCATOR.heap(|heap| {
        heap.free = [null_mut(); 32];
        heap.fresh = heap.start;
    });
    forget(replace(value, copy.clone()));
    forget(copy);
    ALLOCATOR.heap(|heap| heap.enough = LOST.max(2 * (heap.fresh - heap.start)));
}

/// A panic has nobody to talk to: it ends the call, and JavaScript gets a `RuntimeError`.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    unreachable()
}

/// Something that outlives a call.
pub(crate) struct Kept<T> {
    busy: OneThread<Cell<bool>>,
    value: OneThread<UnsafeCell<T>>,
}

impl<T> Kept<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self { busy: OneThread(Cell::new(false)), value: OneThread(UnsafeCell::new(value)) }
    }

    /// Nobody may ask for it again within `work`.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        begin(&self.busy.0);
        // SAFETY: one thread, and what is in use is not lent again.
        let result = work(unsafe { &mut *self.value.0.get() });
        self.busy.0.set(false);
        result
    }
}

/// Notes that something is in use; it must not be already. One function for all takes less space than a `RefCell` in each place.
#[inline(never)]
fn begin(busy: &Cell<bool>) {
    assert!(!busy.replace(true), "in use");
}
