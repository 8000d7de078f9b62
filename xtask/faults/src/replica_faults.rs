//! Kills and pauses servers.

use appstitch_hostile::Chance;

use crate::{
    Finding,
    replica::Replica,
    run::{Run, milliseconds},
};

/// Disturbs one server after the other, and sometimes all of them, until the run ends. At the end, all
/// of them run.
pub(crate) async fn disturb_servers(run: &Run, mut chance: Chance) -> Result<(), Finding> {
    while !run.is_ending() {
        run.rest(milliseconds(&mut chance, 200, 4000)).await;
        if run.is_ending() {
            break;
        }
        let number = chance.below(run.replicas.len());
        let replica = &run.replicas[number];
        let name = &replica.name;
        match chance.below(10) {
            0..=4 => {
                let away = milliseconds(&mut chance, 0, 2000);
                run.tell_fault("SIGKILL server", &format!(": {name} for {away:?}"));
                replica.kill();
                tokio::time::sleep(away).await;
                replica.start().await?;
            }
            5..=8 => {
                let pause = milliseconds(&mut chance, 100, 8000);
                run.tell_fault("SIGSTOP server", &format!(": {name} for {pause:?}"));
                replica.pause();
                tokio::time::sleep(pause).await;
                replica.go_on();
            }
            _ => {
                let away = milliseconds(&mut chance, 0, 1000);
                run.tell_fault("SIGKILL all servers", &format!(" for {away:?}"));
                run.replicas.iter().for_each(Replica::kill);
                tokio::time::sleep(away).await;
                for replica in &run.replicas {
                    replica.start().await?;
                }
            }
        }
    }
    Ok(())
}
