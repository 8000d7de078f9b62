//! Real labels need less than what every label may always use for its evaluation.

use std::fs;

use appstitch_labels::{Architecture, Budget, Label};
use appstitch_sources::label_tool;

#[test]
fn real_labels_need_less_than_their_allowance() {
    let Some([file]) = appstitch_setup::real_files(["data/label_tool/labels.tar.gz"]) else {
        return;
    };
    let archive = fs::read(file).unwrap();
    let (mut steps, mut bytes) = (0, 0);
    let fragments = label_tool::fragments(&archive).unwrap();
    for fragment in &fragments {
        let text = std::str::from_utf8(&fragment.body).unwrap();
        let label = Label::parse(text).unwrap();
        for architecture in [Architecture::Arm64, Architecture::I386] {
            let used = label.evaluate(architecture, Budget::default()).used;
            steps = steps.max(used.steps);
            bytes = bytes.max(used.bytes);
        }
    }
    println!("{} labels take at most {steps} steps and {bytes} bytes", fragments.len());
    assert!(steps < 20_000 && bytes < 14 << 10, "{steps} steps, {bytes} bytes");
}
