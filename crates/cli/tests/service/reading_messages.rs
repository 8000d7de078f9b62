//! The messages of the reading commands: there are more rows, or none.

use serde_json::{Value, json};

use crate::support::{TestServer, label_and_cask, record};

#[tokio::test]
async fn a_list_says_that_there_is_more() {
    let records: Vec<Value> = (0..5)
        .map(|number| label_and_cask(&format!("app-{number}x"), Some("Acme"), "1.0", "2.0"))
        .collect();
    let server = TestServer::with_records(&records).await;
    for (arguments, says) in [
        (&["apps", "--limit", "2"][..], "showing 2 of 5; use --offset, --limit or --all\n"),
        (
            &["apps", "--limit", "2", "--offset", "1", "--json"],
            "showing 2 to 3 of 5; use --offset, --limit or --all\n",
        ),
        (&["apps", "--limit", "2", "--offset", "3"], ""),
        (&["apps"], ""),
        (&["apps", "--all"], ""),
        (&["search", "app", "--limit", "4"], "showing 4 of 5; use --limit or --offset\n"),
        (&["search", "app"], ""),
        (&["drift", "--limit", "2", "--json"], "showing 2 of 5; use --offset, --limit or --all\n"),
        (
            &["drift", "--limit", "2"],
            "showing 2 of 5; use --offset, --limit or --all\n5 of 5 compared apps drift\n",
        ),
        (&["drift", "--all"], "5 of 5 compared apps drift\n"),
    ] {
        let (code, stdout, stderr) = server.run(arguments);
        assert_eq!((code, stderr.as_str()), (0, says), "{arguments:?}");
        assert!(!stdout.contains("showing"), "notes go to stderr: {stdout}");
    }
}

#[tokio::test]
async fn nothing_found_is_a_no_and_still_json() {
    let server = TestServer::with_records(&[record("only")]).await;
    for (arguments, says) in [
        (
            &["apps", "--vendor", "No One"][..],
            "No apps match --vendor 'No One'\nhint: no app has the vendor 'No One'\n",
        ),
        (
            &["apps", "--source", "store_listing", "--all"],
            "No apps match --source 'store_listing'\n",
        ),
        (
            &["apps", "--vendor", "x", "--all", "--offset", "9"],
            "No apps match --vendor 'x'\nhint: no app has the vendor 'x'\n",
        ),
        (&["apps", "--deprecated"], "No apps match --deprecated\n"),
    ] {
        let (code, stdout, stderr) = server.run(arguments);
        assert_eq!((code, stdout.as_str(), stderr.as_str()), (1, "", says), "{arguments:?}");
        let (code, stdout, stderr) = server.run(&[arguments, &["--json"]].concat());
        assert_eq!((code, stdout.as_str(), stderr.as_str()), (1, "[]\n", says), "{arguments:?}");
    }
    for arguments in [&["apps", "--offset", "9"][..], &["apps", "--offset", "9", "--all"]] {
        let (code, stdout, stderr) = server.run(arguments);
        assert_eq!((code, stdout.as_str()), (0, ""), "a page after the last one");
        assert_eq!(stderr, "No apps at offset 9; 1 match\n", "{arguments:?}");
    }
    let (code, _, stderr) = TestServer::empty().run(&["apps"]);
    assert_eq!(code, 0, "an empty catalog");
    assert!(stderr.starts_with("The catalog has no apps\nhint: "), "{stderr}");
}

#[tokio::test]
async fn no_drift_is_good_news_unless_a_filter_is_misspelt() {
    let server = TestServer::with_records(&[label_and_cask("a", Some("Acme"), "1.0", "1.0")]).await;
    for arguments in
        [&["drift"][..], &["drift", "--vendor", "ACME", "--fail-on-drift"], &["drift", "a"]]
    {
        assert_eq!(server.run(arguments).0, 0, "{arguments:?}");
    }
    for filter in [["--vendor", "Amce"], ["--source", "label-tool"]] {
        let (code, stdout, stderr) = server.run(&["drift", filter[0], filter[1], "--json"]);
        let page: Value = serde_json::from_str(&stdout).unwrap();
        assert_eq!((code, &page["entries"]), (1, &json!([])), "{filter:?}");
        assert!(stderr.starts_with(&format!("No apps match {} '", filter[0])), "{stderr}");
        assert_eq!(server.run(&["drift", filter[0], filter[1], "--all"]).0, 1, "{filter:?}");
    }
}

#[tokio::test]
async fn a_misspelled_vendor_is_told_the_nearest_ones() {
    let server = TestServer::with_sample();
    let hint = "hint: no app has the vendor 'Mozila'; did you mean Mozilla?\n";
    for (arguments, code, says) in [
        (&["apps", "--vendor", "Mozila"][..], 1, "No apps match --vendor 'Mozila'\n"),
        (
            &["search", "--vendor", "Mozila", "firefox"],
            1,
            "No apps match 'firefox' with --vendor 'Mozila'\n",
        ),
    ] {
        assert_eq!(server.run(arguments), (code, String::new(), format!("{says}{hint}")));
    }
    let (code, _, stderr) = server.run(&["changes", "--vendor", "Mozila"]);
    assert!(code == 0 && stderr.starts_with(&format!("No changes found\n{hint}")), "{stderr}");
    let (_, _, stderr) = server.run(&["search", "--vendor", "Mozilla", "no such app at all"]);
    assert!(!stderr.contains("did you mean Mozilla"), "the vendor exists: {stderr}");
}

#[tokio::test]
async fn the_newest_changes_come_first_and_the_rest_is_counted() {
    let server = TestServer::empty();
    for slugs in [["a", "b", "c"], ["d", "e", "f"]] {
        for slug in slugs {
            assert_eq!(server.put_record(&record(slug)).await.status, 200);
        }
    }
    let shown = |arguments: &[&str]| {
        let (code, table, stderr) = server.run(&[&["changes"][..], arguments].concat());
        assert_eq!(code, 0, "{stderr}");
        let slugs = table.lines().skip(1).filter_map(|line| line.split_whitespace().nth(1));
        let slugs: Vec<&str> = slugs.collect();
        (slugs.join(" "), stderr.lines().next().unwrap_or_default().to_owned())
    };
    let newest = "showing the newest 3; use --limit or --since for older ones";
    assert_eq!(shown(&["--limit", "3"]), ("f e d".to_owned(), newest.to_owned()));
    let newest = "showing the newest 3 of 6; use --limit or --all";
    assert_eq!(shown(&["--limit", "3", "--since", "0"]), ("f e d".to_owned(), newest.to_owned()));
    let (all, first) = shown(&["--limit", "6"]);
    assert!(all == "f e d c b a" && first.starts_with("continue from here"), "{all}: {first}");
}

#[tokio::test]
async fn lists_say_which_apps_are_deprecated() {
    let server = TestServer::empty();
    let label = crate::sources::label_archive(&[(
        "aging",
        "    name=\"Aging\"\n    type=\"dmg\"\n    appNewVersion=\"2.0\"\n    downloadURL=\"https://example.com/Aging-2.0.dmg\"",
    )]);
    assert_eq!(server.put("/admin/sources/label_tool", label).await.status, 200);
    let mut aging = crate::sources::cask("aging", "1.0");
    aging["deprecated"] = json!(true);
    let casks = json!([aging, crate::sources::cask("good", "1.0")]).to_string();
    assert_eq!(server.put("/admin/sources/cask_catalog", casks).await.status, 200);
    for arguments in [&["apps"][..], &["apps", "--all"], &["apps", "--deprecated"], &["drift"]] {
        let (code, table, stderr) = server.run(arguments);
        assert_eq!(code, 0, "{arguments:?}: {stderr}");
        let mut lines = table.lines();
        assert!(lines.next().unwrap().ends_with("DEPRECATION"), "{table}");
        let aging = lines.find(|line| line.trim_start().starts_with("aging ")).unwrap();
        assert!(aging.ends_with("deprecated"), "{table}");
    }
    let (_, table, _) = server.run(&["apps", "--not-deprecated"]);
    assert!(!table.contains("DEPRECATION"), "{table}");
}

#[tokio::test]
async fn the_statistics_count_apps_of_all_five_sources() {
    let server = TestServer::with_sample();
    let (_, table, _) = server.run(&["stats"]);
    let status = server.get("/sources").await.json();
    let mut sources = status["sources"].as_array().unwrap().iter();
    let listings = sources.find(|status| status["source"] == "store_listing").unwrap();
    let line = table.lines().find(|line| line.contains("with an App Store listing")).unwrap();
    assert!(line.ends_with(&format!(" {}", listings["apps"])), "{line}");
}
