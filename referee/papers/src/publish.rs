//! Prints a report and writes its page.

use agon_base::files;
use agon_claims::report::PaperReport;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Writes a text as [`files::write_whole`] does.
pub fn write_file(path: &Path, text: &str) -> Result<()> {
    files::write_whole(path, |out| out.write_all(text.as_bytes()))
        .with_context(|| format!("writing {}", path.display()))
}

/// As [`write_file`], for a page.
pub fn write_page(path: &Path, html: &str) -> Result<()> {
    write_file(path, html).context("the page")
}

/// Prints a report, and writes its page if requested.
pub fn publish(report: &PaperReport, out: Option<&Path>) -> Result<ExitCode> {
    print!("{}", report.text());
    if let Some(path) = out {
        write_page(path, &report.html())?;
        println!("page: {}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// The files of a reproduction that computes and plays no games.
#[derive(Clone, Debug, Default)]
pub struct ReportFiles {
    /// The folder of the engine program or of `lab`; `None`: the referee's folder.
    pub engine_dir: Option<PathBuf>,
    /// The page, if one is wanted.
    pub out: Option<PathBuf>,
}

impl ReportFiles {
    /// Checks the page, makes the report, prints it, and writes the page if requested.
    pub fn report(&self, make: impl FnOnce() -> Result<PaperReport>) -> Result<ExitCode> {
        self.out.as_deref().map_or(Ok(()), |out| check_page(out, None))?;
        publish(&make()?, self.out.as_deref())
    }
}

/// Refuses a page that cannot be written, before the work of hours that it would show.
pub fn check_page(page: &Path, log: Option<&Path>) -> Result<()> {
    let same = |a: &Path, b: &Path| match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    };
    if let Some(log) = log.filter(|log| same(page, log)) {
        bail!("{}: the page would overwrite the log; name another with --out", log.display());
    }
    if page.is_dir() {
        bail!("{}: the page is to be a file, and this is a folder", page.display());
    }
    let folder = files::folder_of(page);
    if !folder.is_dir() {
        bail!("{}: the page's folder does not exist", page.display());
    }
    // A link or a device is written in place.
    if !page.symlink_metadata().is_ok_and(|there| !there.is_file()) {
        let place = || format!("{}: the page cannot be written", page.display());
        files::public_temporary(folder).with_context(place)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_page_takes_the_place_of_an_older_one_whole_or_not_at_all() {
        let folder = tempfile::TempDir::new().unwrap();
        let page = folder.path().join("page.html");
        for text in ["old", "new"] {
            write_page(&page, text).unwrap();
            assert_eq!(fs::read_to_string(&page).unwrap(), text);
        }
        // A folder cannot become a page, and no temporary file remains.
        assert!(write_page(folder.path(), "x").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_page_is_readable_for_all_and_a_link_to_one_stays_a_link() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::TempDir::new().unwrap();
        let page = folder.path().join("page.html");
        write_page(&page, "old").unwrap();
        assert_ne!(fs::metadata(&page).unwrap().permissions().mode() & 0o044, 0);
        let link = folder.path().join("link.html");
        std::os::unix::fs::symlink(&page, &link).unwrap();
        write_page(&link, "through").unwrap();
        assert_eq!(fs::read_to_string(&page).unwrap(), "through");
        assert!(link.symlink_metadata().unwrap().is_symlink());
    }

    #[test]
    fn a_page_that_cannot_be_written_is_refused_by_name() {
        let folder = tempfile::TempDir::new().unwrap();
        let log = folder.path().join("log.jsonl");
        fs::write(&log, "x").unwrap();
        let error = |page: &Path| check_page(page, Some(&log)).unwrap_err().to_string();
        assert!(error(&folder.path().join("./log.jsonl")).contains("would overwrite the log"));
        assert!(error(folder.path()).contains("this is a folder"));
        let missing = folder.path().join("none/page.html");
        assert!(error(&missing).contains("none/page.html: the page's folder does not exist"));
        assert!(check_page(&folder.path().join("page.html"), Some(&log)).is_ok());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "the check leaves nothing");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_page_in_a_folder_that_takes_no_files_is_refused_and_a_device_is_not() {
        let error = check_page(Path::new("/proc/page.html"), None).unwrap_err().to_string();
        assert_eq!(error, "/proc/page.html: the page cannot be written");
        assert!(check_page(Path::new("/dev/null"), None).is_ok());
    }
}
