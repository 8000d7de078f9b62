//! A message for a workflow of Microsoft Teams: an adaptive card in its envelope.
//!
//! Text runs have no markup, unlike text blocks, so a name cannot become a link.

use serde_json::{Value, json};

use super::event::{LONGEST_LIST, WHOLE_CATALOG, WebhookEvent};
use crate::links::Links;

/// The bytes that the lines of a card may take together, as JSON.
const LINES: usize = 15_000;

pub(super) fn body(event: &WebhookEvent<'_>, links: &Links) -> String {
    let mut lines = vec![json!({
        "type": "TextBlock", "text": event.headline(), "weight": "Bolder", "wrap": true,
    })];
    let mut actions = Vec::new();
    match event {
        WebhookEvent::Changed(changed) => {
            let (mut listed, mut used) = (0, 0);
            for named in changed.changes.iter().take(LONGEST_LIST) {
                let line = line(&named.title(), links.absolute(&named.path()));
                used += line.to_string().len();
                if used > LINES {
                    break;
                }
                lines.push(line);
                listed += 1;
            }
            let others = changed.count.saturating_sub(listed);
            if others > 0 {
                lines.push(line(&format!("{others} more"), None));
                actions.extend(button("More changes", links, &changed.more_path(listed)));
            }
        }
        WebhookEvent::Reset { .. } => actions.extend(button("Catalog", links, WHOLE_CATALOG)),
        WebhookEvent::Test { .. } => {}
    }
    let mut card = json!({
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "body": lines,
    });
    if !actions.is_empty() {
        card["actions"] = Value::Array(actions);
    }
    json!({
        "type": "message",
        "attachments": [{
            "contentType": "application/vnd.microsoft.card.adaptive",
            "contentUrl": null,
            "content": card,
        }],
    })
    .to_string()
}

/// A line, which opens an address if there is one.
fn line(text: &str, url: Option<String>) -> Value {
    // Cards replace functions such as {{DATE(…)}} in texts.
    let mut run = json!({"type": "TextRun", "text": text.replace("{{", "{ {")});
    if let Some(url) = url {
        run["selectAction"] = json!({"type": "Action.OpenUrl", "url": url});
    }
    json!({"type": "RichTextBlock", "inlines": [run], "spacing": "Small"})
}

fn button(title: &str, links: &Links, path: &str) -> Option<Value> {
    let url = links.absolute(path)?;
    Some(json!({"type": "Action.OpenUrl", "title": title, "url": url}))
}
