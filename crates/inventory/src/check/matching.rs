//! Which apps of the catalog a row can be.

use std::borrow::Cow;

use appstitch_stitching::shared_keys::is_shared_prefix;
use appstitch_text::{fold_case, normal_name::normal};
use appstitch_types::inventory::{CheckRule, Confidence, MatchedBy, Verdict};

use super::{
    facts::CatalogApp, index::InstalledIndex, install_location::InstallLocation, row::Row,
    system_apps::is_name_of_macos,
};

const SHORTEST_NAME: usize = 4;

pub(super) struct Candidates<'i> {
    /// Not empty.
    pub(super) positions: Cow<'i, [u32]>,
    pub(super) matched_by: MatchedBy,
    pub(super) confidence: Confidence,
    /// Whether the catalog has another bundle identifier for these apps.
    pub(super) has_other_id: bool,
}

impl Candidates<'_> {
    /// Further apps make the match less certain.
    fn add(&mut self, positions: &[u32]) {
        let all = self.positions.to_mut();
        all.extend(positions);
        all.sort_unstable();
        all.dedup();
        self.confidence = Confidence::Medium;
    }
}

pub(super) struct Unchecked {
    pub(super) verdict: Verdict,
    pub(super) rule: CheckRule,
}

impl From<(Verdict, CheckRule)> for Unchecked {
    fn from((verdict, rule): (Verdict, CheckRule)) -> Self {
        Self { verdict, rule }
    }
}

pub(super) fn find<'i>(
    index: &'i InstalledIndex,
    row: &Row<'_>,
) -> Result<Candidates<'i>, Unchecked> {
    if let Some(token) = &row.token {
        let positions = with_token(index, token);
        if positions.is_empty() {
            return Err((Verdict::Unmatched, CheckRule::UnknownToken).into());
        }
        return Ok(Candidates {
            positions: Cow::Borrowed(positions),
            matched_by: MatchedBy::Token,
            confidence: Confidence::High,
            has_other_id: false,
        });
    }
    check_location(row)?;
    if row.names.is_empty() && row.bundle_id.is_none() {
        return Err((Verdict::Unmatched, CheckRule::NoIdentity).into());
    }
    let of_id = row.bundle_id.as_deref().map_or(&[][..], |id| index.with_bundle_id(id));
    if !of_id.is_empty() {
        return Ok(with_bundle_id(index, row, of_id));
    }
    // Apps of one vendor and name in the store and elsewhere are often different ones. Apple sells
    // apps in the store, too, which are not part of macOS.
    if row.is_store && row.bundle_id.is_some() {
        return Err((Verdict::Store, CheckRule::NoStoreListing).into());
    }
    let has_apple_id = row.bundle_id.as_deref().is_some_and(|id| id.starts_with("com.apple."));
    if has_apple_id || row.is_system {
        return Err(match (is_separate_app(row), has_apple_id) {
            (true, true) => (Verdict::Unmatched, CheckRule::UnknownBundleId).into(),
            (true, false) => (Verdict::Unmatched, CheckRule::UnknownName).into(),
            (false, true) => (Verdict::System, CheckRule::AppleBundleId).into(),
            (false, false) => (Verdict::System, CheckRule::SystemOrigin).into(),
        });
    }
    by_name(index, row)
}

/// Whether an app of Apple is no part of macOS, such as Xcode: it is where people install apps, and
/// has no name of macOS. Without a path, only developer tools are known to be separate.
fn is_separate_app(row: &Row<'_>) -> bool {
    let is_developer_tool =
        || row.bundle_id.as_deref().is_some_and(|id| id.starts_with("com.apple.dt."));
    row.is_among_apps().unwrap_or_else(is_developer_tool)
        && !row.names.iter().any(|name| is_name_of_macos(name))
}

/// The apps with the row's bundle identifier. If none of them has its name, but another app of the
/// same vendor does, that app may have taken over the identifier.
fn with_bundle_id<'i>(
    index: &'i InstalledIndex,
    row: &Row<'_>,
    found: &'i [u32],
) -> Candidates<'i> {
    let has_name = |at: &u32| {
        let app = index.app(*at);
        row.names.iter().any(|name| app.files.contains(name) || app.names.contains(name))
    };
    let mut candidates = Candidates {
        positions: Cow::Borrowed(found),
        matched_by: MatchedBy::BundleId,
        confidence: if found.len() == 1 { Confidence::High } else { Confidence::Medium },
        has_other_id: false,
    };
    // A record without an identifier can be another channel of the same app.
    let is_channel = |at: &u32| {
        let app = index.app(*at);
        let is_related = |other: &u32| {
            let other = index.app(*other);
            app.is_same_product(other) || (app.team_id.is_some() && app.team_id == other.team_id)
        };
        found.iter().any(is_related)
    };
    let file = row.file().map_or(&[][..], |file| index.with_name_only(file));
    let channels: Vec<u32> = file.iter().copied().filter(is_channel).collect();
    if !channels.is_empty() && found.iter().any(has_name) {
        candidates.add(&channels);
    }
    if let Some(team) = row.team_id.as_deref()
        && !found.iter().any(has_name)
        && !row.is_store
    {
        let named = row.names.iter().flat_map(|name| index.with_name(name)).copied();
        // An app whose own identifier is known has not taken over another one.
        let may_have_it =
            |app: &CatalogApp| app.team_id.as_deref() == Some(team) && app.bundle_ids.is_empty();
        let signed: Vec<u32> = named.filter(|at| may_have_it(index.app(*at))).collect();
        if !signed.is_empty() {
            candidates.add(&signed);
        }
    }
    candidates
}

/// The apps with a token. If all records of a product have it, the one with this slug counts, or
/// else the main one.
fn with_token<'i>(index: &'i InstalledIndex, token: &str) -> &'i [u32] {
    let found = index.with_token(token);
    let same_slug =
        found.iter().find(|at| index.app(**at).tokens.last().is_some_and(|slug| slug == token));
    same_slug.map_or(found, std::slice::from_ref)
}

fn check_location(row: &Row<'_>) -> Result<(), Unchecked> {
    let ignored = |rule| Err((Verdict::Ignored, rule).into());
    match row.location {
        InstallLocation::System => Err((Verdict::System, CheckRule::SystemPath).into()),
        InstallLocation::Nested => ignored(CheckRule::NestedApp),
        InstallLocation::Backup => ignored(CheckRule::BackupCopy),
        InstallLocation::NotInstalled => ignored(CheckRule::NotInstalled),
        InstallLocation::WebApps => ignored(CheckRule::WebApp),
        _ if row.bundle_id.as_deref().is_some_and(is_web_app) => ignored(CheckRule::WebApp),
        InstallLocation::Wrapped | InstallLocation::Usual => Ok(()),
    }
}

/// Whether an identifier is that of a web site that a browser keeps as an app. Chromium names them by
/// 32 letters: `com.google.Chrome.app.kjgfgldnnfoeklkmfkjfagphfepbbdan`. Safari has its own prefix.
fn is_web_app(id: &str) -> bool {
    const LETTERS: usize = 32;
    if id.starts_with("com.apple.safari.webapp.") {
        return true;
    }
    let Some((front, name)) = id.as_bytes().split_last_chunk::<LETTERS>() else { return false };
    front.ends_with(b".app.") && name.iter().all(u8::is_ascii_lowercase)
}

/// Finds the apps with a name of the row, if the signature or the lack of another identifier makes
/// that certain enough.
fn by_name<'i>(index: &'i InstalledIndex, row: &Row<'_>) -> Result<Candidates<'i>, Unchecked> {
    let unknown =
        if row.bundle_id.is_some() { CheckRule::UnknownBundleId } else { CheckRule::UnknownName };
    let none = |rule| {
        let verdict = if row.is_store { Verdict::Store } else { Verdict::Unmatched };
        let rule = if row.is_store { CheckRule::NoStoreListing } else { rule };
        Err((verdict, rule).into())
    };
    let is_bare = row.bundle_id.is_none() && row.team_id.is_none();
    if is_bare && row.names.iter().any(|name| is_name_of_macos(name)) {
        return Err((Verdict::System, CheckRule::AppleName).into());
    }
    let named = with_names(index, row.names.iter());
    if named.is_empty() {
        let positions = with_former_name(index, row);
        return if positions.is_empty() {
            none(unknown)
        } else {
            Ok(Candidates {
                positions: Cow::Owned(positions),
                matched_by: MatchedBy::Name,
                confidence: Confidence::Low,
                has_other_id: true,
            })
        };
    }
    if let Some(team) = row.team_id.as_deref() {
        let mut signed: Vec<u32> =
            named.iter().copied().filter(|at| team_of(index, *at) == Some(team)).collect();
        if !signed.is_empty() {
            add_unsigned_variants(index, &named, &mut signed);
            return Ok(Candidates {
                has_other_id: row.bundle_id.is_some()
                    && signed.iter().all(|at| !index.app(*at).bundle_ids.is_empty()),
                positions: Cow::Owned(signed),
                matched_by: MatchedBy::NameAndTeamId,
                confidence: Confidence::Medium,
            });
        }
    }
    let is_long = |name: &&String| name.chars().nth(SHORTEST_NAME - 1).is_some();
    let mut named = if row.names.iter().all(|name| is_long(&name)) {
        named
    } else {
        with_names(index, row.names.iter().filter(is_long))
    };
    let has_file = |at: u32, file: &str| index.app(at).files.iter().any(|name| name == file);
    if named.is_empty()
        && let Some(file) = row.file()
    {
        // The path of an app that is installed under exactly this name: `/Applications/OBS.app`.
        named = index.with_name(file).to_vec();
        named.retain(|at| has_file(*at, file));
    }
    let Some(first) = named.first().map(|at| index.app(*at)) else {
        return none(CheckRule::ShortName);
    };
    let is_one_product = named.iter().all(|at| first.is_same_product(index.app(*at)));
    // Records of one product or vendor are signed alike, so a row with another signature is none of
    // them.
    let is_signed = |at: &u32| row.team_id.is_some() && team_of(index, *at).is_some();
    let signed_otherwise: Vec<&CatalogApp> =
        named.iter().copied().filter(is_signed).map(|at| index.app(at)).collect();
    let is_possible = |at: &u32| {
        let app = index.app(*at);
        let fits = |id: &str| {
            is_one_product
                && if app.bundle_ids.is_empty() {
                    names_maker(id, app)
                } else {
                    app.bundle_ids.iter().any(|other| is_of_same_vendor(id, other))
                }
        };
        // A display name can be that of another app; the file name decides.
        let fits_file = |file: &str| app.files.is_empty() || has_file(*at, file);
        row.file().is_none_or(fits_file)
            && !signed_otherwise.iter().any(|other| app.is_of_same_maker(other))
            && row.bundle_id.as_deref().is_none_or(fits)
    };
    named.retain(is_possible);
    if named.is_empty() {
        return none(CheckRule::OtherIdentity);
    }
    Ok(Candidates {
        has_other_id: row.bundle_id.is_some()
            && named.iter().all(|at| !index.app(*at).bundle_ids.is_empty()),
        positions: Cow::Owned(named),
        matched_by: MatchedBy::Name,
        confidence: Confidence::Low,
    })
}

/// The apps that had the row's name before. A label keeps the name that its app had when it was
/// written, and a cask its former tokens. The name has to begin with the maker in the row's
/// identifier: `com.vmware.horizon` and `vmwarehorizonclient`.
fn with_former_name(index: &InstalledIndex, row: &Row<'_>) -> Vec<u32> {
    let maker = row.bundle_id.as_deref().and_then(|id| id.split('.').nth(1)).map(normal);
    let Some(maker) = maker.filter(|maker| maker.len() >= SHORTEST_NAME) else { return Vec::new() };
    let dashed = row.spelled_names().map(|name| fold_case(name).replace(' ', "-"));
    let names = row.names.iter().cloned().chain(dashed);
    let names = names.filter(|name| name.starts_with(&maker) && name.len() > maker.len());
    let found = names.flat_map(|name| with_token(index, &name)).copied();
    // The main record of the product is the one that has the current name.
    let mut found: Vec<u32> = found.map(|at| main_record(index, at).unwrap_or(at)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The main record of an app's product, if the app is a variant.
fn main_record(index: &InstalledIndex, at: u32) -> Option<u32> {
    let main = index.app(at).main.as_deref()?;
    let found = index.with_token(&fold_case(main));
    found.iter().copied().find(|other| *index.app(*other).slug == *main)
}

/// The Team ID of an app. All records of a product are signed alike, and often only the main one has
/// the Team ID.
fn team_of(index: &InstalledIndex, at: u32) -> Option<&str> {
    let of_main = || index.app(main_record(index, at)?).team_id.as_deref();
    index.app(at).team_id.as_deref().or_else(of_main)
}

fn with_names<'a>(index: &InstalledIndex, names: impl Iterator<Item = &'a String>) -> Vec<u32> {
    let mut named: Vec<u32> = names.flat_map(|name| index.with_name(name)).copied().collect();
    named.sort_unstable();
    named.dedup();
    named
}

/// Whether the vendor's part of a bundle identifier names the app, its vendor or its web site.
///
/// The vendor's part can be longer than the name of the vendor (`sampleinc`), but not than that of the
/// app: `com.lumalabs.desktop` is not an app with the name Luma.
fn names_maker(id: &str, app: &CatalogApp) -> bool {
    const SHORTEST: usize = 4;
    let mut parts = id.split('.');
    let vendor = match (parts.next(), parts.next(), parts.next()) {
        (Some(first), Some(second), Some(third)) => {
            let is_shared = is_shared_prefix(&id[..first.len() + 1 + second.len()]);
            normal(if is_shared { third } else { second })
        }
        (Some(first), Some(second), None) => {
            let parts = [normal(first), normal(second)];
            return app.makers.iter().chain(&app.names).any(|name| parts.contains(name));
        }
        _ => return false,
    };
    let is_longer = |name: &String| vendor.len() >= SHORTEST && name.starts_with(&vendor);
    let is_shorter = |name: &String| name.len() >= SHORTEST && vendor.starts_with(name.as_str());
    let names = app.names.iter().chain(&app.makers);
    names.into_iter().any(|name| *name == vendor || is_longer(name))
        || app.makers.iter().any(is_shorter)
}

/// Whether two bundle identifiers begin with the same vendor: `org.gimp.gimp-2.10` and
/// `org.gimp.gimp-3.2`.
fn is_of_same_vendor(left: &str, right: &str) -> bool {
    vendor(left).is_some_and(|left| Some(left) == vendor(right) && !is_shared_prefix(left))
}

fn vendor(id: &str) -> Option<&str> {
    let (end, _) = id.match_indices('.').nth(1)?;
    id.get(..end)
}

/// Adds the records without a Team ID that are of the same product as a signed one: older major
/// versions are often casks only.
fn add_unsigned_variants(index: &InstalledIndex, named: &[u32], signed: &mut Vec<u32>) {
    let is_variant = |at: &u32| {
        let app = index.app(*at);
        let shares_id =
            |other: &str| app.bundle_ids.iter().any(|id| id.eq_ignore_ascii_case(other));
        app.team_id.is_none()
            && signed.iter().any(|other| {
                let other = index.app(*other);
                app.is_same_product(other) || other.bundle_ids.iter().any(|id| shares_id(id))
            })
    };
    let variants: Vec<u32> = named.iter().copied().filter(is_variant).collect();
    signed.extend(variants);
    signed.sort_unstable();
    signed.dedup();
}
