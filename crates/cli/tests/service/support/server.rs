//! The program as a child process.

use std::{
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use reqwest::{Method, RequestBuilder, redirect};
use serde_json::Value;
use tempfile::TempDir;

use super::{Answer, ndjson};

/// The deploy token of test servers.
pub(crate) const TOKEN: &str = "open sesame";

/// The program, without the `APPSTITCH_*` settings of the caller.
pub(crate) struct Program;

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

    fn prepare(mut command: Command) -> Command {
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
        Self::in_new_folder(&[])
    }

    /// An empty server with uploads enabled.
    pub(crate) fn empty() -> Self {
        Self::in_new_folder(&["--no-sample"])
    }

    /// A server with these records.
    pub(crate) async fn with_records(records: &[Value]) -> Self {
        let server = Self::empty();
        let put =
            server.admin(Method::PUT, "/admin/records?allow_shrink=true").body(ndjson(records));
        let answer = server.send(put).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.json()["problems"], serde_json::json!([]));
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

    fn in_new_folder(arguments: &[&str]) -> Self {
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

    /// The same for a store at an address.
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
        let client = appstitch_tls::client_builder()
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

    pub(crate) async fn send(&self, request: RequestBuilder) -> Answer {
        Answer::read(request.send().await.unwrap()).await
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path)).await
    }

    pub(crate) async fn get_with(&self, path: &str, header: &str, value: &str) -> Answer {
        self.send(self.request(Method::GET, path).header(header, value)).await
    }

    pub(crate) async fn post(&self, path: &str) -> Answer {
        self.send(self.request(Method::POST, path)).await
    }

    /// An admin request with the right token.
    pub(crate) fn admin(&self, method: Method, path: &str) -> RequestBuilder {
        self.request(method, path).bearer_auth(TOKEN)
    }

    /// Replaces the manual records.
    pub(crate) async fn upload(&self, ndjson: &str) -> Answer {
        self.send(self.admin(Method::PUT, "/admin/records").body(ndjson.to_owned())).await
    }

    /// The entity tag of the served catalog.
    pub(crate) async fn etag(&self) -> String {
        self.get("/apps?limit=1").await.header("etag").to_owned()
    }

    /// The process id.
    #[cfg(target_os = "linux")]
    pub(crate) fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Kills the process.
    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Sends a signal to the process.
    pub(crate) fn signal(&self, name: &str) {
        let sent =
            Command::new("kill").args([name, &self.process.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// Waits for the process to exit.
    pub(crate) fn wait(&mut self) -> ExitStatus {
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(20) {
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

impl Drop for TestServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        // Only now can the folder of the store be removed.
        drop(self.folder.take());
    }
}
