//! One cluster, run by a shell that waits for commands. When its input ends, because the test process
//! has ended, the shell stops the server and removes the folder.

use std::{
    fs,
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{Mutex, PoisonError},
};

use crate::{execute, required_programs};

/// Reads commands: `start`, `stop`, `freeze`, `thaw`, `follow` with a folder, and `promote`. Prints the
/// folder, and then a line after each command.
const SCRIPT: &str = r#"
trap '' INT
PATH="$1:$PATH"
folder=$(mktemp -d /tmp/appstitch-postgres-XXXXXX) || exit 1
cd "$folder" || exit 1
start() { pg_ctl -D data -l log -w start >pg_ctl.log 2>&1 || { cat pg_ctl.log log >&2; exit 1; }; }
initdb -D data --auth=trust --no-sync -U appstitch -E UTF8 --locale=C >initdb.log 2>&1 || { cat initdb.log >&2; exit 1; }
configure() {
    cat >>data/postgresql.conf <<END
listen_addresses = '$1'
port = $2
unix_socket_directories = '$folder'
fsync = off
full_page_writes = off
shared_buffers = 32MB
END
}
configure "$3" "$2"
if [ -n "$3" ]; then
    {
        openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority \
            -keyout authority.key -out authority.crt &&
        openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout data/server.key -out server.csr &&
        echo subjectAltName=DNS:localhost >server.ext &&
        openssl x509 -req -in server.csr -CA authority.crt -CAkey authority.key -CAcreateserial -days 2 \
            -extfile server.ext -out data/server.crt
    } 2>openssl.log >&2 || { cat openssl.log >&2; exit 1; }
    chmod 600 data/server.key
    echo "ssl = on" >>data/postgresql.conf
    printf 'local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n' >data/pg_hba.conf
fi
start
echo "$folder"
while read -r command argument; do
    case "$command" in
        follow)
            pg_ctl -D data -m immediate -w stop >/dev/null 2>&1
            rm -rf data
            pg_basebackup -h "$argument" -p "$2" -U appstitch -D data -R -X stream -c fast 2>log || { cat log >&2; exit 1; }
            configure "$3" "$2"
            start ;;
        promote) pg_ctl -D data -w promote >pg_ctl.log 2>&1 || { cat pg_ctl.log >&2; exit 1; } ;;
        start) start ;;
        stop) pg_ctl -D data -m immediate -w stop >/dev/null 2>&1 ;;
        freeze) kill -STOP $(pgrep -P "$(head -1 data/postmaster.pid)") $(head -1 data/postmaster.pid) ;;
        thaw) kill -CONT $(pgrep -P "$(head -1 data/postmaster.pid)") $(head -1 data/postmaster.pid) ;;
    esac
    echo done
done
pg_ctl -D data -m immediate stop >/dev/null 2>&1
rm -rf "$folder"
"#;

/// A running cluster. Whoever can read its folder may connect to its socket as the user `appstitch`.
pub struct Cluster {
    shell: Mutex<Shell>,
    folder: PathBuf,
    port: u16,
}

/// The shell that runs the server.
struct Shell {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Shell {
    fn line(&mut self) -> String {
        let mut line = String::new();
        let _ = self.output.read_line(&mut line);
        line.trim().to_owned()
    }

    fn tell(&mut self, command: &str) -> io::Result<()> {
        self.input.as_mut().map_or(Ok(()), |input| writeln!(input, "{command}"))
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.process.wait();
    }
}

impl Cluster {
    /// Starts a cluster with a socket only.
    pub fn start() -> Self {
        Self::start_at("", 5432)
    }

    /// Starts a cluster that also has an encrypted port, with a certificate for `localhost`. There, the
    /// user `appstitch` needs the password `sesame`.
    pub fn start_encrypted() -> Self {
        let cluster = Self::start_at("127.0.0.1", free_port());
        execute(&cluster.url("postgres"), "ALTER USER appstitch PASSWORD 'sesame'");
        cluster
    }

    fn start_at(addresses: &str, port: u16) -> Self {
        let mut shell = Command::new("sh");
        if fs::metadata("/proc/self").is_ok_and(|metadata| is_root(&metadata)) {
            shell = Command::new("runuser");
            shell.args(["-u", "nobody", "--", "sh"]);
        }
        shell
            .args(["-c", SCRIPT, "sh"])
            .arg(required_programs())
            .arg(port.to_string())
            .arg(addresses);
        shell.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process =
            shell.spawn().unwrap_or_else(|error| panic!("cannot start PostgreSQL: {error}"));
        let Some(output) = process.stdout.take() else { panic!("the shell has no output") };
        let input = process.stdin.take();
        let mut shell = Shell { process, input, output: BufReader::new(output) };
        let folder = shell.line();
        assert!(!folder.is_empty(), "PostgreSQL did not start; see above");
        Self { shell: Mutex::new(shell), folder: folder.into(), port }
    }

    /// The folder of the cluster. The server's files are in `data`.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Creates a database and returns its URL.
    pub fn database(&self, name: &str) -> String {
        execute(&self.url("postgres"), &format!("CREATE DATABASE {name}"));
        self.url(name)
    }

    /// The URL of a database at the socket.
    pub fn url(&self, database: &str) -> String {
        let (folder, port) = (self.folder.display(), self.port);
        format!("postgres://appstitch@/{database}?host={folder}&port={port}")
    }

    /// The URL of a database at the encrypted port.
    pub fn encrypted_url(&self, host: &str, database: &str) -> String {
        format!("postgres://appstitch:sesame@{host}:{}/{database}", self.port)
    }

    pub fn socket(&self) -> PathBuf {
        self.folder.join(format!(".s.PGSQL.{}", self.port))
    }

    /// The certificate of the authority that signed the one of the encrypted port.
    pub fn authority(&self) -> PathBuf {
        self.folder.join("authority.crt")
    }

    /// Stops the server at once, as a crash would.
    pub fn stop(&self) {
        self.tell("stop");
    }

    pub fn start_again(&self) {
        self.tell("start");
    }

    /// Becomes a standby of another cluster, with a copy of its data. What was here before is gone.
    pub fn follow(&self, primary: &Self) {
        self.tell(&format!("follow {}", primary.folder.display()));
    }

    /// Makes a standby the primary server.
    pub fn promote(&self) {
        self.tell("promote");
    }

    /// The URL of a database on whichever of two clusters accepts writes.
    pub fn url_of_either(&self, other: &Self, database: &str) -> String {
        let (one, two, port) = (self.folder.display(), other.folder.display(), self.port);
        format!(
            "postgres://appstitch@/{database}?host={one},{two}&port={port}&target_session_attrs=read-write"
        )
    }

    /// Stops all processes of the server, so that nobody answers.
    pub fn freeze(&self) {
        self.tell("freeze");
    }

    /// Lets a frozen server go on.
    pub fn thaw(&self) {
        self.tell("thaw");
    }

    fn tell(&self, command: &str) {
        let mut shell = self.shell.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = shell.tell(command);
        assert!(sent.is_ok() && shell.line() == "done", "PostgreSQL did not {command}");
    }
}

fn free_port() -> u16 {
    let listener =
        std::net::TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr());
    listener.unwrap_or_else(|error| panic!("there is no free port: {error}")).port()
}

#[cfg(unix)]
fn is_root(metadata: &fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::uid(metadata) == 0
}

#[cfg(not(unix))]
fn is_root(_: &fs::Metadata) -> bool {
    false
}
