//! Nothing but the tests: `smcp` and ackguard, given the same inputs.
