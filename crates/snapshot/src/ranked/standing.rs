//! What decides between apps that match equally well.

use appstitch_types::App;

/// What decides between apps that match equally well, packed so that a lower number is better:
/// whether it is another variant than the main one, how few sources it has, the length of its name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Standing(u32);

impl Standing {
    pub(super) fn of(app: &App, is_main: bool) -> Self {
        let sources = u32::try_from(app.sources.iter().count().min(7)).unwrap_or(7);
        let length = u32::try_from(app.name.chars().count().min(0xffff)).unwrap_or(0xffff);
        let mut standing = Self((7 - sources) << 16 | length);
        if !is_main {
            standing.set_other();
        }
        standing
    }

    pub(super) fn set_other(&mut self) {
        self.0 |= 1 << 19;
    }

    /// Below 2²⁰.
    pub(super) fn number(self) -> u32 {
        self.0
    }
}
