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

/// A described Mac, on which no app is installed.
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
        }
    }
}
