//! A restore fails or crashes at each of its steps. Afterwards the store has the old or the new
//! contents.

use std::process::Stdio;

use super::{Scene, backup, put_casks, restored};
use crate::{
    faults::{FailPoints, Failure, POINTS},
    support::{Program, TestServer, run, run_ok},
};

#[tokio::test]
async fn a_restore_is_made_whole_or_not_at_all() {
    let scene = Scene::new();
    let points = FailPoints::in_folder(scene.path());
    for store in scene.new_stores("catalog.db") {
        let server = TestServer::on_address(&store);
        put_casks(&server, &[("one", "1.0"), ("two", "1.0")]).await;
        let (old, new) = (scene.file("old.backup"), scene.file("new.backup"));
        backup(&store, &old);
        put_casks(&server, &[("one", "2.0"), ("three", "1.0")]).await;
        backup(&store, &new);
        drop(server);
        let now = scene.file("now.backup");
        let mut reached = 0;
        for step in POINTS {
            for failure in Failure::ALL {
                restored(&store, &old, &["--replace"]);
                points.arm(step, failure);
                let mut command = Program::command();
                command.args(["restore", &new, "--replace", "--store", &store]);
                points.apply(&mut command);
                let status = command.stderr(Stdio::null()).status().unwrap();
                if !points.has_failed() {
                    continue;
                }
                reached += 1;
                assert!(!status.success(), "{step:?} {failure:?}");
                backup(&store, &now);
                let expected = if step.is_committed { &new } else { &old };
                let same = std::fs::read(&now).unwrap() == std::fs::read(expected).unwrap();
                assert!(same, "{step:?} {failure:?}");
            }
        }
        assert_eq!(reached, 12, "begin, write, commit and committed");
        run_ok(&["restore", &new, "--replace", "--store", &store]);
    }
}

/// A store that is not there before is there with everything afterwards, or not at all: a server would
/// fill an empty one with its sample.
#[tokio::test]
async fn a_restore_into_a_new_store_is_made_whole_or_not_at_all() {
    let scene = Scene::new();
    let points = FailPoints::in_folder(scene.path());
    let server = TestServer::with_sample();
    let file = scene.file("catalog.backup");
    backup(&format!("sqlite:{}", server.store().display()), &file);
    for store in scene.new_stores("new.db") {
        for step in ["migrate", "begin", "write", "commit"] {
            points.arm_named(step, Failure::Crash);
            let mut command = Program::command();
            command.args(["restore", &file, "--store", &store]);
            points.apply(&mut command);
            let status = command.stderr(Stdio::null()).status().unwrap();
            assert!(points.has_failed() && !status.success(), "{step}");
            let (code, _, stderr) = run(&["backup", &scene.file("none"), "--store", &store]);
            assert_eq!(code, 3, "{step}: {stderr}");
        }
        restored(&store, &file, &[]);
        let again = scene.file("again.backup");
        backup(&store, &again);
        assert!(std::fs::read(&again).unwrap() == std::fs::read(&file).unwrap(), "{store}");
    }
    let left: Vec<String> = std::fs::read_dir(scene.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with('.'))
        .collect();
    assert!(left.is_empty(), "the next restore removes what the killed ones left: {left:?}");
}
