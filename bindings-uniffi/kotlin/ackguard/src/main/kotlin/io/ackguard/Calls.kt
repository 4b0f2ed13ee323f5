package io.ackguard

// What the generated code would make anew for each call, kept for each thread: see src/bin/uniffi-bindgen.rs. Neither
// outlives the call it is lent for, and no call is made while another one of the same thread has been entered: the
// library never calls back, and what goes in is made ready before.

private val STATUS = ThreadLocal.withInitial {
    UniffiRustCallStatus().apply {
        // JNA would copy all of it to and fro; one byte says whether there is anything to read.
        setAutoSynch(false)
        write()
    }
}

internal fun lentStatus(): UniffiRustCallStatus = STATUS.get().also { it.pointer.setByte(0, UNIFFI_CALL_SUCCESS) }

internal fun UniffiRustCallStatus.hasFailed(): Boolean = pointer.getByte(0) != UNIFFI_CALL_SUCCESS

/** A copy of what a failed call says, which the next call leaves as it is. */
internal fun UniffiRustCallStatus.taken(): UniffiRustCallStatus {
    read()
    val copy = UniffiRustCallStatus()
    copy.code = code
    copy.error_buf = RustBuffer.create(error_buf.capacity.toULong(), error_buf.len.toULong(), error_buf.data)
    return copy
}

private val BYTES = ThreadLocal.withInitial { ForeignBytes.ByValue() }

internal fun lentBytes(): ForeignBytes.ByValue = BYTES.get()
