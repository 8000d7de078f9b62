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
    /// The weight of a signal; negative weights are evidence against a match.
    const fn weight(self) -> i32 {
        match self {
            Self::SameToken => 5,
            Self::BundleId
            | Self::Receipt
            | Self::Repository
            | Self::MovedRepository
            | Self::RenamedAppFile
            | Self::SameFile => 4,
            Self::SimilarToken
            | Self::FormerToken
            | Self::DownloadPath
            | Self::DownloadFolder
            | Self::AppFile
            | Self::SameVariant => 3,
            Self::ShortAppFile
            | Self::SimilarName
            | Self::Maker
            | Self::Name
            | Self::Site
            | Self::Owner
            | Self::NamedToken
            | Self::AskedCask
            | Self::SharedReceipt => 2,
            Self::DownloadHost | Self::ShortName | Self::ShortSimilarName | Self::SameMajor => 1,
            Self::OtherSite | Self::OtherReceipt => -2,
            Self::OtherVariant
            | Self::OtherChannel
            | Self::OtherAppFile
            | Self::OtherRelease
            | Self::NoApp
            | Self::Disabled => -3,
            Self::OtherRepository => -4,
            Self::OtherBundleId => -6,
            // The version and the download would be wrong, whatever else agrees.
            Self::OtherMajor | Self::OtherEdition => -20,
        }
    }

    /// What the signal identifies. Every signal is listed, so that a new one is decided here.
    const fn reach(self) -> Reach {
        match self {
            Self::SameToken
            | Self::SimilarToken
            | Self::NamedToken
            | Self::FormerToken
            | Self::BundleId
            | Self::Receipt
            | Self::Repository
            | Self::MovedRepository
            | Self::DownloadPath
            | Self::AskedCask
            | Self::SameFile
            | Self::Name => Reach::Entry,
            Self::SharedReceipt
            | Self::AppFile
            | Self::RenamedAppFile
            | Self::ShortAppFile
            | Self::ShortName
            | Self::SimilarName
            | Self::ShortSimilarName
            | Self::DownloadFolder => Reach::Product,
            Self::Site
            | Self::DownloadHost
            | Self::Owner
            | Self::Maker
            | Self::SameMajor
            | Self::SameVariant
            | Self::OtherSite
            | Self::OtherReceipt
            | Self::OtherRepository
            | Self::OtherMajor
            | Self::OtherChannel
            | Self::OtherAppFile
            | Self::OtherBundleId
            | Self::OtherVariant
            | Self::OtherEdition
            | Self::OtherRelease
            | Self::NoApp
            | Self::Disabled => Reach::Maker,
        }
    }

    const fn sentence(self) -> &'static str {
        match self {
            Self::SameToken => "the app's ID is the cask's name",
            Self::SimilarToken => "another name is the token",
            Self::NamedToken => "the name is the token",
            Self::NoApp => "against it: it brings no app",
            Self::Disabled => "against it: it is disabled",
            Self::FormerToken => "a name is a former token",
            Self::BundleId => "the bundle identifier is the same",
            Self::Receipt => "the installer receipt is the same",
            Self::Repository => "the source repository is the same",
            Self::DownloadPath => "the download is the same file on the same host",
            Self::DownloadHost => "the download host is the same",
            Self::OtherMajor => "against it: the major version is another",
            Self::SameVariant => "the variant is the same",
            Self::Owner => "the source repositories have one owner",
            Self::Site => "a web site is the same",
            Self::OtherSite => "against it: the web sites are others",
            Self::ShortAppFile => "the app's file name, a short one, is the same",
            Self::AppFile => "the app's file name is the same",
            Self::RenamedAppFile => "the cask renames the app of this name",
            Self::AskedCask => "the label asks the cask catalog for it",
            Self::SameFile => "the download is the very same file",
            Self::Name => "the name is the same",
            Self::ShortName => "the name, a short one, is the same",
            Self::SimilarName => "the name is similar",
            Self::ShortSimilarName => "the name, a short one, is similar",
            Self::SameMajor => "the number in the name is the major version",
            Self::OtherReceipt => "against it: the installer receipt is another",
            Self::OtherChannel => "against it: the channel is another",
            Self::Maker => "the maker in the name is the host",
            Self::DownloadFolder => "the download is in the same folder on the same host",
            Self::SharedReceipt => "an installer receipt is the same, but not only theirs",
            Self::OtherRepository => "against it: the source repository is another",
            Self::OtherAppFile => "against it: the app's file name is another",
            Self::OtherBundleId => "against it: the bundle identifier is another",
            Self::OtherVariant => "against it: it is a variant",
            Self::OtherEdition => "against it: the edition is another",
            Self::OtherRelease => "against it: the release is another, from another place",
            Self::MovedRepository => "the same release is in a repository of the same name",
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
        self.0.iter().map(|signal| signal.weight()).sum()
    }

    pub(super) fn is_enough(&self) -> bool {
        self.weight() >= ENOUGH && self.0.iter().any(|signal| signal.reach() != Reach::Maker)
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
        self.0.iter().any(|signal| signal.reach() == Reach::Entry)
    }

    /// The signals as text, for the provenance.
    pub(super) fn sentences(&self) -> Vec<String> {
        self.0.iter().map(|signal| signal.sentence().to_owned()).collect()
    }
}
