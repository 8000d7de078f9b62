//! Prompts that a user can select in an assistant.

use rmcp::model::{JsonObject, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::Value;

const AUDIT: &str = "audit_app_coverage";
const FIND_LABEL: &str = "find_label_for_app";
const HEALTH: &str = "catalog_health_report";

pub(crate) fn all() -> Vec<Prompt> {
    let argument = |name: &str, description: &str| {
        Some(vec![PromptArgument::new(name).with_description(description).with_required(true)])
    };
    vec![
        Prompt::new(
            AUDIT,
            Some("Check which sources contain an app, whether they agree, and what is missing"),
            argument("slug", "The app's slug"),
        )
        .with_title("Audit an app's coverage"),
        Prompt::new(
            FIND_LABEL,
            Some("Find an app by name and generate an Installomator label for it"),
            argument("app_name", "The app's display name"),
        )
        .with_title("Find a label for an app"),
        Prompt::new(
            HEALTH,
            Some("Report the size of the catalog, version drift between sources, and new apps"),
            None,
        )
        .with_title("Catalog health report"),
    ]
}

/// Whether the argument of a prompt is a slug, so that it can be completed.
pub(crate) fn takes_slug(prompt: &str, argument: &str) -> bool {
    prompt == AUDIT && argument == "slug"
}

/// The messages of a prompt; the error is a message for the client.
pub(crate) fn get(
    name: &str,
    arguments: Option<&JsonObject>,
) -> Result<Vec<PromptMessage>, String> {
    let argument = |key: &str| match arguments.and_then(|arguments| arguments.get(key)) {
        Some(Value::String(text)) if !text.trim().is_empty() => Ok(text.trim()),
        Some(Value::String(_)) | None => Err(format!("{key}: missing argument; expected a string")),
        Some(other) => Err(format!("{key}: expected a string, got {other}")),
    };
    let text = match name {
        AUDIT => audit(argument("slug")?),
        FIND_LABEL => find_label(argument("app_name")?),
        HEALTH => HEALTH_TEXT.to_owned(),
        _ => return Err(format!("unknown prompt: {name}")),
    };
    Ok(vec![PromptMessage::new_text(Role::User, text)])
}

fn audit(slug: &str) -> String {
    format!(
        "Audit the catalog's coverage of the app with the slug {slug:?}.\n\
         1. Call get_app and get_app_sources with this slug. If the slug is unknown, call find_app and ask the user which app they mean.\n\
         2. List which of the five sources contain the app and which do not: label_tool (Installomator), cask_catalog (Homebrew), recipe_index (AutoPkg), mdm_installer (Jamf App Installers) and store_listing (Mac App Store).\n\
         3. Compare the versions in the sources and state which source is out of date. An app has no drift unless at least two sources state a version.\n\
         4. List the null fields of the record and explain what each is needed for when deploying the app.\n\
         5. Call generate_label_tool_label and quote its warnings.\n\
         Finish with a one-sentence conclusion: either the app is ready to deploy, or what must be found out first. Do not guess values that the tools did not return."
    )
}

fn find_label(app_name: &str) -> String {
    format!(
        "Find an Installomator label for the app called {app_name:?}.\n\
         1. Call find_app with this name; the best match comes first. If there are no results, try the names in did_you_mean, or the vendor.\n\
         2. If several apps match equally well, show their slugs, names and vendors, and choose the most likely one; prefer an app with label_tool in its sources, which has an Installomator label.\n\
         3. Call generate_label_tool_label with the slug of that app.\n\
         4. Show the variables as a label fragment, followed by every warning and how to resolve it.\n\
         Do not fill in values that the tool omitted: a wrong team identifier or URL could install the wrong software."
    )
}

const HEALTH_TEXT: &str = "\
Write a health report for the catalog.
1. Call get_catalog_summary for the total number of apps, and get_source_status for the number of apps of each of the five sources and for when each source last changed. Report both, and name a source that is older than the others.
2. Call list_drift with limit 100 and increase offset until you have all entries or 300 of them. Report how many apps were compared (total_scanned), how many have drift (total_with_drift), and which source is out of date more often.
3. List the ten most urgent entries: large version differences, browsers, and security software.
4. Call list_recent_changes and list the new apps.
Keep the report to one page. Use only numbers that the tools returned.";
