//! Work of a few milliseconds in the middle of a request.

use tokio::{
    runtime::{Handle, RuntimeFlavor},
    task::block_in_place,
};

/// Does work that takes milliseconds. Meanwhile, another thread continues with the connections of
/// this one, if the server has several threads.
pub(crate) fn aside<T>(work: impl FnOnce() -> T) -> T {
    let flavor = Handle::try_current().map(|runtime| runtime.runtime_flavor());
    match flavor {
        Ok(RuntimeFlavor::MultiThread) => block_in_place(work),
        _ => work(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_thread_does_it_itself() {
        assert_eq!(aside(|| 1), 1);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn with_several_threads_another_one_continues() {
        assert_eq!(tokio::spawn(async { aside(|| 1) }).await.unwrap(), 1);
    }

    #[test]
    fn no_runtime_is_needed() {
        assert_eq!(aside(|| 1), 1);
    }
}
