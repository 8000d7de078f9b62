//! `deploy/object-storage.sh`: the commands that it prints. Nothing is uploaded here.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use serde_json::json;

use crate::{
    exported::Exported,
    service::support::{TestServer, app, ndjson, record},
};

fn commands(exported: &Exported, last: Option<&Path>) -> Vec<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/object-storage.sh");
    let mut command = Command::new(script);
    command.arg(exported.path()).arg("s3://bucket/").args(last);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// The last word of a command.
fn key(command: &str) -> &str {
    let (_, key) = command.rsplit_once(" 's3://bucket/").unwrap();
    key.strip_suffix('\'').unwrap()
}

#[tokio::test]
async fn every_address_is_uploaded_once_and_later_only_what_differs() {
    let mut odd = app("odd");
    odd["vendor"] = json!("Ü & 100% 'x' 漢");
    let odd = json!({"app": odd, "sources": null});
    let live = TestServer::with_records(&[odd.clone(), record("gone")]).await;
    let exported = Exported::of_file(&live.store());
    exported.run().await;
    let all = commands(&exported, None);
    let keys: BTreeSet<&str> = all.iter().map(|command| key(command)).collect();
    assert_eq!((keys.len(), all.len()), (exported.entries().len(), keys.len()));
    for expected in [
        "index.html",
        "apps",
        "apps/odd",
        "apps/odd/sources",
        "badge/version/odd.svg",
        "apps/@pages/1000-0.json",
    ] {
        assert!(keys.contains(expected), "{expected}");
    }
    // Words are quoted for a shell.
    assert!(keys.contains(r"vendors/Ü & 100% '\''x'\'' 漢"), "{keys:?}");
    let app = all.iter().find(|command| key(command) == "apps/odd").unwrap();
    let release = exported.current();
    let cache = "public, max-age=300, stale-while-revalidate=3600";
    assert_eq!(
        *app,
        format!(
            "cp --raw --content-type 'application/json' --cache-control '{cache}' '{}/apps/odd/@index.json' 's3://bucket/apps/odd'",
            release.display()
        )
    );
    let position = |name: &str| all.iter().position(|command| key(command) == name).unwrap();
    assert!(position("apps/odd") < position("apps") && position("a/odd") < position("index.html"));

    let last = exported.path().with_extension("json");
    fs::copy(release.join("manifest.json"), &last).unwrap();
    assert_eq!(commands(&exported, Some(&last)), Vec::<String>::new());
    let removed = live.send(live.admin(reqwest::Method::DELETE, "/admin/records/gone")).await;
    assert_eq!(removed.status, 200);
    live.upload(&ndjson(&[odd])).await;
    exported.run().await;
    let changed = commands(&exported, Some(&last));
    let removals: Vec<&String> =
        changed.iter().filter(|command| command.starts_with("rm ")).collect();
    assert!(removals.contains(&&"rm --raw 's3://bucket/apps/gone'".to_owned()), "{removals:?}");
    assert!(changed.len() < all.len() && !changed.iter().any(|command| key(command) == "apps/odd"));
    assert!(changed.iter().any(|command| key(command) == "apps" && command.starts_with("cp ")));
}
