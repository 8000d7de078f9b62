//! The Team ID that a publisher signs all its apps with.

use appstitch_types::TeamId;

use super::Publisher;

/// Team IDs that at least two signed apps of a publisher have, while none of its signed apps has
/// another one. A test compares them with the real files.
const SIGNERS: &str = include_str!("signers.txt");

impl Publisher {
    /// The Team ID that an app of this publisher without a known one is probably signed with.
    pub fn signer(&self) -> Option<&TeamId> {
        self.team_ids.iter().find(|id| SIGNERS.lines().any(|line| line == id.as_str()))
    }
}
