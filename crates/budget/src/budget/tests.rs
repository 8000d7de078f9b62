use super::*;

#[test]
fn every_limit_but_that_of_bytes_ends_the_work() {
    let limits = Limits { bytes: 3, steps: 2, depth: 1, rows: 1, problems: 1, requests: 1 };
    let budget = || Budget::new(limits);
    let mut steps = budget();
    assert!(steps.step(2).is_ok());
    assert_eq!(steps.step(1), Err(Exceeded::Steps(2)));
    assert_eq!((steps.step(0), steps.row()), (steps.request(), Err(Exceeded::Steps(2))));
    let mut bytes = budget();
    assert_eq!(bytes.hold(4), Err(Exceeded::Bytes(3)));
    assert!(bytes.hold(3).is_ok() && bytes.hold_each(1, 1).is_err());
    bytes.release(2);
    assert!(bytes.hold(2).is_ok() && bytes.step(1).is_ok() && bytes.reached().is_none());
    bytes.release(usize::MAX);
    assert!(bytes.hold(4).is_err() && bytes.hold(3).is_ok());
    let (mut rows, mut requests, mut depth) = (budget(), budget(), budget());
    assert!(rows.row().is_ok() && requests.request().is_ok() && depth.enter().is_ok());
    depth.leave();
    depth.leave();
    assert!(depth.enter().is_ok());
    assert_eq!(rows.row(), Err(Exceeded::Rows(1)));
    assert_eq!(requests.request(), Err(Exceeded::Requests(1)));
    assert_eq!(depth.enter(), Err(Exceeded::Depth(1)));
    assert_eq!(depth.step(1), Err(Exceeded::Depth(1)));
    assert_eq!(depth.reached(), Some(Exceeded::Depth(1)));
    let mut problems = budget();
    assert!(problems.keeps_problem() && !problems.keeps_problem());
    assert!(problems.step(1).is_ok());
}

#[test]
fn a_flag_or_a_deadline_ends_the_work() {
    let stop = Arc::new(AtomicBool::new(false));
    let mut stopped = Budget::new(Limits::NONE).stopped_by(Arc::clone(&stop));
    assert!(stopped.step(1).is_ok());
    stop.store(true, Ordering::Relaxed);
    assert_eq!(stopped.step(1), Err(Exceeded::Time));
    let mut late = Budget::new(Limits::NONE).until(Instant::now());
    assert_eq!(late.step(1), Err(Exceeded::Time));
    assert_eq!(late.used(), Used::default());
}

#[test]
fn budgets_share_a_pool_and_give_back_what_they_took() {
    let pool = Pool::new(PIECE + 10);
    let mut first = Budget::new(Limits::NONE).within(&pool);
    let mut second = Budget::new(Limits::NONE).within(&pool);
    first.hold(1).unwrap();
    assert_eq!(pool.free(), 10, "bytes are taken in pieces");
    second.hold(10).unwrap();
    assert_eq!(second.hold(1), Err(Exceeded::Pool(PIECE + 10)));
    assert_eq!(second.reached(), None);
    drop(first);
    second.hold(1).unwrap();
    let clone = second.clone();
    drop(second);
    assert_eq!(pool.free(), pool.size());
    drop(clone);
    assert_eq!(pool.free(), pool.size());
}

#[test]
fn a_budget_that_releases_bytes_leaves_them_to_others() {
    let pool = Pool::new(100 * PIECE);
    let mut budget = Budget::new(Limits::NONE).within(&pool);
    for _ in 0..10 {
        budget.hold(80 << 18).unwrap();
        budget.release(80 << 18);
    }
    assert!(pool.free() >= 98 * PIECE, "{pool:?}");
}
