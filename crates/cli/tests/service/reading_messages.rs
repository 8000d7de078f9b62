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
        (&["apps", "--vendor", "No One"][..], "No apps match --vendor 'No One'\n"),
        (&["apps", "--source", "nothing", "--all"], "No apps match --source 'nothing'\n"),
        (&["apps", "--vendor", "x", "--all", "--offset", "9"], "No apps match --vendor 'x'\n"),
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
