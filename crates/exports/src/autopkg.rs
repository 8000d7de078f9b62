//! AutoPkg: which recipes exist for an app, and a recipe that downloads it and checks its signature.

use std::fmt::Write;

use appstitch_types::{InstallMethod, RecipeEntry};
use plist::{Dictionary, Value};

use crate::{
    Made,
    munki::property_list,
    quote::{comment, shell},
    reason::Reason,
    subject::Subject,
};

/// What recipes lead to, the most useful first.
const KINDS: [&str; 6] = ["munki", "jamf", "intune", "install", "pkg", "download"];

/// A recipe list: `autopkg run --recipe-list FILE`. How to get the recipes is in comments, because only
/// AutoPkg itself can make an override with the hashes of what was trusted.
pub(crate) fn recipe_list(subject: &Subject<'_>) -> Made {
    let index = subject.parsed.sources().recipe_index.as_ref();
    let mut recipes: Vec<&RecipeEntry> =
        index.map(|index| index.recipes.iter().collect()).unwrap_or_default();
    recipes.retain(|recipe| is_line(&recipe.identifier) && kind_of(recipe) < KINDS.len());
    let has_recipes = !recipes.is_empty();
    recipes.retain(|recipe| file_name(recipe).is_some());
    recipes.sort_by_key(|recipe| {
        (kind_of(recipe), recipe.repo != "autopkg/recipes", recipe.identifier.clone())
    });
    let Some((first, name)) = recipes.first().and_then(|first| Some((first, file_name(first)?)))
    else {
        return Err(vec![if has_recipes { Reason::NoRecipeFile } else { Reason::NoRecipe }]);
    };
    let mut text = format!("# Recipes for {}.\n", comment(&subject.app.name));
    text.push_str(
        "# Before the first run, read the recipe, add its repository and make an override:\n",
    );
    let repository = Some(&first.repo).filter(|repo| is_line(repo));
    if let Some(repository) = repository {
        let _ = writeln!(text, "#   autopkg repo-add {}", word(repository));
    }
    let _ = writeln!(text, "#   autopkg make-override --pull {}", word(&first.identifier));
    // An override has an identifier of its own. Only the name leads to it instead of to the recipe.
    let _ = writeln!(text, "{name}");
    if recipes.len() > 1 {
        text.push_str("\n# Others; remove the # to run them as well:\n");
        for other in &recipes[1..] {
            let name = file_name(other).unwrap_or_default();
            let _ = writeln!(text, "# {name} ({}, {})", other.identifier, comment(&other.repo));
        }
    }
    let mut warnings = Vec::new();
    if first.parent_identifier.is_some() {
        warnings.push("The recipe builds on others; --pull adds their repositories".to_owned());
    }
    Ok((text, warnings))
}

fn kind_of(recipe: &RecipeEntry) -> usize {
    let kind = recipe.inferred_type.as_deref().unwrap_or_default();
    KINDS.iter().position(|known| *known == kind).unwrap_or(KINDS.len())
}

/// The name of a recipe that AutoPkg looks for in the folders of overrides first: that of its file without
/// the last ending.
fn file_name(recipe: &RecipeEntry) -> Option<&str> {
    let file = recipe.path.rsplit('/').next()?;
    let name = [".recipe.yaml", ".recipe.plist", ".recipe"]
        .into_iter()
        .find_map(|ending| file.strip_suffix(ending))?;
    is_line(name).then_some(name)
}

/// Whether a text is a line of a recipe list as it is.
fn is_line(text: &str) -> bool {
    !text.is_empty()
        && text.trim() == text
        && !text.starts_with('#')
        && !text.chars().any(char::is_control)
}

fn word(text: &str) -> String {
    let is_plain =
        |character: char| character.is_ascii_alphanumeric() || "._/-".contains(character);
    if text.chars().all(is_plain) && !text.starts_with('-') { text.to_owned() } else { shell(text) }
}

/// A recipe that downloads the file and stops unless the app is signed by the expected team.
pub(crate) fn download_recipe(subject: &Subject<'_>) -> Made {
    let app = subject.app;
    let mut reasons = Vec::new();
    let found = (&app.download_url, &app.bundle_id, &app.expected_team_id, app.install_method);
    let missing = [
        (found.0.is_none(), Reason::NoAddress),
        (found.1.is_none(), Reason::NoBundleId),
        (subject.installed.has_unsure_id, Reason::UnsureBundleId),
        (found.2.is_none(), Reason::NoTeamId),
        (subject.delivery.needs_request_fields, Reason::NeedsRequestFields),
        (subject.delivery.has_unknown_apps, Reason::UnknownApps),
        (subject.delivery.apps.is_empty() && !subject.delivery.has_unknown_apps, Reason::NoAppFile),
        (subject.delivery.apps.len() > 1, Reason::SeveralApps),
    ];
    reasons.extend(missing.into_iter().filter(|(is_missing, _)| *is_missing).map(|(_, why)| why));
    let format = match found.3 {
        None => {
            reasons.push(Reason::NoMethod);
            None
        }
        Some(method) => {
            let format = format(method);
            if format.is_none() {
                reasons.push(Reason::Method(method));
            }
            format
        }
    };
    if let Some(bundle_id) = found.1.as_ref().filter(|id| !is_plain_identifier(id)) {
        reasons.push(Reason::OddBundleId(bundle_id.clone()));
    }
    let (Some(url), Some(bundle_id), Some(team), Some(format), [delivered], true) =
        (found.0, found.1, found.2, format, &*subject.delivery.apps, reasons.is_empty())
    else {
        return Err(reasons);
    };
    let slug = app.slug.as_str();
    for value in [url.as_str(), &delivered.source, &app.name, slug] {
        if looks_like_variable(value) {
            return Err(vec![Reason::LooksLikeVariable(value.to_owned())]);
        }
    }
    let requirement = format!(
        "identifier \"{bundle_id}\" and anchor apple generic and certificate leaf[subject.OU] = \"{team}\""
    );
    let mut steps = vec![
        step(
            "URLDownloader",
            &[("url", "%DOWNLOAD_URL%"), ("filename", &format!("%NAME%.{}", format.ending))],
        ),
        step("EndOfCheckPhase", &[]),
    ];
    let folder = match format.unpacked {
        None => "%pathname%".to_owned(),
        Some(kind) => {
            let folder = "%RECIPE_CACHE_DIR%/unpacked";
            let arguments = [
                ("archive_path", "%pathname%"),
                ("archive_format", kind),
                ("destination_path", folder),
            ];
            let mut unpack = arguments_of(&arguments);
            unpack.insert("purge_destination".to_owned(), true.into());
            steps.push(processor("Unarchiver", unpack));
            folder.to_owned()
        }
    };
    let input_path = format!("{folder}/{}", delivered.source);
    steps.push(step(
        "CodeSignatureVerifier",
        &[("input_path", &input_path), ("requirement", &requirement)],
    ));
    let mut warnings = vec![
        "The requirement is made of the bundle identifier and the Team ID; compare it with codesign --display -r- APP".to_owned(),
    ];
    if subject.delivery.differs_on_intel {
        warnings.push("The file is for Macs with Apple silicon".to_owned());
    }
    // A property list has no comments.
    let checks = warnings.join(". ");
    let description = format!("Downloads {} and checks its signature. {checks}.", app.name);
    let mut recipe = arguments_of(&[
        ("Identifier", &format!("local.appstitch.download.{slug}")),
        ("Description", &description),
    ]);
    recipe.insert(
        "Input".to_owned(),
        arguments_of(&[("NAME", slug), ("DOWNLOAD_URL", url.as_str())]).into(),
    );
    recipe.insert("MinimumVersion".to_owned(), "1.0.0".into());
    recipe.insert("Process".to_owned(), Value::Array(steps));
    Ok((property_list(recipe), warnings))
}

struct Format {
    ending: &'static str,
    /// The format for the unarchiver; `None` for a disk image, which is mounted.
    unpacked: Option<&'static str>,
}

/// `None` for packages: their signature is checked by the names of the whole chain, which no source has.
const fn format(method: InstallMethod) -> Option<Format> {
    Some(match method {
        InstallMethod::Dmg => Format { ending: "dmg", unpacked: None },
        InstallMethod::Zip => Format { ending: "zip", unpacked: Some("zip") },
        _ => return None,
    })
}

fn is_plain_identifier(id: &str) -> bool {
    id.chars().all(|character| character.is_ascii_alphanumeric() || "._-".contains(character))
}

/// AutoPkg replaces `%NAME%` wherever it stands. There is no way to write it otherwise.
fn looks_like_variable(text: &str) -> bool {
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('%') {
        let name = after.split('%').next().unwrap_or_default();
        let is_closed = name.len() < after.len();
        let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && name.chars().all(|other| other.is_ascii_alphanumeric() || other == '_');
        if is_closed && is_name {
            return true;
        }
        rest = after;
    }
    false
}

fn step(name: &str, arguments: &[(&str, &str)]) -> Value {
    processor(name, arguments_of(arguments))
}

fn processor(name: &str, arguments: Dictionary) -> Value {
    let mut step = Dictionary::new();
    if !arguments.is_empty() {
        step.insert("Arguments".to_owned(), arguments.into());
    }
    step.insert("Processor".to_owned(), name.into());
    step.into()
}

fn arguments_of(pairs: &[(&str, &str)]) -> Dictionary {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), Value::from(*value))).collect()
}
