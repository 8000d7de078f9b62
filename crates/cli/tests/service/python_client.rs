//! The Python package as installed from a checkout: its tests, its types, and its models compared
//! with the OpenAPI document.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use appstitch_setup::{PYTHON, installed};

use crate::support::{Program, TOKEN, TestServer, succeed};

fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../clients/python").canonicalize().unwrap()
}

/// Installs the package to a folder; its dependencies are in the test environment.
fn install(python: &OsString, folder: &Path) {
    let wheels = folder.join("wheels");
    let build =
        ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir"];
    succeed(Command::new(python).args(build).arg(&wheels).arg(package()));
    let wheel = fs::read_dir(&wheels).unwrap().next().unwrap().unwrap().path();
    let name = wheel.file_name().unwrap().to_string_lossy().into_owned();
    assert_eq!(name, "appstitch-0.1.0-py3-none-any.whl", "one wheel for every Mac");
    let install = ["-m", "pip", "install", "--quiet", "--no-deps", "--target"];
    succeed(Command::new(python).args(install).arg(folder.join("site")).arg(wheel));
}

#[tokio::test]
async fn the_package_installs_passes_its_tests_and_has_sound_types() {
    let python = installed(PYTHON);
    let folder = tempfile::tempdir().unwrap();
    install(&python, folder.path());
    let site = folder.path().join("site");
    let openapi = folder.path().join("openapi.json");
    fs::write(&openapi, succeed(Program::command().arg("openapi"))).unwrap();
    let server = TestServer::with_sample();
    let uploads = TestServer::empty();
    let tests = succeed(
        Command::new(&python)
            .args(["-B", "-m", "pytest", "--quiet", "-p", "no:cacheprovider"])
            .arg(package().join("tests"))
            .env("PYTHONPATH", &site)
            .env("APPSTITCH_TEST_BASE", &server.base)
            .env("APPSTITCH_TEST_UPLOAD_BASE", &uploads.base)
            .env("APPSTITCH_TEST_TOKEN", TOKEN)
            .env("APPSTITCH_TEST_OPENAPI", &openapi),
    );
    println!("{}", tests.lines().last().unwrap_or_default());
    // Checks the types of the installed package, as users' type checkers see them.
    let cache = folder.path().join("mypy");
    succeed(
        Command::new(&python)
            .args(["-m", "mypy", "--strict", "--cache-dir"])
            .arg(&cache)
            .arg("--config-file")
            .arg(package().join("pyproject.toml"))
            .arg(site.join("appstitch"))
            .current_dir(folder.path()),
    );
    succeed(
        Command::new(&python)
            .args(["-m", "mypy", "--strict", "--cache-dir"])
            .arg(&cache)
            .args(
                ["server", "uploads", "faults", "generated", "licenses"]
                    .map(|name| package().join(format!("tests/test_{name}.py"))),
            )
            .env("MYPYPATH", &site)
            .current_dir(folder.path()),
    );
}
