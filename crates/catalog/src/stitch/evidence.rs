//! Why two entries are the same app: signals for and against, weighed.

/// A sign that two entries are, or are not, the same app.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signal {
    /// The identifier itself: a slug that is the token, but for dashes.
    SameToken,
    /// Another name of the label that is the token, but for dashes.
    SimilarToken,
    /// The app's name that is the token, but for dashes.
    NamedToken,
    /// A former token.
    FormerToken,
    /// The same bundle identifier.
    BundleId,
    /// An installer receipt that both name, and no other cask does.
    Receipt,
    /// An installer receipt that several casks name.
    SharedReceipt,
    /// The same source repository.
    Repository,
    /// Another repository of the same owner.
    Owner,
    /// The same file on the same host, but for its version.
    DownloadPath,
    /// The same download host.
    DownloadHost,
    /// A web site that both name.
    Site,
    /// The same file name of the app, and long enough to be nobody else's.
    AppFile,
    /// The same short file name of the app.
    ShortAppFile,
    /// The same name, blanks and signs apart, and long enough to be nobody else's.
    Name,
    /// The same short name, which other apps may have as well.
    ShortName,
    /// Other web sites.
    OtherSite,
    /// Another source repository.
    OtherRepository,
    /// Another major version than the one the label is made for.
    OtherMajor,
    /// A variant (beta, long-term support, …) that the other entry names as well.
    Asked,
    /// Another file name of the app.
    OtherAppFile,
    /// Another bundle identifier.
    OtherBundleId,
    /// A variant (beta, long-term support, …) that the other entry does not mention.
    Unasked,
    /// It brings commands and no app.
    NoApp,
    /// It is disabled.
    Disabled,
}

impl Signal {
    /// How much a signal counts; negative ones speak against a match.
    const fn weight(self) -> i32 {
        match self {
            Self::SameToken => 5,
            Self::BundleId | Self::Receipt | Self::Repository => 4,
            Self::SimilarToken
            | Self::FormerToken
            | Self::DownloadPath
            | Self::AppFile
            | Self::Asked => 3,
            Self::ShortAppFile
            | Self::Name
            | Self::Site
            | Self::Owner
            | Self::NamedToken
            | Self::SharedReceipt => 2,
            Self::DownloadHost | Self::ShortName => 1,
            Self::OtherSite => -2,
            Self::Unasked | Self::OtherAppFile | Self::NoApp | Self::Disabled => -3,
            Self::OtherRepository => -4,
            Self::OtherBundleId | Self::OtherMajor => -6,
        }
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
            Self::SharedReceipt => "an installer receipt is the same, but not only theirs",
            Self::OtherRepository => "against it: the source repository is another",
            Self::OtherAppFile => "against it: the app's file name is another",
            Self::OtherBundleId => "against it: the bundle identifier is another",
            Self::Unasked => "against it: it is a variant",
        }
    }
}

/// How much evidence a match needs: one strong signal, or two that confirm each other.
const ENOUGH: i32 = 4;

/// The signals between two entries.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Evidence(Vec<Signal>);

impl Evidence {
    /// The entry that gives the app its slug.
    pub(super) fn slug() -> Self {
        Self(vec![Signal::SameToken])
    }

    pub(super) fn of(signals: impl IntoIterator<Item = Option<Signal>>) -> Self {
        Self(signals.into_iter().flatten().collect())
    }

    pub(super) fn weight(&self) -> i32 {
        self.0.iter().map(|signal| signal.weight()).sum()
    }

    pub(super) fn is_enough(&self) -> bool {
        self.weight() >= ENOUGH
    }

    /// Whether the token itself speaks for the match.
    pub(super) fn is_same_token(&self) -> bool {
        self.0.contains(&Signal::SameToken)
    }

    /// Whether one of the signals alone points to a single entry; the others are shared by all
    /// of a maker's apps.
    pub(super) fn is_specific(&self) -> bool {
        self.0.iter().any(|signal| {
            matches!(
                signal,
                Signal::SameToken
                    | Signal::SimilarToken
                    | Signal::NamedToken
                    | Signal::FormerToken
                    | Signal::Receipt
                    | Signal::Repository
                    | Signal::DownloadPath
                    | Signal::Name
            )
        })
    }

    /// The signals in words.
    pub(super) fn told(&self) -> Vec<String> {
        self.0.iter().map(|signal| signal.sentence().to_owned()).collect()
    }
}
