//! The variables of a shell.

use std::{collections::BTreeMap, rc::Rc};

use super::value::Value;
use crate::Stopped;

/// The value of a variable, or why it is unknown.
pub(crate) type Variable = Result<Value, Stopped>;

/// Variables by name. A copy costs nothing until it is changed: subshells make many.
#[derive(Debug, Clone, Default)]
pub(crate) struct Variables(Rc<BTreeMap<String, Variable>>);

impl Variables {
    pub(crate) fn get(&self, name: &str) -> Option<&Variable> {
        self.0.get(name)
    }

    pub(crate) fn insert(&mut self, name: String, value: Variable) {
        Rc::make_mut(&mut self.0).insert(name, value);
    }

    pub(crate) fn remove(&mut self, name: &str) {
        if self.0.contains_key(name) {
            Rc::make_mut(&mut self.0).remove(name);
        }
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &Variable> {
        self.0.values()
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut Variable> {
        Rc::make_mut(&mut self.0).values_mut()
    }

    pub(crate) fn into_map(self) -> BTreeMap<String, Variable> {
        Rc::unwrap_or_clone(self.0)
    }
}
