//! One answer for all labels that ask the same in a run.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, PoisonError},
};

use appstitch_labels::{Response, Stopped};
use futures_util::{
    FutureExt as _,
    future::{BoxFuture, Shared},
};

pub(crate) type FetchResult = Result<Arc<Response>, Stopped>;

type Pending = Shared<BoxFuture<'static, FetchResult>>;

pub(crate) struct SharedResponses {
    state: Mutex<State>,
    most_bytes: usize,
}

#[derive(Default)]
struct State {
    answers: HashMap<String, Pending>,
    /// The finished answers with their sizes, oldest first.
    finished: VecDeque<(String, usize)>,
    bytes: usize,
}

impl SharedResponses {
    pub(crate) fn new(most_bytes: usize) -> Self {
        Self { state: Mutex::default(), most_bytes }
    }

    /// The answer with this key. `start` is called if it was not requested yet.
    pub(crate) fn get(
        &self,
        key: &str,
        start: impl FnOnce() -> BoxFuture<'static, FetchResult>,
    ) -> Pending {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = state.answers.get(key) {
            return answer.clone();
        }
        let answer = start().shared();
        state.answers.insert(key.to_owned(), answer.clone());
        answer
    }

    /// Counts a finished answer. The oldest are dropped when there are too many bytes; labels that
    /// already wait for them still get them.
    pub(crate) fn finished(&self, key: &str, answer: &FetchResult) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let size = size(answer) + key.len();
        state.finished.push_back((key.to_owned(), size));
        state.bytes += size;
        while state.bytes > self.most_bytes
            && let Some((key, size)) = state.finished.pop_front()
        {
            state.answers.remove(&key);
            state.bytes -= size;
        }
    }
}

fn size(answer: &FetchResult) -> usize {
    match answer {
        Ok(response) => {
            let headers = response.headers.iter().map(|(name, value)| name.len() + value.len());
            response.body.len() + headers.sum::<usize>()
        }
        Err(why) => why.to_string().len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(bytes: usize) -> Arc<Response> {
        Arc::new(Response { status: 200, body: "x".repeat(bytes), ..Response::default() })
    }

    fn ask(shared: &SharedResponses, key: &str, answer: FetchResult) -> bool {
        let mut started = false;
        let pending = shared.get(key, || {
            started = true;
            std::future::ready(answer).boxed()
        });
        let answer = pending.now_or_never().unwrap();
        if started {
            shared.finished(key, &answer);
        }
        started
    }

    #[test]
    fn an_answer_is_asked_for_once_even_if_it_failed() {
        let shared = SharedResponses::new(1000);
        assert!(ask(&shared, "a", Ok(page(10))) && !ask(&shared, "a", Ok(page(10))));
        let failed = || Err(Stopped::Network("no answer".to_owned()));
        assert!(ask(&shared, "b", failed()) && !ask(&shared, "b", failed()));
    }

    #[test]
    fn the_oldest_answers_are_dropped_when_there_are_too_many_bytes() {
        let shared = SharedResponses::new(1000);
        for key in ["a", "b", "c"] {
            assert!(ask(&shared, key, Ok(page(400))));
        }
        assert!(!ask(&shared, "c", Ok(page(400))) && !ask(&shared, "b", Ok(page(400))));
        assert!(ask(&shared, "a", Ok(page(400))));
        assert!(ask(&shared, "large", Ok(page(2000))) && ask(&shared, "large", Ok(page(2000))));
        let state = shared.state.lock().unwrap();
        assert_eq!((state.bytes, state.answers.len()), (0, 0));
    }
}
