//! `POST /apps/{slug}/generate-label`.

use serde_json::json;

use crate::support::{Program, TestServer, record};

#[tokio::test]
async fn a_label_holds_what_the_sources_tell_and_warns_of_the_rest() {
    let server = TestServer::with_sample();
    let response = server.post("/apps/obsidian/generate-label").await;
    assert_eq!(response.status, 200);
    let label = response.json();
    assert_eq!(label["label_name"], "obsidian");
    assert_eq!(label["content"]["name"], "Obsidian");
    assert_eq!(label["content"]["type"], "dmg");
    assert_eq!(label["sources_used"], json!(["cask_catalog"]));
    assert!(label["warnings"][0].as_str().unwrap().starts_with("expectedTeamID"));
    let keys: Vec<_> = label.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["label_name", "content", "sources_used", "warnings"]);
}

#[tokio::test]
async fn a_body_is_not_needed_and_not_minded() {
    let server = TestServer::with_sample();
    let request = server.request(reqwest::Method::POST, "/apps/zoom/generate-label").body("{}");
    assert_eq!(server.send(request).await.status, 200);
}

#[tokio::test]
async fn an_unknown_slug_is_404_and_no_source_detail_422() {
    let server = TestServer::with_records(&[record("leftover")]).await;
    let unknown = server.post("/apps/nobody/generate-label").await;
    assert_eq!(unknown.status, 404);
    assert_eq!(unknown.detail(), "App with slug 'nobody' not found");
    let leftover = server.post("/apps/leftover/generate-label").await;
    assert_eq!(leftover.status, 422);
    assert_eq!(leftover.detail(), "App 'leftover' has no source detail, cannot generate a label");
}

#[tokio::test]
async fn the_same_label_can_be_had_as_a_fragment() {
    let server = TestServer::with_sample();
    let request = server
        .request(reqwest::Method::POST, "/apps/obsidian/generate-label")
        .header("accept", "text/x-shellscript");
    let response = server.send(request).await;
    assert_eq!(response.status, 200);
    assert_eq!(response.header("content-type"), "text/x-shellscript; charset=utf-8");
    assert_eq!(response.header("vary"), "accept");
    let text = response.text();
    assert!(text.starts_with("obsidian)\n    # made by appstitch from Homebrew Cask\n"), "{text}");
    assert!(text.contains("    name=\"Obsidian\"\n") && text.ends_with("    ;;\n"), "{text}");
    assert!(text.contains("    # expectedTeamID: "), "{text}");
    let json = server.post("/apps/obsidian/generate-label").await;
    assert_eq!(json.header("content-type"), "application/json");

    let unknown = server
        .request(reqwest::Method::POST, "/apps/nobody/generate-label")
        .header("accept", "text/x-shellscript");
    let unknown = server.send(unknown).await;
    assert_eq!(unknown.status, 404);
    assert_eq!(unknown.header("content-type"), "application/json");
}

#[tokio::test]
async fn the_command_prints_a_label_in_three_forms() {
    let server = TestServer::with_sample();
    let run = |arguments: &[&str]| {
        let output = Program::command()
            .arg("label")
            .args(arguments)
            .args(["--server", &server.base])
            .output()
            .unwrap();
        (
            output.status.code().unwrap(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, table, warnings) = run(&["obsidian"]);
    assert_eq!(code, 0, "{warnings}");
    assert!(table.starts_with("name            Obsidian\n"), "{table}");
    assert!(warnings.starts_with("warning: expectedTeamID: "), "{warnings}");
    let (code, json, _) = run(&["obsidian", "--json"]);
    assert_eq!(code, 0);
    assert_eq!(json.trim_end(), server.post("/apps/obsidian/generate-label").await.text());
    let (code, shell, _) = run(&["obsidian", "--shell"]);
    assert_eq!(code, 0);
    assert!(shell.starts_with("obsidian)\n") && shell.ends_with(";;\n"), "{shell}");
    let (code, _, why) = run(&["nobody"]);
    assert_eq!((code, why.as_str()), (1, "error: App with slug 'nobody' not found\n"));
    let (code, _, why) = run(&["a/../b?c", "--shell"]);
    assert_eq!((code, why.as_str()), (1, "error: App with slug 'a/../b?c' not found\n"));
    assert_eq!(run(&["obsidian", "--shell", "--json"]).0, 2);
    let nobody = Program::command()
        .args(["label", "obsidian", "--server", "http://127.0.0.1:9"])
        .output()
        .unwrap();
    assert_eq!(nobody.status.code(), Some(3));
}
