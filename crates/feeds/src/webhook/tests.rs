//! Bodies: their shape, their limits, and names written by somebody who means harm.

use appstitch_types::AppChange;
use serde_json::{Value, json};

use super::*;
use crate::NamedChange;

const HOSTILE: &str = "<!channel> <https://evil.example|x> & *b* [a](https://evil.example) {{DATE(2026)}} \u{202e}\u{0}\nnext";

fn change(seq: u64, name: &str, fields: Value) -> AppChange {
    let mut change: AppChange = serde_json::from_value(json!({
        "seq": seq, "at": "2026-08-22T19:31:04Z", "revision": "20260822T193104Z-0123456789ab", "slug": format!("app-{seq}"),
        "kind": "changed", "fields": fields,
    }))
    .unwrap();
    if !name.is_empty() {
        let name = json!({"from": "Old", "to": name});
        change.fields.insert("name".to_owned(), serde_json::from_value(name).unwrap());
    }
    change
}

fn versions() -> Value {
    json!({"current_version": {"from": "1.0", "to": "2.0"}})
}

fn bodies(changes: &[AppChange], count: usize, links: &Links) -> [Value; 3] {
    let named: Vec<_> = changes.iter().map(|change| NamedChange::new(change, None)).collect();
    let event = WebhookEvent::Changed(CatalogChanged {
        at: "2026-08-22T19:31:04Z".parse().unwrap(),
        revision: "20260822T193104Z-0123456789ab",
        epoch: "e1",
        after: "e1-10-0b5e11",
        to: &format!("e1-{}-7f4a0c", 10 + count),
        count,
        changes: &named,
    });
    BodyFormat::ALL.map(|format| read(&event.body(format, links)))
}

fn read(body: &str) -> Value {
    assert!(body.len() < LONGEST_BODY, "{} bytes", body.len());
    serde_json::from_str(body).unwrap()
}

fn public() -> Links {
    Links::new("https://apps.example").unwrap()
}

#[test]
fn the_standard_body_has_the_changes_and_says_where_more_are() {
    let changes = [change(11, "", versions()), change(12, "", versions())];
    let [body, ..] = bodies(&changes, 5, &public());
    assert_eq!(
        body,
        json!({
            "type": "catalog.changed", "timestamp": "2026-08-22T19:31:04Z", "data": {
                "revision": "20260822T193104Z-0123456789ab", "to": "e1-15-7f4a0c", "count": 5,
                "changes": [
                    {"title": "app-11 1.0 → 2.0", "seq": 11, "at": "2026-08-22T19:31:04Z",
                     "revision": "20260822T193104Z-0123456789ab", "slug": "app-11", "kind": "changed", "fields": versions()},
                    {"title": "app-12 1.0 → 2.0", "seq": 12, "at": "2026-08-22T19:31:04Z",
                     "revision": "20260822T193104Z-0123456789ab", "slug": "app-12", "kind": "changed", "fields": versions()},
                ],
                "more_url": "https://apps.example/changes?since=e1-12-012345",
            },
        })
    );
    let [all, ..] = bodies(&changes, 2, &Links::default());
    assert_eq!(all["data"]["more_url"], Value::Null);
    let [path, ..] = bodies(&changes, 3, &Links::default());
    assert_eq!(path["data"]["more_url"], "/changes?since=e1-12-012345");
}

#[test]
fn the_chat_bodies_link_to_the_apps() {
    let [_, slack, teams] = bodies(&[change(11, "", versions())], 2, &public());
    assert_eq!(slack["text"], "2 changes in the catalog");
    let lines = slack["blocks"][1]["text"]["text"].as_str().unwrap();
    assert_eq!(lines, "• <https://apps.example/a/app-11|app-11 1.0 → 2.0>\n");
    let more = slack["blocks"][2]["text"]["text"].as_str().unwrap();
    assert_eq!(more, "<https://apps.example/changes?since=e1-11-012345|1 more>");
    let card = &teams["attachments"][0]["content"];
    assert_eq!((&teams["type"], &card["type"]), (&json!("message"), &json!("AdaptiveCard")));
    let run = &card["body"][1]["inlines"][0];
    assert_eq!(run["text"], "app-11 1.0 → 2.0");
    assert_eq!(run["selectAction"]["url"], "https://apps.example/a/app-11");
    assert_eq!(card["actions"][0]["url"], "https://apps.example/changes?since=e1-11-012345");
}

#[test]
fn without_a_public_address_nothing_links_to_a_path() {
    let [_, slack, teams] = bodies(&[change(11, "", versions())], 2, &Links::default());
    assert!(!slack.to_string().contains('|') && !slack.to_string().contains("/apps"), "{slack}");
    assert!(!teams.to_string().contains("OpenUrl"), "{teams}");
}

#[test]
fn a_hostile_name_is_only_text() {
    let [standard, slack, teams] = bodies(&[change(11, HOSTILE, versions())], 1, &public());
    assert_eq!(standard["data"]["changes"][0]["fields"]["name"]["to"], HOSTILE, "data is exact");
    for text in [&slack["text"], &slack["blocks"][1]["text"]["text"]] {
        let text = text.as_str().unwrap();
        assert!(!text.contains("<!") && !text.contains("<https://evil"), "{text}");
        assert!(!text.contains('\u{202e}') && !text.contains('\u{0}'), "{text}");
        assert_eq!(text.trim_end().lines().count(), 1, "{text}");
    }
    let inlines = &teams["attachments"][0]["content"]["body"][1];
    assert_eq!(inlines["type"], "RichTextBlock", "text runs have no markup");
    assert!(!inlines["inlines"][0]["text"].as_str().unwrap().contains("{{"));
}

#[test]
fn bodies_stay_small_whatever_the_names_and_numbers() {
    let long = "\u{1}\"\\<&>é".repeat(2000);
    let fields = json!({"current_version": {"from": &long, "to": &long},
        "download_url": {"from": null, "to": "x".repeat(2000)}});
    for (name, fields) in [(long.as_str(), fields.clone()), ("", versions()), ("N", fields)] {
        let changes: Vec<_> = (11..=200).map(|seq| change(seq, name, fields.clone())).collect();
        let [standard, slack, teams] = bodies(&changes, 5000, &public());
        let listed = standard["data"]["changes"].as_array().unwrap().len();
        assert!(listed <= LONGEST_LIST);
        let token = match listed {
            0 => "e1-10-0b5e11".to_owned(),
            _ => format!("e1-{}-012345", 10 + listed),
        };
        let more = format!("https://apps.example/changes?since={token}");
        assert_eq!(standard["data"]["more_url"], more);
        assert!(slack["blocks"].as_array().unwrap().len() < 50);
        for block in slack["blocks"].as_array().unwrap() {
            assert!(block["text"]["text"].as_str().unwrap().chars().count() <= 3000);
        }
        assert!(teams["attachments"][0]["content"]["actions"].is_array());
    }
}

#[test]
fn other_events_have_bodies_as_well() {
    let at = "2026-08-22T19:31:04Z".parse().unwrap();
    let reset = WebhookEvent::Reset { at, revision: "r", to: "e2-1" };
    assert_eq!(
        read(&reset.body(BodyFormat::Standard, &public())),
        json!({"type": "catalog.reset", "timestamp": "2026-08-22T19:31:04Z", "data": {
            "revision": "r", "to": "e2-1", "reset": true, "snapshot_url": "https://apps.example/apps"}})
    );
    let test = WebhookEvent::Test { at, hook: "team" };
    assert_eq!(
        read(&test.body(BodyFormat::Standard, &public())),
        json!({"type": "catalog.test", "timestamp": "2026-08-22T19:31:04Z", "data": {"hook": "team"}})
    );
    for event in [reset, test] {
        for format in [BodyFormat::Slack, BodyFormat::Teams] {
            read(&event.body(format, &public()));
        }
    }
}

#[test]
fn formats_have_names() {
    for format in BodyFormat::ALL {
        assert_eq!(BodyFormat::from_word(format.word()), Some(format));
        assert_eq!(serde_json::to_value(format).unwrap(), format.word());
    }
}
