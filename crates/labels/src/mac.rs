//! The Mac that a label believes to run on.

/// The architecture of a Mac.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Architecture {
    /// Apple silicon.
    Arm64,
    /// Intel.
    I386,
}

impl Architecture {
    /// Every architecture.
    pub const ALL: [Self; 2] = [Self::Arm64, Self::I386];

    /// The name that `arch` prints.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Arm64 => "arm64",
            Self::I386 => "i386",
        }
    }
}

/// A Mac: one that is described, on which no app is installed, or one of which nothing is known but
/// the architecture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mac {
    /// The architecture.
    pub architecture: Architecture,
    /// The version of macOS, such as "26.1".
    pub version: String,
    /// The build of macOS, such as "25B78".
    pub build: String,
    /// The version of the kernel, such as "25.1.0".
    pub kernel: String,
    /// The language, such as "en".
    pub language: String,
    /// The region, such as "US".
    pub region: String,
    /// The name of the user.
    pub user: String,
    /// The day, as year, month and day.
    pub day: (u16, u8, u8),
    /// Whether more is known than the architecture.
    described: bool,
}

impl Mac {
    /// A current Mac with an English system.
    #[must_use]
    pub fn new(architecture: Architecture) -> Self {
        Self {
            architecture,
            version: "26.1".to_owned(),
            build: "25B78".to_owned(),
            kernel: "25.1.0".to_owned(),
            language: "en".to_owned(),
            region: "US".to_owned(),
            user: "tester".to_owned(),
            day: (2026, 8, 22),
            described: true,
        }
    }

    /// Any Mac of this architecture. What depends on its system, its files, its user or the day is
    /// unknown, and so is every variable that the label does not assign: those who run the label
    /// can set it.
    #[must_use]
    pub fn any(architecture: Architecture) -> Self {
        Self { described: false, ..Self::new(architecture) }
    }

    /// Whether more is known than the architecture.
    #[must_use]
    pub fn is_described(&self) -> bool {
        self.described
    }
}
