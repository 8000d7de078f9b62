//! What the check knows about one app of the catalog.

use std::sync::Arc;

use appstitch_stitching::{
    cask::CaskFacts, describe_variant, label::literal::Literals, newest::VersionedSources,
    shared_keys::is_shared_host,
};
use appstitch_text::{fold_case, normal_name::normal};
use appstitch_types::{App, Uri};

use super::{
    channel::Channel,
    payloads::{CaskPayload, InstalledPayloads, LabelPayload, ListingPayload},
    reference::References,
};

/// Everything that rows are matched by and compared with.
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a record")]
pub(super) struct CatalogApp {
    pub(super) slug: Arc<str>,
    /// Folded.
    pub(super) bundle_ids: Vec<String>,
    pub(super) team_id: Option<Box<str>>,
    /// The normal forms of the file names, without `.app`.
    pub(super) files: Vec<String>,
    /// The normal forms of the other names.
    pub(super) names: Vec<String>,
    /// The normal forms of what a bundle identifier may begin with: the vendor and the web site.
    pub(super) makers: Vec<String>,
    /// Also label names; folded.
    pub(super) tokens: Vec<String>,
    pub(super) references: References,
    pub(super) store_version: Option<Box<str>>,
    pub(super) store_url: Option<Arc<Uri>>,
    pub(super) channel: Option<Channel>,
    /// The major version that the record is limited to.
    pub(super) major: Option<Box<str>>,
    pub(super) has_language: bool,
    pub(super) has_edition: bool,
    pub(super) is_main: bool,
    pub(super) has_label: bool,
    pub(super) updates_itself: bool,
    pub(super) is_deprecated: bool,
    pub(super) download_url: Option<Arc<Uri>>,
    /// The slug of the product's main record, if it has several.
    pub(super) main: Option<Box<str>>,
}

impl CatalogApp {
    /// Reads an app. `main` is the slug of its product's main record, if the product has several;
    /// `other_names` are the other names of its label.
    pub(super) fn read(
        app: &App,
        payloads: &InstalledPayloads<'_>,
        other_names: &[String],
        main: Option<&str>,
    ) -> Self {
        let InstalledPayloads { label_tool, cask_catalog: cask, store_listing, mdm_installer } =
            payloads;
        let read_cask = cask.as_ref().map(CaskPayload::read);
        let facts = read_cask.as_ref().map(|cask| &cask.facts);
        let token = cask.as_ref().map(|cask| &*cask.token);
        let label_name = label_tool.as_ref().map(|label| &*label.label_name);
        let label = label_tool.as_ref().map(LabelPayload::literals);
        let title = mdm_installer.as_deref();
        let slug = app.slug.as_str();
        let variant = describe_variant(app, main.unwrap_or(slug));
        let variant_channel = variant.channel.as_deref().and_then(Channel::of_variant);
        let channel = variant_channel
            .or_else(|| Channel::named_in(slug))
            .or_else(|| Channel::named_in(token.unwrap_or_default()))
            .or_else(|| Channel::named_in(&app.name));
        let versioned = VersionedSources::new(label_name.zip(label.as_ref()), facts, title);
        let tokens = token
            .into_iter()
            .chain(facts.iter().flat_map(|facts| &facts.old_tokens).map(String::as_str))
            .chain(label_name)
            .chain(other_names.iter().map(String::as_str))
            .chain([slug]);
        Self {
            slug: slug.into(),
            bundle_ids: unique(
                app.bundle_id
                    .as_deref()
                    .into_iter()
                    .chain(title.and_then(|title| title.bundle_id.as_deref()))
                    .chain(store_listing.as_ref().map(|listing| &*listing.bundle_id))
                    .map(fold_case),
            ),
            team_id: app.expected_team_id.as_ref().map(|team| team.to_string().into()),
            files: unique(files(facts, label.as_ref()).map(normal)),
            names: unique(
                names(app, facts, label.as_ref())
                    .chain(title.map(|title| title.title.as_str()))
                    .map(normal),
            ),
            makers: unique(
                app.vendor
                    .as_deref()
                    .into_iter()
                    .chain(facts.and_then(|facts| site(facts.homepage.as_deref()?)))
                    .map(normal),
            ),
            tokens: unique(tokens.map(fold_case)),
            references: References {
                counts_builds: label.as_ref().and_then(|label| label.text("versionKey"))
                    == Some("CFBundleVersion"),
                ..References::of(versioned, channel.is_some(), app.current_version.as_deref())
            },
            store_version: store_listing.as_ref().and_then(ListingPayload::version),
            store_url: store_listing
                .as_ref()
                .and_then(|listing| listing.store_url.clone().map(Arc::new)),
            channel,
            major: variant.major_version.map(Into::into),
            has_language: variant.language.is_some(),
            has_edition: variant.edition.is_some(),
            is_main: main.is_none_or(|main| main == slug),
            has_label: label.is_some(),
            updates_itself: read_cask.as_ref().is_some_and(|cask| cask.updates_itself),
            is_deprecated: facts.is_some_and(|facts| facts.deprecation.is_some()),
            download_url: app.download_url.clone().map(Arc::new),
            main: main.map(Into::into),
        }
    }

    pub(super) fn is_same_product(&self, other: &Self) -> bool {
        self.slug == other.slug || (self.main.is_some() && self.main == other.main)
    }

    /// Whether both are records of one product, or of products of one vendor.
    pub(super) fn is_of_same_maker(&self, other: &Self) -> bool {
        self.is_same_product(other) || self.makers.iter().any(|maker| other.makers.contains(maker))
    }
}

/// The file names of the app itself. Other apps of a suite have other versions.
fn files<'a>(
    cask: Option<&'a CaskFacts>,
    label: Option<&'a Literals>,
) -> impl Iterator<Item = &'a str> {
    let of_cask = cask.and_then(|cask| cask.app_name.as_deref().or(cask.removed_app.as_deref()));
    let of_label = label.and_then(|label| {
        let file = label.text("appName").or_else(|| label.name())?.rsplit('/').next()?;
        Some(file.strip_suffix(".app").unwrap_or(file))
    });
    let renamed = cask
        .and_then(|cask| cask.archived_app.as_deref())
        .and_then(|path| path.rsplit('/').next()?.strip_suffix(".app"));
    [of_cask, of_label, renamed].into_iter().flatten()
}

fn names<'a>(
    app: &'a App,
    cask: Option<&'a CaskFacts>,
    label: Option<&'a Literals>,
) -> impl Iterator<Item = &'a str> {
    let of_cask = cask.into_iter().flat_map(|cask| cask.names.iter().map(String::as_str));
    [Some(app.name.as_str()), label.and_then(Literals::name)].into_iter().flatten().chain(of_cask)
}

/// The name of a web site: the part before the ending of its host, or the owner of a repository.
fn site(homepage: &str) -> Option<&str> {
    let address = homepage.split_once("://")?.1;
    let mut segments = address.split(['/', '?', '#']);
    let host = segments.next()?.trim_start_matches("www.");
    if is_shared_host(host) {
        return segments.next();
    }
    let (front, ending) = host.rsplit_once('.')?;
    // A country's ending can have two parts: `example.co.uk`.
    let front = match front.rsplit_once('.') {
        Some((longer, second)) if ending.len() == 2 && second.len() <= 3 => longer,
        _ => front,
    };
    front.rsplit('.').next()
}

/// The texts that are not empty, each once. There are few.
fn unique(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for text in texts {
        if !text.is_empty() && !kept.contains(&text) {
            kept.push(text);
        }
    }
    kept
}
