//! The Mac that a label believes to run on.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Architecture {
    Arm64,
    I386,
}

impl Architecture {
    pub const ALL: [Self; 2] = [Self::Arm64, Self::I386];

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
    pub architecture: Architecture,
    /// Such as "26.1".
    pub version: String,
    /// Such as "25B78".
    pub build: String,
    /// Such as "25.1.0".
    pub kernel: String,
    /// Such as "en".
    pub language: String,
    /// Such as "US".
    pub region: String,
    pub user: String,
    /// Year, month and day.
    pub day: (u16, u8, u8),
    /// Whether more is known than the architecture.
    described: bool,
}

impl Mac {
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
    pub fn any(architecture: Architecture) -> Self {
        Self { described: false, ..Self::new(architecture) }
    }

    pub fn is_described(&self) -> bool {
        self.described
    }
}
