//! A tablebase in the user's cache folder, built on first use.

use crate::error::TablebaseError;
use etcetera::BaseStrategy;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// The environment variable that names another cache folder; if it is empty, there is none.
pub const VARIABLE: &str = "AGON_CACHE";

/// The maximum time for which `isready` waits while the tablebase is built.
const WAIT: Duration = Duration::from_secs(10);

/// A tablebase that a program opens once. The first program that needs the file builds it; others
/// wait for it.
#[derive(Debug)]
pub struct CachedTablebase<T> {
    state: Mutex<CacheState<T>>,
    changed: Condvar,
    /// The name of the file.
    name: &'static str,
    open: fn(&Path) -> Result<T, TablebaseError>,
    build: fn(&Path) -> Result<(), TablebaseError>,
}

#[derive(Debug)]
enum CacheState<T> {
    Unused,
    Opening,
    /// `None`: it cannot be had.
    Done(Option<Arc<T>>),
}

impl<T: Send + Sync> CachedTablebase<T> {
    /// A tablebase in the file `name` of the cache folder. `build` writes the file under another
    /// name and renames it.
    pub const fn new(
        name: &'static str,
        open: fn(&Path) -> Result<T, TablebaseError>,
        build: fn(&Path) -> Result<(), TablebaseError>,
    ) -> CachedTablebase<T> {
        let state = Mutex::new(CacheState::Unused);
        CachedTablebase { state, changed: Condvar::new(), name, open, build }
    }

    /// The tablebase, if it is open.
    pub fn get(&self) -> Option<Arc<T>> {
        match &*self.state.lock().unwrap_or_else(PoisonError::into_inner) {
            CacheState::Done(table) => table.clone(),
            CacheState::Unused | CacheState::Opening => None,
        }
    }

    /// Opens the tablebase; builds it in another thread if there is none. Returns when it is open or
    /// cannot be had, or after [`WAIT`]: whether it is open now and was not before.
    pub fn prepare(&'static self) -> bool {
        let was_open = self.get().is_some();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let CacheState::Unused = *state {
            *state = CacheState::Opening;
            std::thread::spawn(|| {
                let table = self.open_or_build();
                if let Err(error) = &table {
                    log::warn!("playing without the endgame tablebase: {error}");
                }
                let done = CacheState::Done(table.ok().flatten().map(Arc::new));
                *self.state.lock().unwrap_or_else(PoisonError::into_inner) = done;
                self.changed.notify_all();
            });
        }
        let opening = |state: &mut CacheState<T>| matches!(state, CacheState::Opening);
        let waited = self.changed.wait_timeout_while(state, WAIT, opening);
        if waited.unwrap_or_else(PoisonError::into_inner).1.timed_out() {
            log::warn!("playing without the endgame tablebase until it is built");
        }
        !was_open && self.get().is_some()
    }

    /// `None`: the user wants none.
    fn open_or_build(&self) -> Result<Option<T>, TablebaseError> {
        let Some(folder) = folder(std::env::var_os(VARIABLE))? else { return Ok(None) };
        let path = folder.join(self.name);
        if let Ok(table) = (self.open)(&path) {
            return Ok(Some(table));
        }
        fs::create_dir_all(&folder).map_err(TablebaseError::io("creating", &folder))?;
        let lock_name = folder.join(format!("{}.lock", self.name));
        let lock = File::create(&lock_name).and_then(|lock| lock.lock().map(|()| lock));
        // The lock is released when the file is closed.
        let _lock = lock.map_err(TablebaseError::io("locking", &lock_name))?;
        let table = (self.open)(&path).or_else(|_| {
            log::info!("building the endgame tablebase {}", path.display());
            (self.build)(&path)?;
            (self.open)(&path)
        })?;
        Ok(Some(table))
    }
}

/// The folder for tablebases: the one given, or that of the user; `None` if the one given is empty.
fn folder(given: Option<OsString>) -> Result<Option<PathBuf>, TablebaseError> {
    match given {
        Some(name) => Ok((!name.is_empty()).then(|| PathBuf::from(name))),
        None => match etcetera::base_strategy::choose_native_strategy() {
            Ok(folders) => Ok(Some(folders.cache_dir().join("agon"))),
            Err(error) => Err(TablebaseError::Refused(format!("no cache folder: {error}"))),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_the_one_given_or_that_of_the_user() {
        assert_eq!(folder(Some("where".into())).unwrap(), Some(PathBuf::from("where")));
        assert_eq!(folder(Some(OsString::new())).unwrap(), None);
        assert!(folder(None).unwrap().is_some_and(|folder| folder.ends_with("agon")));
    }
}
