//! Weighted evidence for and against two entries being the same app.

/// A signal that two entries are, or are not, the same app.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signal {
    /// The slug is the token, ignoring dashes.
    SameToken,
    /// Another name of the label is the token, ignoring dashes.
    SimilarToken,
    /// The app's name is the token, ignoring dashes.
    NamedToken,
    FormerToken,
    BundleId,
    /// The same installer receipt, which no other cask has.
    Receipt,
    /// The same installer receipt, which other casks also have.
    SharedReceipt,
    Repository,
    Owner,
    /// The same file on the same host, ignoring the version.
    DownloadPath,
    DownloadHost,
    Site,
    /// The same file name of the app, long enough to be unique.
    AppFile,
    /// The same, of an app that the cask renames: nobody else calls it like that.
    RenamedAppFile,
    /// The label asks the cask catalog for the cask's version.
    AskedCask,
    /// The very file that the label downloads.
    SameFile,
    ShortAppFile,
    /// The same name, ignoring spaces and punctuation, long enough to be unique.
    Name,
    /// The same short name, which other apps may also have.
    ShortName,
    /// A long name with the same words; the addresses explain the others.
    SimilarName,
    /// A short name with the same words; the addresses explain the others.
    ShortSimilarName,
    /// A word of the name is the maker's, and the other entry's host has it.
    Maker,
    SameMajor,
    DownloadFolder,
    /// A different installer receipt, beside a different repository.
    OtherReceipt,
    /// The label is for a channel (beta, insiders, …) that the cask does not name.
    OtherChannel,
    OtherSite,
    OtherRepository,
    OtherMajor,
    SameVariant,
    OtherAppFile,
    OtherBundleId,
    OtherVariant,
    /// The label is for another edition (professional, legacy, …) or for a companion of the app.
    OtherEdition,
    /// A name alone, and another major version from another place.
    OtherRelease,
    /// The same file of the same release in a repository of the same name: it has moved.
    MovedRepository,
    NoApp,
    Disabled,
}

impl Signal {
    /// The weight (negative ones are evidence against a match), what the signal identifies, and the words
    /// for the provenance.
    const fn meaning(self) -> (i32, Reach, &'static str) {
        use Reach::{Entry, Maker, Product};
        match self {
            Self::SameToken => (5, Entry, "the app's ID is the cask's name"),
            Self::BundleId => (4, Entry, "the bundle identifier is the same"),
            Self::Receipt => (4, Entry, "the installer receipt is the same"),
            Self::Repository => (4, Entry, "the source repository is the same"),
            Self::SameFile => (4, Entry, "the download is the very same file"),
            Self::MovedRepository => {
                (4, Entry, "the same release is in a repository of the same name")
            }
            Self::RenamedAppFile => (4, Product, "the cask renames the app of this name"),
            Self::SimilarToken => (3, Entry, "another name is the token"),
            Self::FormerToken => (3, Entry, "a name is a former token"),
            Self::DownloadPath => (3, Entry, "the download is the same file on the same host"),
            Self::AppFile => (3, Product, "the app's file name is the same"),
            Self::DownloadFolder => {
                (3, Product, "the download is in the same folder on the same host")
            }
            Self::SameVariant => (3, Maker, "the variant is the same"),
            Self::NamedToken => (2, Entry, "the name is the token"),
            Self::AskedCask => (2, Entry, "the label asks the cask catalog for it"),
            Self::Name => (2, Entry, "the name is the same"),
            Self::SharedReceipt => {
                (2, Product, "an installer receipt is the same, but not only theirs")
            }
            Self::ShortAppFile => (2, Product, "the app's file name, a short one, is the same"),
            Self::SimilarName => (2, Product, "the name is similar"),
            Self::Owner => (2, Maker, "the source repositories have one owner"),
            Self::Site => (2, Maker, "a web site is the same"),
            Self::Maker => (2, Maker, "the maker in the name is the host"),
            Self::ShortName => (1, Product, "the name, a short one, is the same"),
            Self::ShortSimilarName => (1, Product, "the name, a short one, is similar"),
            Self::DownloadHost => (1, Maker, "the download host is the same"),
            Self::SameMajor => (1, Maker, "the number in the name is the major version"),
            Self::OtherReceipt => (-2, Maker, "against it: the installer receipt is another"),
            Self::OtherSite => (-2, Maker, "against it: the web sites are others"),
            Self::OtherChannel => (-3, Maker, "against it: the channel is another"),
            Self::OtherAppFile => (-3, Maker, "against it: the app's file name is another"),
            Self::OtherVariant => (-3, Maker, "against it: it is a variant"),
            Self::OtherRelease => {
                (-3, Maker, "against it: the release is another, from another place")
            }
            Self::NoApp => (-3, Maker, "against it: it brings no app"),
            Self::Disabled => (-3, Maker, "against it: it is disabled"),
            Self::OtherRepository => (-4, Maker, "against it: the source repository is another"),
            Self::OtherBundleId => (-6, Maker, "against it: the bundle identifier is another"),
            // The version and the download would be wrong, whatever else agrees.
            Self::OtherMajor => (-20, Maker, "against it: the major version is another"),
            Self::OtherEdition => (-20, Maker, "against it: the edition is another"),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Entry,
    /// A product, of which there can be several entries.
    Product,
    /// Nothing but the maker: all of its products can have the signal.
    Maker,
}

/// The minimum weight for a match: one strong signal, or two weaker ones.
const ENOUGH: i32 = 4;

#[cfg(test)]
std::thread_local! {
    /// How many pairs of entries this thread has compared: what matching costs.
    pub(super) static COMPARISONS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Evidence(Vec<Signal>);

impl Evidence {
    /// The evidence for the entry that the app's slug comes from.
    pub(super) fn slug() -> Self {
        Self(vec![Signal::SameToken])
    }

    pub(super) fn of(signals: impl IntoIterator<Item = Option<Signal>>) -> Self {
        #[cfg(test)]
        COMPARISONS.set(COMPARISONS.get() + 1);
        Self(signals.into_iter().flatten().collect())
    }

    pub(super) fn weight(&self) -> i32 {
        self.0.iter().map(|signal| signal.meaning().0).sum()
    }

    pub(super) fn is_enough(&self) -> bool {
        self.weight() >= ENOUGH && self.0.iter().any(|signal| signal.meaning().1 != Reach::Maker)
    }

    /// Whether it is another product, and nothing else speaks against the match.
    pub(super) fn is_other_product(&self) -> bool {
        let tells = |signal: &Signal| matches!(signal, Signal::OtherEdition | Signal::OtherRelease);
        let (others, rest): (Vec<Signal>, Vec<Signal>) =
            self.0.iter().copied().partition(|signal| tells(signal));
        !others.is_empty() && Self(rest).is_enough()
    }

    pub(super) fn is_same_token(&self) -> bool {
        self.0.contains(&Signal::SameToken)
    }

    /// Whether one of the signals identifies a single entry. The other signals can apply to all
    /// apps of a vendor.
    pub(super) fn is_specific(&self) -> bool {
        self.0.iter().any(|signal| signal.meaning().1 == Reach::Entry)
    }

    /// The signals as text, for the provenance.
    pub(super) fn sentences(&self) -> Vec<String> {
        self.0.iter().map(|signal| signal.meaning().2.to_owned()).collect()
    }
}
