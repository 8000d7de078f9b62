//! Two versions of the program on one store. The next version is this program with another migration,
//! newer rules and other bytes, which only test builds can pretend.

#![cfg(debug_assertions)]

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use appstitch_cluster::{database, query};
use rusqlite::Connection;

use crate::support::{Program, TOKEN, TestServer, record, run};

/// A server of the next version, which differs in these things.
fn next_version(address: &str, differences: &str) -> TestServer {
    TestServer::start_at(Program::command(), address, &["--no-sample"], |command| {
        command.env("APPSTITCH_DEPLOY_TOKEN", TOKEN);
        command.env("APPSTITCH_NEXT_VERSION", differences);
    })
}

fn sqlite(folder: &Path) -> String {
    format!("sqlite:{}", folder.join("catalog.db").display())
}

async fn is_acknowledged(server: &TestServer, slug: &str) {
    let response = server.put_record(&record(slug)).await;
    assert_eq!(response.status, 200, "{response:?}");
}

/// Checks that a server of the old version neither writes nor fails.
async fn is_refused(server: &TestServer, slug: &str) {
    let before = server.get("/apps?limit=1000").await;
    let response = server.put_record(&record(slug)).await;
    assert_eq!(
        (response.status.as_u16(), response.header("retry-after")),
        (503, "10"),
        "{response:?}"
    );
    assert!(response.detail().contains("newer version"), "{}", response.detail());
    assert!(response.detail().contains("upgrade this server"), "{}", response.detail());
    assert_eq!(server.get("/apps?limit=1000").await.body, before.body);
}

/// The numbers of all changes, which have no gap, and the apps that they lead to.
async fn journal(server: &TestServer) -> Vec<String> {
    let page = server.get("/changes?since=0&limit=1000").await.json();
    let changes = page["changes"].as_array().unwrap();
    let numbers: Vec<u64> = changes.iter().map(|change| change["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    let described = |change: &serde_json::Value| {
        format!("{} {}", change["kind"].as_str().unwrap(), change["slug"].as_str().unwrap())
    };
    changes.iter().map(described).collect()
}

/// Servers behind one address: a read fails only if none of them answers.
struct Balancer {
    ending: Arc<AtomicBool>,
    task: tokio::task::JoinHandle<usize>,
}

impl Balancer {
    fn read(bases: Arc<std::sync::Mutex<Vec<String>>>) -> Self {
        let ending = Arc::new(AtomicBool::new(false));
        let end = Arc::clone(&ending);
        let turn = AtomicUsize::new(0);
        let task = tokio::spawn(async move {
            let client = appstitch_network::client_builder().no_proxy().build().unwrap();
            let mut count = 0;
            while !end.load(Ordering::Relaxed) {
                let servers = bases.lock().unwrap().clone();
                let first = turn.fetch_add(1, Ordering::Relaxed);
                let mut is_answered = false;
                for step in 0..servers.len() {
                    let base = &servers[(first + step) % servers.len()];
                    // One that has just been stopped does not answer.
                    if let Ok(response) = client.get(format!("{base}/apps/a")).send().await {
                        assert_eq!(response.status(), 200, "of a server that runs");
                        is_answered = true;
                        break;
                    }
                }
                assert!(is_answered, "no server answers");
                count += 1;
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            count
        });
        Self { ending, task }
    }

    async fn end(self) -> usize {
        self.ending.store(true, Ordering::Relaxed);
        self.task.await.unwrap()
    }
}

#[tokio::test]
async fn servers_are_upgraded_one_by_one_without_a_failed_read_or_a_gap() {
    let url = database();
    let mut old = vec![TestServer::on_address(&url), TestServer::on_address(&url)];
    is_acknowledged(&old[0], "a").await;
    old[1].serves(&["a"]).await;
    let bases = Arc::new(std::sync::Mutex::new(Vec::new()));
    bases.lock().unwrap().extend(old.iter().map(|server| server.base.clone()));
    let balancer = Balancer::read(Arc::clone(&bases));

    // It migrates the store while the old ones run.
    let first = next_version(&url, "schema,rules,bytes");
    bases.lock().unwrap().push(first.base.clone());
    assert_eq!(query(&url, "SELECT max(version) FROM appstitch_schema_history"), "5");
    is_refused(&old[0], "by-old").await;
    is_acknowledged(&first, "b").await;
    old[0].serves(&["a", "b"]).await;
    old[1].serves(&["a", "b"]).await;
    is_refused(&old[1], "by-old").await;

    // The old version does not start again on the new schema, and says why.
    let (code, _, stderr) = run(&["serve", "--listen", "127.0.0.1:0", "--store", &url]);
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("schema 5"), "{stderr}");

    let mut new = vec![first];
    while let Some(mut server) = old.pop() {
        let base = server.base.clone();
        bases.lock().unwrap().retain(|known| *known != base);
        server.signal("-TERM");
        assert!(server.wait().success());
        new.push(next_version(&url, "schema,rules,bytes"));
        bases.lock().unwrap().push(new.last().unwrap().base.clone());
    }
    assert!(balancer.end().await > 0);
    is_acknowledged(&new[2], "c").await;
    for server in &new {
        server.serves(&["a", "b", "c"]).await;
        assert_eq!(server.etag().await, new[0].etag().await);
        // The new version has published once that it makes other bytes of the same record.
        assert_eq!(journal(server).await, ["added a", "changed a", "added b", "added c"]);
    }
}

#[tokio::test]
async fn a_file_that_a_newer_version_migrated_is_not_written_by_the_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let address = sqlite(folder.path());
    let old = TestServer::on_address(&address);
    is_acknowledged(&old, "a").await;
    let new = next_version(&address, "schema");
    is_refused(&old, "by-old").await;
    is_acknowledged(&new, "b").await;
    old.serves(&["a", "b"]).await;
    assert_eq!(journal(&new).await, ["added a", "added b"]);
    assert_eq!(journal(&old).await, ["added a", "added b"]);
}

/// Who made the served copies in the store, how many writes it has seen, and its newest token.
fn published(store: &Path) -> (String, i64, String) {
    let store = Connection::open(store).unwrap();
    let query = "SELECT (SELECT rules FROM served_by), (SELECT number FROM edition),
        (SELECT token FROM revision ORDER BY number DESC LIMIT 1)";
    store.query_row(query, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap()
}

#[tokio::test]
async fn two_versions_with_different_rules_do_not_overwrite_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let (address, file) = (sqlite(folder.path()), folder.path().join("catalog.db"));
    let old = TestServer::on_address(&address);
    is_acknowledged(&old, "a").await;
    let before = old.etag().await;
    let new = next_version(&address, "rules,bytes");
    let made = published(&file);
    assert_eq!(made.0, "9999.0.0+next", "the new version makes its copies once");
    assert!(new.etag().await.contains(&made.2));

    // Whoever starts or follows now writes nothing.
    let mut another_old = TestServer::on_address(&address);
    let another_new = next_version(&address, "rules,bytes");
    is_refused(&old, "by-old").await;
    is_refused(&another_old, "by-old").await;
    assert_eq!(published(&file), made);
    assert_eq!(another_new.etag().await, new.etag().await);
    assert_eq!(
        old.get("/apps/a").await.json()["name"],
        "A",
        "the old version serves its own bytes"
    );
    assert_eq!(new.get("/apps/a").await.json()["name"], "A (next)");
    let tag = old.etag().await;
    assert_eq!(tag.split('-').nth(1), before.split('-').nth(1), "under another token");
    assert_ne!(tag, new.etag().await);

    is_acknowledged(&new, "b").await;
    old.serves(&["a", "b"]).await;
    another_new.serves(&["a", "b"]).await;
    let made = published(&file);
    is_refused(&old, "by-old").await;
    another_old.kill();
    drop(TestServer::on_address(&address));
    assert_eq!(published(&file), made, "a restart of the old version changes nothing");
    assert_eq!(journal(&new).await, ["added a", "changed a", "added b"]);

    // An operator goes back: the copies count as made by nobody.
    drop((new, another_new, old));
    let connection = Connection::open(&file).unwrap();
    connection.execute("UPDATE served_by SET rules = ''", []).unwrap();
    let old = TestServer::on_address(&address);
    is_acknowledged(&old, "c").await;
    let expected = ["added a", "changed a", "added b", "changed a", "changed b", "added c"];
    assert_eq!(journal(&old).await, expected);
}

#[tokio::test]
async fn newer_rules_that_make_the_same_bytes_move_no_tag_and_report_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let address = sqlite(folder.path());
    let old = TestServer::on_address(&address);
    let mut app = record("a");
    app["app"]["bundle_id"] = "com.example.a".into();
    app["app"]["current_version"] = "1.0".into();
    assert_eq!(old.put_record(&app).await.status, 200);
    let new = next_version(&address, "rules");
    assert_eq!(published(&folder.path().join("catalog.db")).0, "9999.0.0+next");
    for path in ["/apps/a", "/apps/a/export/osquery", "/export/osquery.tar.gz", "/jamf/v1/patch/a"]
    {
        let (before, after) = (old.get(path).await, new.get(path).await);
        assert_eq!((after.status.as_u16(), &after.body), (200, &before.body), "{path}");
        assert_eq!(after.header("etag"), before.header("etag"), "{path}");
    }
    for path in ["/changes", "/feed.json", "/apps/a/feed.json"] {
        assert_eq!(new.get(path).await.body, old.get(path).await.body, "{path}");
    }
    assert_eq!(journal(&new).await, ["added a"]);
}

#[tokio::test]
async fn a_command_of_an_older_version_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let address = sqlite(folder.path());
    let new = next_version(&address, "rules");
    is_acknowledged(&new, "a").await;
    let records = folder.path().join("records.ndjson");
    std::fs::write(&records, record("b").to_string()).unwrap();
    let import = ["records", "import", &records.display().to_string(), "--store", &address];
    let (code, _, stderr) = run(&import);
    assert_ne!(code, 0);
    assert!(stderr.contains("a newer version of appstitch has taken over the store"), "{stderr}");
    assert_eq!(new.get("/apps").await.slugs(), ["a"]);
}
