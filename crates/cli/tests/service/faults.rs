//! Publishing fails at each of its steps: with an error, with a panic, and with a crash.
//!
//! Afterwards the server serves exactly the old or the new revision, and the next upload works.
//! The right revisions come from a second server, which gets the same changes without a failure.

#![cfg(debug_assertions)]

mod fail_point;
mod following;
mod opening;
mod refreshing;
mod uploads;

pub(crate) use fail_point::{FailPoints, Failure, POINTS, Step, served_rows};

use std::process::Stdio;

use tempfile::TempDir;

use crate::support::{TOKEN, TestServer};

/// A server whose steps can be made to fail.
pub(crate) struct FaultyServer {
    pub(crate) server: TestServer,
    pub(crate) points: FailPoints,
    folder: TempDir,
}

impl FaultyServer {
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let points = FailPoints::in_folder(folder.path());
        let server = start(&folder, &points);
        Self { server, points, folder }
    }

    /// Starts it again on the same store after it crashed.
    pub(crate) fn restart(&mut self) {
        assert!(!self.server.wait().success(), "the server crashed");
        self.server = start(&self.folder, &self.points);
    }

    pub(crate) fn store(&self) -> std::path::PathBuf {
        self.folder.path().join("catalog.db")
    }
}

fn start(folder: &TempDir, points: &FailPoints) -> TestServer {
    TestServer::start(&folder.path().join("catalog.db"), &["--no-sample"], |command| {
        command.env("APPSTITCH_DEPLOY_TOKEN", TOKEN);
        points.apply(command);
        // The panics are expected.
        command.stderr(Stdio::null());
    })
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Served {
    /// The content hash in the token. The rest of the token is the time of the change.
    content: String,
    bodies: Vec<(String, String)>,
}

/// Everything that a server serves about its apps, from one revision.
pub(crate) async fn served(server: &TestServer) -> Served {
    loop {
        let before = server.etag().await;
        let mut paths =
            vec!["/apps?limit=1000".to_owned(), "/apps/drift".into(), "/apps/jamf-index".into()];
        // The list has every app; the details of some are enough.
        for slug in server.get(&paths[0]).await.slugs().into_iter().take(3) {
            for detail in ["", "/sources", "/provenance"] {
                paths.push(format!("/apps/{slug}{detail}"));
            }
        }
        let mut bodies = Vec::new();
        for path in paths {
            let body = server.get(&path).await.text().to_owned();
            bodies.push((path, body));
        }
        // The server may take over a committed revision at any time.
        if server.etag().await == before {
            let content = before.split('-').nth(1).unwrap_or_default().to_owned();
            return Served { content, bodies };
        }
    }
}
