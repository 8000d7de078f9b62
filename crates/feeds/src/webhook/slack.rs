//! A message for Slack: a text for notifications, and blocks with links.
//!
//! Slack's markup begins with `<` and its entities with `&`, so a name that escapes these and `>`
//! cannot mention a channel or become a link.

use serde_json::{Value, json};

use super::event::{CatalogChanged, LONGEST_LIST, WHOLE_CATALOG, WebhookEvent};
use crate::{links::Links, named_change::NamedChange};

/// The most bytes of a section; Slack allows 3000 characters.
const SECTION: usize = 2900;

/// The bytes that the lines may take together: a body has to stay below its limit even if every
/// character is written with a backslash.
const LINES: usize = 8000;

pub(super) fn body(event: &WebhookEvent<'_>, links: &Links) -> String {
    let headline = event.headline();
    let mut blocks = vec![section(&format!("*{}*", escaped(&headline)))];
    let mut text = headline;
    match event {
        WebhookEvent::Changed(changed) => {
            if let (1, [only, ..]) = (changed.count, changed.changes) {
                text = only.title();
            }
            blocks.extend(lists(changed, links));
        }
        WebhookEvent::Reset { .. } => {
            if let Some(url) = links.absolute(WHOLE_CATALOG) {
                blocks.push(section(&link(&url, "The whole catalog")));
            }
        }
        WebhookEvent::Test { .. } => {}
    }
    json!({"text": escaped(&text), "blocks": blocks}).to_string()
}

/// The changes, one per line, and a link to the others.
fn lists(changed: &CatalogChanged<'_>, links: &Links) -> Vec<Value> {
    let (mut blocks, mut lines, mut listed, mut used) = (Vec::new(), String::new(), 0, 0);
    for named in changed.changes.iter().take(LONGEST_LIST) {
        let line = format!("• {}\n", linked(named, links));
        used += line.len();
        if used > LINES {
            break;
        }
        if lines.len() + line.len() > SECTION {
            blocks.push(section(&std::mem::take(&mut lines)));
        }
        lines.push_str(&line);
        listed += 1;
    }
    if !lines.is_empty() {
        blocks.push(section(&lines));
    }
    let others = changed.count.saturating_sub(listed);
    if others > 0 {
        let text = format!("{others} more");
        let text = links
            .absolute(&changed.more_path(listed))
            .map_or(text.clone(), |url| link(&url, &text));
        blocks.push(section(&text));
    }
    blocks
}

fn linked(named: &NamedChange<'_>, links: &Links) -> String {
    let title = named.title();
    match links.absolute(&named.path()) {
        Some(url) => link(&url, &title),
        None => escaped(&title),
    }
}

/// The address is ours and percent-encoded; a bar would end it.
fn link(url: &str, text: &str) -> String {
    format!("<{}|{}>", escaped(url), escaped(text))
}

fn section(text: &str) -> Value {
    // Verbatim: Slack makes no links of names that look like addresses.
    json!({"type": "section", "text": {"type": "mrkdwn", "text": text, "verbatim": true}})
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
