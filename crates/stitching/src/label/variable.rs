//! Which variables a generated label may set.

/// Variables that the label tool sets and uses for itself.
const OF_THE_TOOL: [&str; 6] =
    ["currentUser", "currentUserID", "deferral", "label", "log_location", "tmpDir"];

/// The parameters of zsh and its modules that are not in capitals. Setting them changes how the
/// shell runs or what it runs; most of them need no more than a list of words for that.
const OF_THE_SHELL: [&str; 68] = [
    "aliases", "argv", "builtins", "cdpath", "commands", "dirstack", "dis_aliases", "dis_builtins",
    "dis_functions", "dis_functions_source", "dis_galiases", "dis_patchars", "dis_reswords",
    "dis_saliases", "epochtime", "errnos", "fignore", "fpath", "funcfiletrace", "funcsourcetrace",
    "funcstack", "functions", "functions_source", "functrace", "galiases", "histchars", "history",
    "historywords", "jobdirs", "jobstates", "jobtexts", "keymaps", "langinfo", "mailpath",
    "manpath", "mapfile", "module_path", "modules", "nameddirs", "options", "parameters",
    "patchars", "path", "pipestatus", "prompt", "psvar", "region_highlight", "reply", "reswords",
    "saliases", "signals", "status", "sysparams", "termcap", "terminfo", "userdirs", "usergroups",
    "watch", "widgets", "zcurses_attrs", "zcurses_colors", "zcurses_keycodes", "zcurses_windows",
    "zgdbm_tied", "zle_bracketed_paste", "zle_highlight", "zsh_eval_context",
    "zsh_scheduled_events",
];

/// Whether a generated label may set the variable. Uppercase names are settings of the shell and
/// the tool. Some labels set them temporarily; setting them permanently would do harm.
pub(super) fn is_labels_own(variable: &str) -> bool {
    let in_capitals = !variable.contains(|character: char| character.is_ascii_lowercase());
    !in_capitals
        && !OF_THE_TOOL.contains(&variable)
        && OF_THE_SHELL.binary_search(&variable).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parameters_of_the_shell_are_sorted_and_never_set() {
        assert!(OF_THE_SHELL.is_sorted());
        for name in ["galiases", "path", "PATH", "IFS", "_", "tmpDir", "mapfile", "widgets"] {
            assert!(!is_labels_own(name), "{name}");
        }
        for name in ["name", "pkgName", "blockingProcesses", "CLIArguments", "versionKey"] {
            assert!(is_labels_own(name), "{name}");
        }
    }
}
