//! Three servers on one PostgreSQL database.

use std::{path::Path, sync::Arc};

use crate::{
    Finding,
    database::Database,
    report::{ReplicaPlan, ReplicaReport},
    run::{Run, in_new_folder},
    workload::disturb,
};

/// Runs servers, clients and faults, and checks everything.
pub async fn disturb_replicas(plan: &ReplicaPlan) -> Result<ReplicaReport, Finding> {
    in_new_folder(async |folder| in_folder(plan, folder).await).await
}

async fn in_folder(plan: &ReplicaPlan, folder: &Path) -> Result<ReplicaReport, Finding> {
    let database = Arc::new(Database::start().await?);
    let run = Run::start(&plan.program, &database.url, folder, plan.prints).await?;
    disturb(plan, &run, Some(&database)).await
}
