//! How to install an app or look for it: one tab for each tool that can.
//!
//! A tab is there only if what it says works: a command for a label needs a label, one for a cask needs
//! a cask that can still be installed.

use appstitch_exports::{ExportFormat, quote::sql};
use appstitch_snapshot::{LabelForm, ReadError};
use appstitch_types::{DeprecationStatus, InstallMethod, RecipeEntry};
use bytes::Bytes;

use super::{
    app_file::AppFile,
    block::Block,
    exports::Exports,
    extent::Extent,
    known::Known,
    quoted::{for_ruby, for_shell},
    report::is_repository,
};
use crate::site::Site;

pub(super) struct Tab {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) blocks: Vec<Block>,
    pub(super) recipes: Vec<RecipeRow>,
    pub(super) more_recipes: usize,
}

pub(super) struct RecipeRow {
    pub(super) kind: String,
    pub(super) identifier: String,
    pub(super) repository: String,
    pub(super) link: Option<String>,
}

impl Tab {
    fn new(id: &'static str, title: &'static str, blocks: Vec<Block>) -> Self {
        Self { id, title, blocks, recipes: Vec::new(), more_recipes: 0 }
    }
}

/// The tools that most admins use come first.
pub(super) fn tabs(
    site: &Site<'_>,
    known: &Known<'_>,
    exports: &Exports,
    extent: Extent,
) -> Vec<Tab> {
    let label = label(site, known, extent);
    let blocks = |formats: &[ExportFormat]| -> Vec<Block> {
        formats.iter().filter_map(|format| exports.block(known, *format, extent)).collect()
    };
    let tab = |id, title, formats: &[ExportFormat]| {
        let blocks = blocks(formats);
        (!blocks.is_empty()).then(|| Tab::new(id, title, blocks))
    };
    let with = |tab: Option<Tab>, formats: &[ExportFormat]| {
        tab.map(|mut tab| {
            tab.blocks.extend(blocks(formats));
            tab
        })
    };
    [
        label,
        brew(known),
        tab("munki", "Munki", &[ExportFormat::Munki]),
        with(recipes(known, extent), &[ExportFormat::AutoPkg])
            .or_else(|| Some(Tab::new("autopkg", "AutoPkg", Vec::new())))
            .and_then(|tab| with(Some(tab), &[ExportFormat::AutoPkgDownload]))
            .filter(|tab| !tab.blocks.is_empty()),
        tab(
            "intune",
            "Intune",
            &[
                ExportFormat::Intune,
                ExportFormat::IntunePreinstall,
                ExportFormat::IntunePostinstall,
            ],
        ),
        tab("fleet", "Fleet", &[ExportFormat::Fleet]),
        with(osquery(known), &[ExportFormat::Osquery, ExportFormat::OsqueryPack]),
        download(known),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn label(site: &Site<'_>, known: &Known<'_>, extent: Extent) -> Option<Tab> {
    let slug = known.slug();
    let form = LabelForm::Shell;
    let made = site.snapshot.generated_label_from(known.position, form, &known.parsed);
    let fragment = text(made)?;
    let mut blocks = Vec::new();
    if let Some(label) = &known.sources().label_tool {
        let command = format!("sudo ./Installomator.sh {} DEBUG=0", for_shell(&label.label_name));
        blocks.push(Block::new("Run the label that Installomator has", command));
    }
    let shown = if fragment.len() > extent.label { String::new() } else { fragment };
    let caption = "Ready-made label (save in fragments/labels)";
    let file = format!("{slug}.sh");
    blocks.push(Block::new(caption, shown).with_file(known, AppFile::Label.name(), file));
    Some(Tab::new("label", "Installomator", blocks))
}

pub(super) fn label_text(site: &Site<'_>, slug: &str) -> Option<String> {
    text(site.snapshot.generated_label(slug, LabelForm::Shell))
}

fn text(label: Result<Bytes, ReadError>) -> Option<String> {
    String::from_utf8(label.ok()?.to_vec()).ok()
}

fn brew(known: &Known<'_>) -> Option<Tab> {
    let token = cask_token(known)?;
    let install = format!("brew install --cask {}", for_shell(token));
    let mut block = Block::new("Install", install);
    if known.details.updates_itself == Some(true) {
        let note = "The app updates itself; brew upgrade leaves it alone unless --greedy is given";
        block.notes.push(note.to_owned());
    }
    let file = Block::new("Line of a Brewfile", brewfile(known)?.trim_end().to_owned()).with_file(
        known,
        AppFile::Brewfile.name(),
        "Brewfile".to_owned(),
    );
    Some(Tab::new("brew", "Homebrew", vec![block, file]))
}

fn cask_token<'a>(known: &Known<'a>) -> Option<&'a str> {
    let status = known.details.deprecation.as_ref().map(|deprecation| deprecation.status);
    let cask = known.sources().cask_catalog.as_ref()?;
    (status != Some(DeprecationStatus::Disabled)).then_some(&cask.token)
}

pub(super) fn brewfile(known: &Known<'_>) -> Option<String> {
    Some(format!("cask {}\n", for_ruby(cask_token(known)?)))
}

fn recipes(known: &Known<'_>, extent: Extent) -> Option<Tab> {
    let recipes = ordered_recipes(known);
    let first = recipes.first()?;
    let mut command = String::new();
    if is_repository(&first.repo) {
        command = format!("autopkg repo-add {}\n", for_shell(&first.repo));
    }
    command.push_str("autopkg run -v ");
    command.push_str(&for_shell(&first.identifier));
    let mut block = Block::new("Add the repository and run a recipe", command);
    if first.parent_identifier.is_some() {
        let note = "The recipe builds on another one, whose repository has to be added as well";
        block.notes.push(note.to_owned());
    }
    let row = |recipe: &&RecipeEntry| RecipeRow {
        kind: recipe.inferred_type.clone().unwrap_or_else(|| "other".to_owned()),
        identifier: recipe.identifier.clone(),
        repository: recipe.repo.clone(),
        link: recipe.recipe_url.as_ref().map(ToString::to_string),
    };
    let listed = recipes.iter().take(extent.recipes).map(row).collect();
    let mut tab = Tab::new("autopkg", "AutoPkg", vec![block]);
    tab.more_recipes = recipes.len().saturating_sub(extent.recipes);
    tab.recipes = listed;
    Some(tab)
}

/// The recipes by what they lead to. The project's own repository comes first.
fn ordered_recipes<'a>(known: &Known<'a>) -> Vec<&'a RecipeEntry> {
    const KINDS: [&str; 5] = ["pkg", "download", "install", "munki", "jamf"];
    let recipes = known.sources().recipe_index.as_ref().map(|index| &*index.recipes);
    let mut recipes: Vec<&RecipeEntry> = recipes.unwrap_or_default().iter().collect();
    recipes.sort_by_key(|recipe| {
        let kind = recipe.inferred_type.as_deref().unwrap_or_default();
        let place = KINDS.iter().position(|known| *known == kind).unwrap_or(KINDS.len());
        (place, recipe.repo != "autopkg/recipes")
    });
    recipes
}

fn osquery(known: &Known<'_>) -> Option<Tab> {
    let query = Block::new("Installed version", osquery_text(known)?.trim_end().to_owned())
        .with_file(known, AppFile::Query.name(), format!("{}.sql", known.slug()));
    let mut blocks = vec![query];
    let file = known.details.app_files.as_deref().and_then(<[String]>::first);
    if let (Some(team), Some(file)) = (&known.app.expected_team_id, file) {
        let path = sql(&format!("/Applications/{file}"));
        let team = sql(&team.to_string());
        blocks.push(Block::new(
            "Find copies with another signature",
            format!("SELECT path, signed, team_identifier\nFROM signature\nWHERE path = {path}\n  AND (signed = 0 OR team_identifier != {team});"),
        ));
    }
    Some(Tab::new("osquery", "osquery", blocks))
}

/// The query for the installed version: by bundle identifier, else by file name, else by receipt.
pub(super) fn osquery_text(known: &Known<'_>) -> Option<String> {
    let first = |list: &Option<Vec<String>>| list.as_deref()?.first().cloned();
    if let Some(bundle_id) = &known.app.bundle_id {
        let id = sql(bundle_id);
        return Some(format!(
            "SELECT name, bundle_short_version, path\nFROM apps\nWHERE bundle_identifier = {id};\n"
        ));
    }
    if let Some(file) = first(&known.details.app_files) {
        let file = sql(&file);
        return Some(format!(
            "SELECT name, bundle_short_version, path\nFROM apps\nWHERE name = {file};\n"
        ));
    }
    let receipt = sql(&first(&known.details.package_receipts)?);
    Some(format!(
        "SELECT package_id, version, install_time\nFROM package_receipts\nWHERE package_id = {receipt};\n"
    ))
}

fn download(known: &Known<'_>) -> Option<Tab> {
    let url = known.app.download_url.as_ref()?;
    let ending = known.app.install_method.map_or("bin", |method| match method {
        InstallMethod::Dmg | InstallMethod::PkgInDmg => "dmg",
        InstallMethod::Pkg => "pkg",
        InstallMethod::Zip | InstallMethod::PkgInZip | InstallMethod::AppInDmgInZip => "zip",
        InstallMethod::Tbz => "tbz",
    });
    let file = format!("{}.{ending}", known.slug());
    let mut command = format!("curl -fL -o {} {}", for_shell(&file), for_shell(&url.to_string()));
    let mut title = "Download; no source has a checksum";
    if let Some(sha256) = &known.app.sha256 {
        let line = for_shell(&format!("{sha256}  {file}"));
        command = format!("{command}\necho {line} | shasum -a 256 -c -");
        title = "Download and check";
    }
    Some(Tab::new("download", "Download", vec![Block::new(title, command)]))
}
