//! Random numbers: for the times of repeats, and for the names of test messages.

/// A number from 0 to 1. Without random numbers from the system it is the middle.
pub(crate) fn fraction() -> f64 {
    let mut bytes = [0; 4];
    match getrandom::fill(&mut bytes) {
        Ok(()) => f64::from(u32::from_le_bytes(bytes)) / f64::from(u32::MAX),
        Err(_) => 0.5,
    }
}

/// A name that no other message has.
pub(crate) fn name() -> String {
    let mut bytes = [0; 12];
    // Without random numbers, two tests have the same name, which does no harm.
    let _ = getrandom::fill(&mut bytes);
    format!("{:024x}", bytes.iter().fold(0_u128, |name, byte| name << 8 | u128::from(*byte)))
}
