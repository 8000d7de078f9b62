//! A server on a file, its mirror, and a mirror of the mirror.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::Path,
    process::Command,
};

use appstitch_hostile::Chance;

use crate::{
    Finding,
    replica::{Launch, Replica},
    report::{ReplicaPlan, ReplicaReport},
    run::{Run, in_new_folder},
    workload::disturb,
};

/// How often a mirror looks for a new revision: as often as it may.
const EVERY: &str = "5s";

/// No system gives these ports to connections, so a killed server finds its port free again.
const FIRST_PORT: usize = 20_000;
const PORTS: usize = 10_000;

/// Runs an origin, two mirrors in a row, clients and faults, and checks everything.
pub async fn disturb_mirrors(plan: &ReplicaPlan) -> Result<ReplicaReport, Finding> {
    in_new_folder(async |folder| in_folder(plan, folder).await).await
}

async fn in_folder(plan: &ReplicaPlan, folder: &Path) -> Result<ReplicaReport, Finding> {
    let key = folder.join("key");
    let public_key = new_key(&plan.program, &key)?;
    let mut chance = Chance::new(plan.seed);
    let mut before: Option<SocketAddr> = None;
    let mut servers = Vec::new();
    for name in ["origin", "mirror", "second mirror"] {
        let file = name.replace(' ', "-");
        let mut launch = Launch::new(
            vec![plan.program.display().to_string()],
            format!("sqlite:{}", folder.join(format!("{file}.db")).display()),
            folder.join(format!("{file}.log")),
        );
        launch.listen = free_address(&mut chance, before)?;
        launch.arguments = match before {
            None => vec!["--signing-key-file".to_owned(), key.display().to_string()],
            Some(origin) => {
                let origin = format!("http://{origin}");
                let follow = ["--mirror", &origin, "--key", &public_key, "--allow-private"];
                follow.into_iter().chain(["--mirror-every", EVERY]).map(str::to_owned).collect()
            }
        };
        before = Some(launch.listen);
        servers.push(Replica::new(format!("the {name}"), launch));
    }
    let run = Run::of(servers, 1, plan.prints).await?;
    disturb(plan, &run, None).await
}

/// Makes a signing key. Returns the public one.
fn new_key(program: &Path, file: &Path) -> Result<String, Finding> {
    let output = Command::new(program).args(["catalog", "new-key"]).arg(file).output()?;
    let printed = String::from_utf8_lossy(&output.stdout);
    match printed.lines().last() {
        Some(key) if output.status.success() => Ok(key.to_owned()),
        _ => Err(Finding::new(format!("there is no signing key: {output:?}"))),
    }
}

fn free_address(chance: &mut Chance, other: Option<SocketAddr>) -> Result<SocketAddr, Finding> {
    for _ in 0..100 {
        let port = u16::try_from(FIRST_PORT + chance.below(PORTS)).unwrap_or_default();
        let address = (Ipv4Addr::LOCALHOST, port).into();
        if Some(address) != other && TcpListener::bind(address).is_ok() {
            return Ok(address);
        }
    }
    Err(Finding::new("there is no free port"))
}
