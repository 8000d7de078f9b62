//! Feeds: their bytes, and names written by somebody who means harm.

use appstitch_types::AppChange;
use serde_json::{Value, json};

use super::*;
use crate::{Entry, NamedChange};

fn entry(name: &str) -> Entry {
    let change: AppChange = serde_json::from_value(json!({
        "seq": 4711, "at": "2026-08-22T19:31:04Z", "revision": "20260822T193104Z-7f4a0c9d21e8", "slug": "firefox",
        "kind": "changed", "fields": {
            "current_version": {"from": "153.0.3", "to": "154.0"},
            "sources": {"from": ["label_tool"], "to": ["label_tool", "cask_catalog"]},
            "vendor": {"from": null, "to": "Mozilla"},
        },
    }))
    .unwrap();
    let json = serde_json::to_string(&change).unwrap();
    Entry::of_change(&NamedChange::new(&change, Some(name)), "e1").with_data(&json)
}

fn feed(name: &str) -> Feed {
    Feed {
        title: format!("Changes of {name}"),
        name: "app:firefox".to_owned(),
        epoch: "e1".to_owned(),
        path: "/apps/firefox/feed.atom".to_owned(),
        about: "/apps/firefox".to_owned(),
        updated: "2026-08-22T19:31:04Z".parse().unwrap(),
        entries: vec![entry(name)],
        current: None,
        previous_archive: None,
    }
}

#[test]
fn an_atom_feed() {
    assert_eq!(
        feed("Firefox").text(FeedFormat::Atom, &Links::new("https://apps.example").unwrap()),
        r#"<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>tag:appstitch.internal,2026:feed:e1:app%3Afirefox</id>
<title>Changes of Firefox</title>
<updated>2026-08-22T19:31:04Z</updated>
<author><name>appstitch</name></author>
<link rel="self" href="https://apps.example/apps/firefox/feed.atom"/>
<link rel="alternate" href="https://apps.example/apps/firefox"/>
<entry>
  <id>tag:appstitch.internal,2026:changes:e1-4711-7f4a0c</id>
  <title>Firefox 153.0.3 → 154.0</title>
  <updated>2026-08-22T19:31:04Z</updated>
  <link rel="alternate" href="https://apps.example/a/firefox"/>
  <category term="changed"/>
  <summary>Version: 153.0.3 → 154.0
Sources: label_tool → label_tool, cask_catalog
Vendor: none → Mozilla</summary>
</entry>
</feed>
"#
    );
}

#[test]
fn an_archive_names_its_neighbours() {
    let archive = Feed {
        path: "/feed/archive/2026-08-21.atom".to_owned(),
        current: Some("/feed.atom".to_owned()),
        previous_archive: Some("/feed/archive/2026-08-20.atom".to_owned()),
        ..feed("Firefox")
    };
    let text = archive.text(FeedFormat::Atom, &Links::default());
    for part in [
        " xmlns:fh=\"http://purl.org/syndication/history/1.0\"",
        "<fh:archive/>",
        "<link rel=\"current\" href=\"/feed.atom\"/>",
        "<link rel=\"prev-archive\" href=\"/feed/archive/2026-08-20.atom\"/>",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_json_feed() {
    let text = feed("Firefox").text(FeedFormat::Json, &Links::new("https://apps.example").unwrap());
    let written: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        written,
        json!({
            "version": "https://jsonfeed.org/version/1.1",
            "title": "Changes of Firefox",
            "home_page_url": "https://apps.example/apps/firefox",
            "feed_url": "https://apps.example/apps/firefox/feed.atom",
            "authors": [{"name": "appstitch"}],
            "items": [{
                "id": "tag:appstitch.internal,2026:changes:e1-4711-7f4a0c",
                "url": "https://apps.example/a/firefox",
                "title": "Firefox 153.0.3 → 154.0",
                "content_text": "Version: 153.0.3 → 154.0\nSources: label_tool → label_tool, cask_catalog\nVendor: none → Mozilla",
                "date_published": "2026-08-22T19:31:04Z",
                "tags": ["changed"],
                "_appstitch": {
                    "seq": 4711, "at": "2026-08-22T19:31:04Z", "revision": "20260822T193104Z-7f4a0c9d21e8", "slug": "firefox",
                    "kind": "changed", "fields": {
                        "current_version": {"from": "153.0.3", "to": "154.0"},
                        "sources": {"from": ["label_tool"], "to": ["label_tool", "cask_catalog"]},
                        "vendor": {"from": null, "to": "Mozilla"},
                    },
                },
            }],
        })
    );
}

#[test]
fn hostile_names_stay_text() {
    let name = "]]></title><script>alert(1)</script>&nbsp;\u{0}\u{b}\u{ffff}\u{202e}\"'\n<x";
    let text = feed(name).text(FeedFormat::Atom, &Links::default());
    assert!(!text.contains("<script") && !text.contains("]]>"), "{text}");
    assert!(!text.contains("&nbsp;") && !text.contains(['\u{0}', '\u{b}', '\u{ffff}']), "{text}");
    assert_eq!(text.matches("<title>").count(), 2, "{text}");
}

#[test]
fn long_names_are_cut() {
    let text = feed(&"x".repeat(10_000)).text(FeedFormat::Atom, &Links::default());
    assert!(text.len() < 2000, "{}", text.len());
}
