//! The program as a child process.

use std::{
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Child, Command, ExitStatus, Output, Stdio},
    time::{Duration, Instant},
};

use reqwest::{Method, RequestBuilder, redirect};
use serde_json::Value;
use tempfile::TempDir;

use super::{Response, ndjson};

/// The deploy token of test servers.
pub(crate) const TOKEN: &str = "open sesame";

/// The program, without the `APPSTITCH_*` settings of the caller.
pub(crate) struct Program;

/// Runs the program: its exit code, stdout and stderr.
pub(crate) fn run(arguments: &[&str]) -> (i32, String, String) {
    output(Program::command().args(arguments))
}

/// Runs the program, which must succeed: its stdout.
pub(crate) fn run_ok(arguments: &[&str]) -> String {
    succeed(Program::command().args(arguments))
}

/// Runs a command: its exit code, stdout and stderr.
pub(crate) fn output(command: &mut Command) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

/// Runs a command that must succeed: its stdout.
pub(crate) fn succeed(command: &mut Command) -> String {
    let (code, stdout, stderr) = output(command);
    assert_eq!(code, 0, "{command:?}\n{stdout}\n{stderr}");
    stdout
}

impl Program {
    pub(crate) fn command() -> Command {
        Self::prepare(Command::new(env!("CARGO_BIN_EXE_appstitch")))
    }

    /// The program after something that the shell does in the same process, such as `ulimit`.
    #[cfg(target_os = "linux")]
    pub(crate) fn command_after(shell: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", &format!(r#"{shell} && exec "$0" "$@""#)]);
        command.arg(env!("CARGO_BIN_EXE_appstitch"));
        Self::prepare(command)
    }

    pub(crate) fn prepare(mut command: Command) -> Command {
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("APPSTITCH_")) {
            command.env_remove(name);
        }
        command.env("APPSTITCH_LOG", "warn");
        // The tests keep all cores busy, so uploads at idle priority would starve.
        command.env("APPSTITCH_REFRESH_PRIORITY", "normal");
        command
    }
}

/// A server on a free port; it is killed when dropped.
pub(crate) struct TestServer {
    process: Child,
    pub(crate) base: String,
    client: reqwest::Client,
    /// The folder of the store, if it belongs to the server.
    folder: Option<TempDir>,
}

impl TestServer {
    /// A server with the sample catalog and uploads enabled.
    pub(crate) fn with_sample() -> Self {
        Self::with(&[])
    }

    pub(crate) fn empty() -> Self {
        Self::with(&["--no-sample"])
    }

    pub(crate) async fn with_records(records: &[Value]) -> Self {
        let server = Self::empty();
        assert_eq!(server.replace_records(records).await["problems"], serde_json::json!([]));
        server
    }

    /// A server on an existing store, or on a new one at this path.
    pub(crate) fn on_store(store: &Path) -> Self {
        Self::start(store, &["--no-sample"], |command| {
            command.env("APPSTITCH_DEPLOY_TOKEN", TOKEN);
        })
    }

    /// A server on a store at an address such as `postgres://…`.
    pub(crate) fn on_address(address: &str) -> Self {
        Self::start_at(Program::command(), address, &["--no-sample"], |command| {
            command.env("APPSTITCH_DEPLOY_TOKEN", TOKEN);
        })
    }

    /// A server with uploads enabled on a new store, which is removed with it.
    pub(crate) fn with(arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut server = Self::start(&folder.path().join("catalog.db"), arguments, |command| {
            command.env("APPSTITCH_DEPLOY_TOKEN", TOKEN);
        });
        server.folder = Some(folder);
        server
    }

    /// Keeps a folder with its store as long as the server runs.
    pub(crate) fn keep(&mut self, folder: TempDir) {
        self.folder = Some(folder);
    }

    /// The store file of a server with its own store.
    pub(crate) fn store(&self) -> std::path::PathBuf {
        self.folder.as_ref().unwrap().path().join("catalog.db")
    }

    /// Starts the program and waits until it prints its address.
    pub(crate) fn start(store: &Path, arguments: &[&str], set: impl FnOnce(&mut Command)) -> Self {
        Self::start_command(Program::command(), store, arguments, set)
    }

    /// The same with another way to start the program.
    pub(crate) fn start_command(
        command: Command,
        store: &Path,
        arguments: &[&str],
        set: impl FnOnce(&mut Command),
    ) -> Self {
        Self::start_at(command, &format!("sqlite:{}", store.display()), arguments, set)
    }

    pub(crate) fn start_at(
        mut command: Command,
        address: &str,
        arguments: &[&str],
        set: impl FnOnce(&mut Command),
    ) -> Self {
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--store", address])
            .args(arguments)
            .stdout(Stdio::piped());
        set(&mut command);
        let mut process = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let base = line
            .trim_end()
            .strip_prefix("listening on ")
            .unwrap_or_else(|| panic!("unexpected first line: {line:?}"))
            .to_owned();
        let client = appstitch_network::client_builder()
            // The tests check bodies as sent.
            .no_gzip()
            .no_zstd()
            .redirect(redirect::Policy::none())
            .build()
            .unwrap();
        Self { process, base, client, folder: None }
    }

    pub(crate) fn address(&self) -> &str {
        self.base.strip_prefix("http://").unwrap()
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    pub(crate) async fn send(&self, request: RequestBuilder) -> Response {
        Response::read(request.send().await.unwrap()).await
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        self.send(self.request(Method::GET, path)).await
    }

    pub(crate) async fn get_with(&self, path: &str, header: &str, value: &str) -> Response {
        self.send(self.request(Method::GET, path).header(header, value)).await
    }

    pub(crate) async fn post(&self, path: &str) -> Response {
        self.send(self.request(Method::POST, path)).await
    }

    /// An admin request with the right token.
    pub(crate) fn admin(&self, method: Method, path: &str) -> RequestBuilder {
        self.request(method, path).bearer_auth(TOKEN)
    }

    pub(crate) async fn put(&self, path: &str, body: impl Into<reqwest::Body>) -> Response {
        self.send(self.admin(Method::PUT, path).body(body)).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Response {
        self.send(self.admin(Method::DELETE, path)).await
    }

    /// Adds or replaces one manual record.
    pub(crate) async fn put_record(&self, record: &Value) -> Response {
        let slug = record["app"]["slug"].as_str().unwrap();
        self.put(&format!("/admin/records/{slug}"), record.to_string()).await
    }

    /// Replaces the manual records; the upload may be refused.
    pub(crate) async fn upload(&self, ndjson: &str) -> Response {
        self.put("/admin/records", ndjson.to_owned()).await
    }

    /// Replaces the manual records, also by fewer ones; returns the summary.
    pub(crate) async fn replace_records(&self, records: &[Value]) -> Value {
        let response = self.put("/admin/records?allow_shrink=true", ndjson(records)).await;
        assert_eq!(response.status, 200, "{response:?}");
        response.json()
    }

    /// Runs a command that reads from this server: its exit code, stdout and stderr.
    pub(crate) fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        run(&[arguments, &["--server", &self.base]].concat())
    }

    /// Waits until the server, which follows its store, serves these apps.
    pub(crate) async fn serves(&self, slugs: &[&str]) {
        let served = async || self.get("/apps").await.slugs() == slugs;
        eventually(&format!("{slugs:?} are never served"), served).await;
    }

    /// Waits until the server, which follows its store, serves a revision.
    pub(crate) async fn follows(&self, etag: &str) {
        eventually(&format!("{etag} is never served"), async || self.etag().await == etag).await;
    }

    /// The entity tag of the served catalog.
    pub(crate) async fn etag(&self) -> String {
        self.get("/apps?limit=1").await.header("etag").to_owned()
    }

    #[cfg(target_os = "linux")]
    pub(crate) fn process_id(&self) -> u32 {
        self.process.id()
    }

    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    pub(crate) fn signal(&self, name: &str) {
        let sent =
            Command::new("kill").args([name, &self.process.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    pub(crate) fn wait(&mut self) -> ExitStatus {
        let started = Instant::now();
        while started.elapsed() < Duration::from_mins(1) {
            if let Some(status) = self.process.try_wait().unwrap() {
                return status;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("the server did not stop");
    }

    /// The stderr of the process after its exit; stderr must be piped.
    pub(crate) fn stderr(&mut self) -> String {
        let mut text = String::new();
        self.process.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        text
    }
}

/// Waits for at most a minute.
pub(crate) async fn eventually(otherwise: &str, is_reached: impl AsyncFn() -> bool) {
    let started = Instant::now();
    while !is_reached().await {
        assert!(started.elapsed() < Duration::from_mins(1), "{otherwise}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        // Only now can the folder of the store be removed.
        drop(self.folder.take());
    }
}
