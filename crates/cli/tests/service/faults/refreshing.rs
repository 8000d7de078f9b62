//! Failures of `appstitch refresh`.

use std::{path::Path, process::Output};

use super::{FailPoints, Failure, POINTS, served, served_rows};
use crate::support::{Program, TestServer, Upstream, casks, write_config};

fn refresh(store: &Path, config: &str, points: &FailPoints) -> Output {
    let mut command = Program::command();
    points.apply(&mut command);
    let store = format!("sqlite:{}", store.display());
    let arguments = ["refresh", "--store", &store, "--config", config, "--allow-private"];
    command.args(arguments).output().unwrap()
}

#[tokio::test]
async fn a_failed_refresh_leaves_one_whole_revision() {
    let folder = tempfile::tempdir().unwrap();
    let points = FailPoints::in_folder(folder.path());
    let [sound, faulty] = ["sound.db", "faulty.db"].map(|name| folder.path().join(name));
    let upstream = Upstream::start(casks(&["a", "b", "c", "d", "e"]));
    let address = vec![format!("{}/cask.json", upstream.base)];
    let config = write_config(folder.path(), &[("cask_catalog", address)]);
    for store in [&sound, &faulty] {
        assert!(refresh(store, &config, &points).status.success());
    }
    let mut number = 0;
    // A refresh parses files outside of the server.
    for step in &POINTS[1..] {
        for failure in Failure::ALL {
            number += 1;
            let old = served_rows(&sound);
            upstream.serve("", casks(&["a", "b", "c", "d", &format!("new-{number}")]));
            assert!(refresh(&sound, &config, &points).status.success());
            let new = served_rows(&sound);
            assert_ne!(old, new);

            points.arm(*step, failure);
            let output = refresh(&faulty, &config, &points);
            assert!(points.has_failed(), "{step:?} is a step of a refresh");
            let expected = if failure == Failure::Crash { None } else { Some(3) };
            assert_eq!(output.status.code(), expected, "{step:?} {failure:?}: {output:?}");
            let expected = if step.is_committed { &new } else { &old };
            assert_eq!(&served_rows(&faulty), expected, "{step:?} {failure:?}");

            let again = refresh(&faulty, &config, &points);
            assert!(again.status.success(), "{step:?} {failure:?}: {again:?}");
            assert_eq!(served_rows(&faulty), new, "{step:?} {failure:?}");
        }
    }
    let [sound, faulty] = [sound, faulty].map(|store| TestServer::on_store(&store));
    assert_eq!(served(&faulty).await, served(&sound).await);
}
