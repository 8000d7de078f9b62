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
    /// A name of the label is a former token.
    FormerToken,
    /// The same bundle identifier.
    BundleId,
    /// The same installer receipt, which no other cask has.
    Receipt,
    /// The same installer receipt, which other casks also have.
    SharedReceipt,
    /// The same source repository.
    Repository,
    /// A different repository of the same owner.
    Owner,
    /// The same file on the same host, ignoring the version.
    DownloadPath,
    /// The same download host.
    DownloadHost,
    /// A web site in common.
    Site,
    /// The same file name of the app, long enough to be unique.
    AppFile,
    /// The same short file name of the app.
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
    /// The number in the name is the major version.
    SameMajor,
    /// The same folder on the same host.
    DownloadFolder,
    /// A different installer receipt, beside a different repository.
    OtherReceipt,
    /// The label is for a channel (beta, insiders, …) that the cask does not name.
    OtherChannel,
    /// No web site in common.
    OtherSite,
    /// A different source repository.
    OtherRepository,
    /// A different major version from the one the label is for.
    OtherMajor,
    /// A variant (beta, long-term support, …) that the other entry also names.
    Asked,
    /// A different file name of the app.
    OtherAppFile,
    /// A different bundle identifier.
    OtherBundleId,
    /// A variant (beta, long-term support, …) that the other entry does not name.
    Unasked,
    /// The cask installs commands but no app.
    NoApp,
    /// The cask is disabled.
    Disabled,
}

impl Signal {
    /// The weight of a signal; negative weights are evidence against a match.
    const fn weight(self) -> i32 {
        match self {
            Self::SameToken => 5,
            Self::BundleId | Self::Receipt | Self::Repository => 4,
            Self::SimilarToken
            | Self::FormerToken
            | Self::DownloadPath
            | Self::DownloadFolder
            | Self::AppFile
            | Self::Asked => 3,
            Self::ShortAppFile
            | Self::SimilarName
            | Self::Maker
            | Self::Name
            | Self::Site
            | Self::Owner
            | Self::NamedToken
            | Self::SharedReceipt => 2,
            Self::DownloadHost | Self::ShortName | Self::ShortSimilarName | Self::SameMajor => 1,
            Self::OtherSite | Self::OtherReceipt => -2,
            Self::Unasked
            | Self::OtherChannel
            | Self::OtherAppFile
            | Self::NoApp
            | Self::Disabled => -3,
            Self::OtherRepository => -4,
            Self::OtherBundleId => -6,
            // The version and the download would be wrong, whatever else agrees.
            Self::OtherMajor => -20,
        }
    }

    /// Whether all products of a maker can have the signal.
    const fn is_of_the_maker(self) -> bool {
        matches!(
            self,
            Self::Site
                | Self::DownloadHost
                | Self::Owner
                | Self::Maker
                | Self::SameMajor
                | Self::Asked
                | Self::OtherSite
                | Self::OtherReceipt
                | Self::OtherRepository
                | Self::OtherMajor
                | Self::OtherChannel
                | Self::OtherAppFile
                | Self::OtherBundleId
                | Self::Unasked
                | Self::NoApp
                | Self::Disabled
        )
    }

    const fn sentence(self) -> &'static str {
        match self {
            Self::SameToken => "the slug is the token",
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
            Self::Asked => "the variant is the same",
            Self::Owner => "the source repositories have one owner",
            Self::Site => "a web site is the same",
            Self::OtherSite => "against it: the web sites are others",
            Self::ShortAppFile => "the app's file name, a short one, is the same",
            Self::AppFile => "the app's file name is the same",
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
            Self::Unasked => "against it: it is a variant",
        }
    }
}

/// The minimum weight for a match: one strong signal, or two weaker ones.
const ENOUGH: i32 = 4;

#[cfg(test)]
std::thread_local! {
    /// How many pairs of entries this thread has compared: what matching costs.
    pub(super) static COMPARISONS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The signals between two entries.
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
        self.weight() >= ENOUGH && self.0.iter().any(|signal| !signal.is_of_the_maker())
    }

    /// Whether the slug is the token.
    pub(super) fn is_same_token(&self) -> bool {
        self.0.contains(&Signal::SameToken)
    }

    /// Whether one of the signals identifies a single entry. The other signals can apply to all
    /// apps of a vendor.
    pub(super) fn is_specific(&self) -> bool {
        self.0.iter().any(|signal| {
            matches!(
                signal,
                Signal::SameToken
                    | Signal::SimilarToken
                    | Signal::NamedToken
                    | Signal::FormerToken
                    | Signal::BundleId
                    | Signal::Receipt
                    | Signal::Repository
                    | Signal::DownloadPath
                    | Signal::Name
            )
        })
    }

    /// The signals as text, for the provenance.
    pub(super) fn told(&self) -> Vec<String> {
        self.0.iter().map(|signal| signal.sentence().to_owned()).collect()
    }
}
