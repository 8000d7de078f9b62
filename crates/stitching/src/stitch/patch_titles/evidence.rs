//! Weighted evidence that a title of the patch catalog is for an app.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clue {
    /// The same name, long enough to be unique.
    Name,
    /// The same short name, which other apps may also have.
    ShortName,
    /// The slug is the name, too: of several apps with a name, it is the one meant.
    Slug,
    /// The name is the app's with its maker's before it, or the other way round.
    NameWithMaker,
    /// The installer title with the same code has the app's bundle identifier.
    BundleId,
    SamePublisher,
    OtherPublisher,
    SameRelease,
    SameMajor,
}

impl Clue {
    /// The weight, and the words for the provenance.
    const fn meaning(self) -> (i32, &'static str) {
        match self {
            Self::Name => (4, "the name is the same"),
            Self::ShortName => (2, "the name, a short one, is the same"),
            Self::Slug => (1, "the app's ID is the name"),
            Self::NameWithMaker => (4, "the name is the same, with the maker's before one of them"),
            Self::BundleId => (4, "the installer title with this code has the bundle identifier"),
            Self::SamePublisher => (2, "the publisher is the same"),
            Self::OtherPublisher => (-2, "against it: the publisher is another"),
            Self::SameRelease => (4, "the version is the same"),
            Self::SameMajor => (2, "the major version is the same"),
        }
    }
}

/// The minimum weight for a match: a long name, or a short one and something else.
const ENOUGH: i32 = 4;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Evidence(Vec<Clue>);

impl Evidence {
    pub(super) fn of(clues: impl IntoIterator<Item = Option<Clue>>) -> Self {
        Self(clues.into_iter().flatten().collect())
    }

    pub(super) fn of_bundle_id() -> Self {
        Self(vec![Clue::BundleId])
    }

    pub(super) fn has(&self, clue: Clue) -> bool {
        self.0.contains(&clue)
    }

    pub(super) fn weight(&self) -> i32 {
        self.0.iter().map(|clue| clue.meaning().0).sum()
    }

    pub(super) fn is_enough(&self) -> bool {
        self.weight() >= ENOUGH
    }

    pub(super) fn sentences(&self) -> Vec<String> {
        self.0.iter().map(|clue| clue.meaning().1.to_owned()).collect()
    }
}
