use appstitch_publish::Tally;

use super::*;

const HOUR: Duration = Duration::from_hours(1);

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn tried() -> SourceRefresh {
    let tried_at = time("2026-03-05T06:00:00Z");
    let known = received_before(Upstream::CaskCatalog, tried_at, Some(2), HOUR);
    let (failures, why) = (1, Some(NOT_ENDED.to_owned()));
    SourceRefresh { next_at: due::next(HOUR, tried_at, 1, 0.0), failures, why, ..known }
}

fn report(result: FileResult) -> FileReport {
    FileReport { upstream: Upstream::CaskCatalog, address: "https://a.example".to_owned(), result }
}

fn settled(reports: &[FileReport]) -> SourceRefresh {
    let mut refresh = tried();
    settle(&mut refresh, reports.iter(), time("2026-03-05T06:01:00Z"), HOUR, 0.0);
    refresh
}

#[test]
fn a_success_is_due_an_interval_after_it_began() {
    let mut tally = Tally::default();
    tally.received = 9;
    for number in 0..7 {
        tally.refuse(format!("entry {number}"), "no name".to_owned());
    }
    let refresh = settled(&[report(FileResult::Read(tally)), report(FileResult::Unchanged)]);
    assert_eq!((refresh.failures, refresh.why), (0, None));
    assert_eq!(refresh.next_at, time("2026-03-05T07:00:00Z"));
    assert_eq!((refresh.entries, refresh.rejected), (Some(9), Some(7)));
    let rejects: Vec<UploadProblem> = serde_json::from_str(&refresh.rejects).unwrap();
    assert_eq!((rejects.len(), rejects[4].what.as_str()), (5, "entry 4"));
}

#[test]
fn a_failure_is_due_after_a_pause_or_when_the_server_allows_it() {
    let failed = |wait: Option<u64>| {
        let wait = wait.map(Duration::from_mins);
        let failure =
            FetchFailure { why: "at 10.0.0.1".to_owned(), public: "busy".to_owned(), wait };
        settled(&[report(FileResult::Unchanged), report(FileResult::Failed(failure))])
    };
    let refresh = failed(None);
    assert_eq!((refresh.failures, refresh.why.as_deref()), (1, Some("busy")));
    assert_eq!(refresh.next_at, time("2026-03-05T06:06:00Z"), "five minutes after it failed");
    assert_eq!(refresh.rejected, Some(2), "what is known stays");
    assert_eq!(failed(Some(90)).next_at, time("2026-03-05T07:31:00Z"));
    assert_eq!(settled(&[]).next_at, time("2026-03-05T06:06:00Z"));
    assert_eq!(settled(&[]).failures, 1, "an attempt without a result is a failure");
}

#[test]
fn a_table_that_is_not_there_is_no_failure() {
    let refresh = settled(&[report(FileResult::Nothing("no table".to_owned()))]);
    assert_eq!((refresh.failures, refresh.why), (0, None));
}

#[test]
fn another_interval_counts_from_the_last_attempt() {
    let refresh = SourceRefresh { failures: 0, ..tried() };
    assert_eq!(due_at(&refresh, HOUR), time("2026-03-05T07:00:00Z"), "never earlier");
    let refresh = SourceRefresh { next_at: time("2026-03-12T06:00:00Z"), ..refresh };
    assert_eq!(due_at(&refresh, HOUR), time("2026-03-05T07:06:00Z"), "and not much later");
    let refresh = SourceRefresh { failures: 3, ..refresh };
    assert_eq!(due_at(&refresh, HOUR), refresh.next_at);
}

#[test]
fn an_attempt_under_way_is_not_told_as_a_failure() {
    let after = |minutes: i64| {
        let now = tried().tried_at + SignedDuration::from_mins(minutes);
        let told = told(vec![tried()], now, None).remove(0);
        (told.failures, told.why)
    };
    assert_eq!(after(59), (0, None));
    assert_eq!(after(60), (1, Some(NOT_ENDED.to_owned())), "the process was killed");
    let failed = SourceRefresh { why: Some("busy".to_owned()), ..tried() };
    assert_eq!(told(vec![failed.clone()], failed.tried_at, None), [failed]);
}

#[test]
fn what_was_tried_in_the_future_is_due_at_once() {
    let tried_at = Timestamp::now() + SignedDuration::from_hours(24 * 3650);
    for failures in [0, 1] {
        let refresh = received_before(Upstream::CaskCatalog, tried_at, None, HOUR);
        assert_eq!(due_at(&SourceRefresh { failures, ..refresh }, HOUR), Timestamp::MIN);
    }
}
