//! A tablebase in the user's cache folder, built on first use.

use crate::build::remove_abandoned;
use crate::error::TablebaseError;
use agon_wire::engine::Control;
use etcetera::BaseStrategy;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The environment variable that names another cache folder; if it is empty, there is none.
pub const VARIABLE: &str = "AGON_CACHE";

/// The maximum time for which `isready` waits while the tablebase is built.
const WAIT: Duration = Duration::from_secs(10);

/// A build begins only in a program that is not told to end within this time.
const BEFORE_BUILDING: Duration = Duration::from_millis(500);

/// How often a wait looks whether the program ends.
const LOOK: Duration = Duration::from_millis(5);

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
    /// name and renames it; it continues an interrupted build.
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
    /// cannot be had, after [`WAIT`], or once `control` is stopped: whether it is open now and was not
    /// before. A build that the program's end interrupts is continued by the next program.
    pub fn prepare(&'static self, control: &Control) -> bool {
        let was_open = self.get().is_some();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let CacheState::Unused = *state {
            *state = CacheState::Opening;
            let control = control.clone();
            let started = std::thread::Builder::new().spawn(move || self.open_for_use(&control));
            if let Err(error) = started {
                log::warn!("playing without the endgame tablebase: {error}");
                *state = CacheState::Done(None);
            }
        }
        let from = Instant::now();
        while matches!(*state, CacheState::Opening) && !control.stopped() {
            if from.elapsed() >= WAIT {
                log::warn!("playing without the endgame tablebase until it is built");
                break;
            }
            let waited = self.changed.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(state);
        !was_open && self.get().is_some()
    }

    fn open_for_use(&self, control: &Control) {
        let table = self.open_or_build(control);
        let next = match table {
            Ok(table) => CacheState::Done(table.map(Arc::new)),
            Err(TablebaseError::Interrupted) => CacheState::Unused,
            Err(error) => {
                log::warn!("playing without the endgame tablebase: {error}");
                CacheState::Done(None)
            }
        };
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = next;
        self.changed.notify_all();
    }

    /// `None`: the user wants none.
    fn open_or_build(&self, control: &Control) -> Result<Option<T>, TablebaseError> {
        let Some(folder) = folder(std::env::var_os(VARIABLE))? else { return Ok(None) };
        let path = folder.join(self.name);
        if let Ok(table) = (self.open)(&path) {
            return Ok(Some(table));
        }
        // A program that ends at once begins nothing.
        let from = Instant::now();
        while from.elapsed() < BEFORE_BUILDING {
            if control.stopped() {
                return Err(TablebaseError::Interrupted);
            }
            std::thread::sleep(LOOK);
        }
        fs::create_dir_all(&folder).map_err(TablebaseError::io("creating", &folder))?;
        let lock_name = folder.join(format!("{}.lock", self.name));
        let lock = File::create(&lock_name).and_then(|lock| lock.lock().map(|()| lock));
        // The lock is released when the file is closed.
        let _lock = lock.map_err(TablebaseError::io("locking", &lock_name))?;
        remove_abandoned(&folder);
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
