//! Runs labels in zsh, with the text tools of this machine and stand-ins for what only a Mac has.

use std::{
    collections::HashMap,
    fmt::Write as _,
    fs, io,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use tempfile::TempDir;

/// The programs that a label can reach, and how they are called here. Nothing else is available,
/// so that no label changes or loads anything.
const TOOLS: [(&str, &str); 22] = [
    ("awk", "original-awk"),
    ("basename", "basename"),
    ("cat", "cat"),
    ("cut", "cut"),
    ("dirname", "dirname"),
    ("echo", "echo"),
    ("egrep", "egrep"),
    ("grep", "grep"),
    ("head", "head"),
    ("jq", "jq"),
    ("node", "node"),
    ("perl", "perl"),
    ("python3", "python3"),
    ("rev", "rev"),
    ("sed", "sed"),
    ("sort", "sort"),
    ("tail", "tail"),
    ("tr", "tr"),
    ("uniq", "uniq"),
    ("xargs", "xargs"),
    ("xmllint", "xmllint"),
    ("xpath", "xpath"),
];

/// Behind every text that is reported.
const SEPARATOR: char = '\u{1e}';

pub(super) struct Run<'r> {
    pub(super) name: &'r str,
    /// The name by which the label is called.
    pub(super) argument: &'r str,
    pub(super) fragment: &'r str,
    pub(super) variables: Vec<String>,
    /// The recorded answers as JSON. Without them every request fails.
    pub(super) fixtures: Option<String>,
}

/// The values that zsh found, by the names of run and variable, and the requests of every run.
pub(super) struct ShellValues {
    pub(super) values: HashMap<(String, String), String>,
    pub(super) requests: HashMap<String, Vec<String>>,
}

/// A folder with everything that zsh needs.
pub(super) struct Zsh {
    program: PathBuf,
    folder: TempDir,
}

impl Zsh {
    /// Prepares a folder. `helpers` is the file with the functions of the tool.
    pub(super) fn new(program: PathBuf, helpers: &str) -> io::Result<Self> {
        let folder = tempfile::tempdir()?;
        let tools = folder.path().join("tools");
        fs::create_dir(&tools)?;
        for (name, installed) in TOOLS {
            let places = ["/usr/bin", "/bin"].map(|place| Path::new(place).join(installed));
            if let Some(place) = places.iter().find(|place| place.exists()) {
                symlink(place, tools.join(name))?;
            }
        }
        let curl = tools.join("curl");
        fs::write(
            &curl,
            format!("#!{}/python3 -ES\n{}", tools.display(), include_str!("curl.py")),
        )?;
        fs::set_permissions(&curl, fs::Permissions::from_mode(0o755))?;
        fs::write(folder.path().join("helpers.zsh"), helpers)?;
        fs::write(folder.path().join("mac.zsh"), include_str!("mac.zsh"))?;
        Ok(Self { program, folder })
    }

    /// Runs labels one after the other, each in a new shell.
    pub(super) fn run(&self, machine: &str, runs: &[Run<'_>]) -> io::Result<ShellValues> {
        let folder = self.folder.path();
        let inside = |name: &str| folder.join(name).display().to_string();
        let mut script = format!(
            "exec 3>&1 >/dev/null 2>&1 </dev/null\nsource {}\nsource {}\npath=({})\nexport FIXTURES REQUESTS\n",
            inside("helpers.zsh"),
            inside("mac.zsh"),
            inside("tools"),
        );
        for (number, run) in runs.iter().enumerate() {
            // Without their absolute paths, the tools of the folder are used.
            let fragment = run.fragment.replace("/usr/bin/", "").replace("/bin/curl", "curl");
            fs::write(folder.join(format!("{number}.sh")), fragment)?;
            fs::write(folder.join(format!("{number}.requests")), "")?;
            let curl = match &run.fixtures {
                Some(fixtures) => {
                    fs::write(folder.join(format!("{number}.json")), fixtures)?;
                    ""
                }
                None => "curl() { return 6 }\n",
            };
            // The trap reports also if the label exits.
            let written = write!(
                script,
                "(\n{curl}FIXTURES={0}.json\nREQUESTS={0}.requests\nlabel='{1}'\n\
                 trap \"report '{2}' {3}\" EXIT\n\
                 eval \"case \\$label in\n$(<{0}.sh)\nesac\"\n)\n",
                inside(&number.to_string()),
                run.argument,
                run.name,
                run.variables.join(" "),
            );
            written.map_err(io::Error::other)?;
        }
        let path = folder.join("run.zsh");
        fs::write(&path, script)?;
        let output = Command::new(&self.program)
            .arg("-f")
            .arg(&path)
            .current_dir(folder)
            .env_clear()
            // To find zsh itself: the script sets another path.
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .envs([("MACHINE", machine), ("LC_ALL", "C.UTF-8")])
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let mut words = text.split(SEPARATOR);
        let mut values = HashMap::new();
        while let (Some(run), Some(name), Some(value)) = (words.next(), words.next(), words.next())
        {
            values.insert((run.to_owned(), name.to_owned()), value.to_owned());
        }
        let mut requests = HashMap::new();
        for (number, run) in runs.iter().enumerate() {
            let log = fs::read_to_string(folder.join(format!("{number}.requests")))?;
            requests.insert(run.name.to_owned(), log.lines().map(str::to_owned).collect());
        }
        Ok(ShellValues { values, requests })
    }
}
