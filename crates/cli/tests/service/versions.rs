//! `GET /versions/compare` and `appstitch compare`.

use serde_json::json;

use crate::support::{Program, TestServer};

#[tokio::test]
async fn versions_are_ordered_by_the_rules_of_drift() {
    let server = TestServer::with_sample();
    for (a, b, order, rule) in [
        ("4.9", "v4.32", "older", None),
        ("4.32", "4.9", "newer", None),
        ("4.32.0", "v4.32", "same", Some("same_version")),
        ("5.7.3", "5.7.3,2320", "same", Some("build_on_one_side")),
        ("Build%204200", "4200", "same", Some("word_on_one_side")),
        ("2026-03-05", "4.2", "unknown", None),
        ("%24(date)", "4.2", "unknown", None),
    ] {
        let path = format!("/versions/compare?a={a}&b={b}");
        let response = server.get(&path).await;
        assert_eq!(response.status, 200, "{path}");
        assert_eq!(response.header("content-type"), "application/json");
        assert_eq!(response.header("cache-control"), "public, max-age=3600");
        let compared = response.json();
        assert_eq!(
            (&compared["order"], &compared["rule"]),
            (&json!(order), &json!(rule)),
            "{path}"
        );
    }
    assert_eq!(
        server.get("/versions/compare?a=v04.32.0&b=nightly").await.json(),
        json!({
            "a": {"version": "v04.32.0", "parsed_ok": true, "normal_form": "4.32"},
            "b": {"version": "nightly", "parsed_ok": false, "normal_form": null},
            "order": "unknown",
            "rule": null,
        })
    );
}

#[tokio::test]
async fn versions_that_are_missing_empty_or_too_long_are_rejected() {
    let server = TestServer::with_sample();
    let long = "1".repeat(257);
    for (query, kinds) in [
        (String::new(), vec![("a", "missing"), ("b", "missing")]),
        ("?a=1.0".to_owned(), vec![("b", "missing")]),
        ("?a=&b=1.0".to_owned(), vec![("a", "string_too_short")]),
        (format!("?a=1.0&b={long}"), vec![("b", "string_too_long")]),
    ] {
        let response = server.get(&format!("/versions/compare{query}")).await;
        assert_eq!(response.status, 422, "{query}");
        let detail = response.json()["detail"].clone();
        let faults: Vec<(&str, &str)> = detail
            .as_array()
            .unwrap()
            .iter()
            .map(|fault| (fault["loc"][1].as_str().unwrap(), fault["type"].as_str().unwrap()))
            .collect();
        assert_eq!(faults, kinds, "{query}");
    }
    let longest = "1".repeat(256);
    let path = format!("/versions/compare?a={longest}&b={longest}");
    assert_eq!(server.get(&path).await.json()["order"], "same");
}

#[test]
fn the_command_compares_without_a_server() {
    let run = |arguments: &[&str]| {
        let output = Program::command().arg("compare").args(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    };
    for (a, b, said) in [
        ("4.9", "4.32", "4.9 is older than 4.32\n"),
        ("4.32", "4.9", "4.32 is newer than 4.9\n"),
        ("5.7.3", "5.7.3,2320", "5.7.3 is the same release as 5.7.3,2320\n"),
        ("2026-03-05", "4.2", "2026-03-05 and 4.2 are different releases without a known order\n"),
    ] {
        assert_eq!(run(&[a, b]), (0, said.to_owned(), String::new()));
    }
    let (code, stdout, _) = run(&["4.9", "4.32", "--json"]);
    let compared: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, &compared["order"]), (0, &json!("older")));
    for arguments in [&["4.9"][..], &["", "4.9"], &[&"1".repeat(257), "4.9"]] {
        let (code, stdout, stderr) = run(arguments);
        assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
    }
}
