//! Kills, stops and pauses the database.

use std::{sync::Arc, time::Duration};

use appstitch_hostile::Chance;

use crate::{
    Finding,
    database::Database,
    processes::{Signal, send},
    run::{Run, milliseconds},
};

/// Disturbs the database until the run ends. At the end, it runs.
pub(crate) async fn disturb_database(
    run: &Run,
    database: &Arc<Database>,
    mut chance: Chance,
) -> Result<(), Finding> {
    while !run.is_ending() {
        run.rest(milliseconds(&mut chance, 500, 7000)).await;
        if run.is_ending() {
            break;
        }
        match chance.below(9) {
            0 | 1 => {
                let down = milliseconds(&mut chance, 0, 3000);
                run.tell_fault("SIGKILL database", &format!(" for {down:?}"));
                crash(database, Duration::ZERO, down).await?;
            }
            2 => {
                // The others have to notice that the main process is gone.
                let alone = milliseconds(&mut chance, 0, 1500);
                let text = format!(", the rest {alone:?} later");
                run.tell_fault("SIGKILL main process of the database", &text);
                crash(database, alone, Duration::ZERO).await?;
            }
            3 => {
                run.tell_fault("SIGKILL process of the database", "");
                // The main process then restarts all of them.
                send(any_process(database, &mut chance), Signal::KILL);
            }
            4 => {
                let process = any_process(database, &mut chance);
                let pause = milliseconds(&mut chance, 100, 8000);
                run.tell_fault("SIGSTOP process of the database", &format!(" for {pause:?}"));
                stop_for(process, pause).await;
            }
            5 => {
                let pause = milliseconds(&mut chance, 100, 8000);
                let text = format!(" for {pause:?}");
                run.tell_fault("SIGSTOP main process of the database", &text);
                stop_for(database.main_process(), pause).await;
            }
            6 => {
                let pause = milliseconds(&mut chance, 100, 8000);
                run.tell_fault("SIGSTOP database", &format!(" for {pause:?}"));
                database.signal_all(Signal::STOP);
                tokio::time::sleep(pause).await;
                database.signal_all(Signal::CONT);
            }
            7 => restart(run, database, "fast restart of the database", Signal::INT).await?,
            _ => restart(run, database, "immediate restart of the database", Signal::QUIT).await?,
        }
    }
    Ok(())
}

/// Any process other than the main one.
fn any_process(database: &Database, chance: &mut Chance) -> Option<u32> {
    let main = database.main_process();
    let others = database.processes().into_iter().filter(|process| Some(*process) != main);
    let others: Vec<u32> = others.collect();
    others.get(chance.below(others.len())).copied()
}

async fn stop_for(process: Option<u32>, pause: Duration) {
    send(process, Signal::STOP);
    tokio::time::sleep(pause).await;
    send(process, Signal::CONT);
}

/// Kills the main process and then all others, and starts the server again.
async fn crash(database: &Arc<Database>, alone: Duration, down: Duration) -> Result<(), Finding> {
    send(database.main_process(), Signal::KILL);
    tokio::time::sleep(alone).await;
    database.signal_all(Signal::KILL);
    database.wait_until_gone().await?;
    tokio::time::sleep(down).await;
    database.start_again().await
}

/// Stops the server with a signal to its main process, and starts it again.
async fn restart(
    run: &Run,
    database: &Arc<Database>,
    kind: &'static str,
    signal: Signal,
) -> Result<(), Finding> {
    run.tell_fault(kind, "");
    send(database.main_process(), signal);
    database.wait_until_gone().await?;
    database.start_again().await
}
