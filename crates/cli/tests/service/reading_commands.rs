//! The reading commands, with tables and with JSON.

use serde_json::Value;

use crate::support::{Program, TestServer, label_and_cask, run, run_ok};

#[tokio::test]
async fn json_is_what_the_route_says() {
    let server = TestServer::with_sample();
    for (arguments, path) in [
        (&["apps", "--json"][..], "/apps"),
        (
            &["apps", "--json", "--vendor", "mozilla", "--limit", "2", "--offset", "1"],
            "/apps?vendor=mozilla&limit=2&offset=1",
        ),
        (&["apps", "--json", "--all"], "/apps?limit=1000"),
        (&["apps", "--json", "--not-deprecated", "--limit", "3"], "/apps?deprecated=false&limit=3"),
        (&["app", "zoom", "--json"], "/apps/zoom"),
        (&["details", "zoom", "--json"], "/apps/zoom/details"),
        (&["alias", "Google-Chrome", "--json"], "/aliases/google-chrome"),
        (&["sources", "zoom", "--json"], "/apps/zoom/sources"),
        (&["sources", "--json"], "/sources"),
        (&["drift", "--json"], "/apps/drift"),
        (&["drift", "zoom", "--json"], "/apps/zoom/drift"),
        (
            &["drift", "--json", "--include", "mdm_installer,store_listing"],
            "/apps/drift?include=mdm_installer,store_listing",
        ),
        (
            &["drift", "vlc", "--json", "--include", "store_listing", "--include", "mdm_installer"],
            "/apps/vlc/drift?include=mdm_installer,store_listing",
        ),
        (&["stats", "--json"], "/stats"),
        (&["health", "--json"], "/health"),
        (&["search", "ZOOM", "--json"], "/search?q=zoom"),
        (
            &["search", "--json", "google", "chrom", "--vendor", "google", "--limit", "1"],
            "/search?q=google+chrom&vendor=Google&limit=1",
        ),
        (&["apps", "--json", "--slugs", "zoom,slack,nobody"], "/apps?slugs=slack,zoom"),
        (
            &["apps", "--json", "--install-method", "pkg", "--bundle-id", "com.google.chrome"],
            "/apps?install_method=pkg&bundle_id=com.google.Chrome",
        ),
        (&["apps", "--json", "--team-id", "bj4haab9b3"], "/apps?team_id=BJ4HAAB9B3"),
    ] {
        let (code, stdout, stderr) = server.run(arguments);
        assert_eq!(code, 0, "{arguments:?}: {stderr}");
        assert_eq!(stdout, format!("{}\n", server.get(path).await.text()), "{arguments:?}");
    }
    assert_eq!(server.run(&["search", "no such thing"]).0, 1);
    let long = "x".repeat(201);
    for (arguments, message) in [
        (&["search", long.as_str()][..], "q: "),
        (&["changes", "--since", "tomorrow"], "since: "),
        (&["changes", "--field", "bogus"], "'--field <FIELD>'\n  [possible values: slug, "),
        (&["apps", "--source", "homebrew"], "'--source <SOURCE>': expected label_tool ("),
        (&["apps", "--exclude-source", "x"], "'--exclude-source <SOURCE>': expected "),
        (&["search", "zoom", "--source", "x"], "'--source <SOURCE>': expected "),
    ] {
        let (code, _, stderr) = server.run(arguments);
        assert!(code == 2 && stderr.contains(message) && !stderr.contains('{'), "{code}: {stderr}");
    }
}

#[tokio::test]
async fn tables_are_plain_lines_for_other_programs() {
    let server = TestServer::with_sample();
    let (_, apps, _) = server.run(&["apps"]);
    let lines: Vec<&str> = apps.lines().collect();
    assert!(lines[0].trim_start().starts_with("SLUG"), "{apps}");
    assert_eq!(lines.len(), 1 + server.get("/apps").await.json().as_array().unwrap().len());
    assert!(!apps.contains('\u{1b}'), "no colors outside a terminal");
    for arguments in
        [&["app", "zoom"][..], &["sources", "zoom"], &["drift"], &["stats"], &["health"]]
    {
        let (code, table, stderr) = server.run(arguments);
        assert_eq!(code, 0, "{stderr}");
        assert!(table.lines().count() > 1 && !table.contains('\u{1b}'), "{table}");
    }
    let (_, sources, _) = server.run(&["sources"]);
    let lines: Vec<Vec<&str>> =
        sources.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["SOURCE", "ENTRIES", "APPS", "RECEIVED", "CHANGED", "REJECTED"]);
    assert_eq!((lines.len(), lines[1][0]), (6, "label_tool"), "{sources}");
    assert_eq!(lines[1][3..], ["-", "-", "-"], "the sample was never received");
    let (_, colored, _) = server.run(&["drift", "--color", "always"]);
    assert!(colored.contains('\u{1b}'), "{colored}");
}

#[tokio::test]
async fn exit_codes_tell_the_kind_of_answer() {
    let server = TestServer::with_sample();
    assert_eq!(server.run(&["drift", "--fail-on-drift"]).0, 1);
    assert_eq!(server.run(&["drift", "obsidian", "--fail-on-drift"]).0, 0);
    for command in ["app", "details", "sources", "drift", "label"] {
        let (code, stdout, stderr) = server.run(&[command, "obsidain"]);
        assert_eq!((code, stdout.as_str()), (1, ""), "{command}: {stderr}");
        assert_eq!(
            stderr, "error: App with slug 'obsidain' not found\nhint: did you mean obsidian?\n",
            "{command}"
        );
        assert_eq!(run(&[command, "x", "--server", "http://127.0.0.1:9"]).0, 3, "{command}");
    }
    assert_eq!(server.run(&["apps", "--limit", "0"]).0, 2);
    assert_eq!(server.run(&["apps", "--limit", "5", "--all"]).0, 2);
    assert_eq!(server.run(&["apps", "--deprecated", "--not-deprecated"]).0, 2);
    for include in ["recipe_index", "mdm_installer,x", "", ","] {
        assert_eq!(server.run(&["drift", "--include", include]).0, 2, "{include}");
    }
    assert_eq!(server.run(&["search", "zoom", "--limit", "0"]).0, 2);
    assert_eq!(run(&["apps", "--server", "not an address"]).0, 2);
}

#[tokio::test]
async fn watching_tells_when_drift_changes() {
    let server = TestServer::with_records(&[label_and_cask("a", None, "1.0", "2.0")]).await;
    let mut child = Program::command()
        .args(["drift", "--watch", "1", "--json", "--server", &server.base])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    let mut next =
        || -> Vec<Value> { serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap() };
    assert_eq!(next().len(), 1);
    let records =
        [label_and_cask("a", None, "1.0", "2.0"), label_and_cask("b", None, "1.0", "3.0")];
    let put =
        server.admin(reqwest::Method::PUT, "/admin/records").body(crate::support::ndjson(&records));
    assert_eq!(server.send(put).await.status, 200);
    assert_eq!(next().len(), 2, "printed again after a change");
    let _ = child.kill();
    let _ = child.wait();
}

#[test]
fn shells_and_man_know_every_command() {
    let manual = run_ok(&["man"]);
    for shell in ["bash", "zsh", "fish"] {
        let completions = run_ok(&["completions", shell]);
        for command in [
            "serve", "refresh", "mcp", "apps", "search", "details", "alias", "compare", "drift",
            "label", "stats", "health",
        ] {
            assert!(completions.contains(command), "{command} in {shell}");
            let heading = format!(".SH \"appstitch {command}\"\n");
            assert!(manual.contains(&heading), "{command} in the manual");
        }
    }
    assert!(!manual.contains("(1)"), "no reference to another page");
}
