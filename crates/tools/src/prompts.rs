//! Ready-made requests that a person can pick in their assistant.

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
            Some("Check which sources know an app, whether they agree, and what is missing"),
            argument("slug", "The app's slug"),
        )
        .with_title("Audit an app's coverage"),
        Prompt::new(
            FIND_LABEL,
            Some("Find an app by name and make an installer label for it"),
            argument("app_name", "The app's name as people know it"),
        )
        .with_title("Find a label for an app"),
        Prompt::new(
            HEALTH,
            Some("Report how large the catalog is, where its sources disagree, and what is new"),
            None,
        )
        .with_title("Catalog health report"),
    ]
}

/// The argument of a prompt that is a slug.
pub(crate) fn takes_slug(prompt: &str, argument: &str) -> bool {
    prompt == AUDIT && argument == "slug"
}

/// The text of a prompt; the error is a sentence.
pub(crate) fn get(
    name: &str,
    arguments: Option<&JsonObject>,
) -> Result<Vec<PromptMessage>, String> {
    let argument = |key: &str| match arguments.and_then(|arguments| arguments.get(key)) {
        Some(Value::String(text)) if !text.trim().is_empty() => Ok(text.trim()),
        Some(Value::String(_)) | None => {
            Err(format!("{key}: this argument is missing; give a string"))
        }
        Some(other) => Err(format!("{key}: expected a string, got {other}")),
    };
    let text = match name {
        AUDIT => audit(argument("slug")?),
        FIND_LABEL => find_label(argument("app_name")?),
        HEALTH => HEALTH_TEXT.to_owned(),
        _ => return Err(format!("There is no prompt {name}")),
    };
    Ok(vec![PromptMessage::new_text(Role::User, text)])
}

fn audit(slug: &str) -> String {
    format!(
        "Audit how well the catalog covers the app with slug {slug:?}.\n\
         1. Call get_app and get_app_sources with that slug. If the slug is unknown, call search_apps and ask which app is meant.\n\
         2. List which of label_tool, cask_catalog, recipe_index, mdm_installer and store_listing know the app, and which do not.\n\
         3. Compare the versions that the sources state, and say which source is behind. An app without a version in two sources cannot drift.\n\
         4. Name the fields of the record that are null, and what each would be needed for when the app is deployed.\n\
         5. Call generate_label_tool_label and quote its warnings.\n\
         End with a verdict in one sentence: ready to deploy, or what has to be found out first. Do not guess values that the tools did not return."
    )
}

fn find_label(app_name: &str) -> String {
    format!(
        "Find an installer label for the app called {app_name:?}.\n\
         1. Call search_apps with that name. If nothing is found, try a shorter part of the name or its vendor.\n\
         2. If several apps fit, show their slugs, names and vendors, and choose the one that is meant; prefer one with label_tool among its sources.\n\
         3. Call generate_label_tool_label with its slug.\n\
         4. Show the variables as a label fragment, then every warning with what to do about it.\n\
         Do not fill in values that the tool left out: a wrong team identifier or address would install the wrong thing."
    )
}

const HEALTH_TEXT: &str = "\
Write a health report of the catalog.
1. Call get_catalog_summary: how many apps there are, and how many each source covers.
2. Call list_drift with limit 100, and page with offset until you have all entries or 300 of them. Say how many apps could be compared (total_scanned), how many disagree (total_with_drift), and which source is behind more often.
3. Name the ten disagreements that look most urgent: large steps, browsers, anything about security.
4. Call list_recent_changes and name what is new.
Keep it to one page, with numbers taken from the tools alone.";
