//! Server-sent events: named topics, of which each listener gets the latest state at once and then
//! every change. A slow listener skips states but always gets the newest one.

use super::answer::Refusal;
use agon_games::phrase::phrase;
use agon_games::text::visible;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;

/// Number of changes for which an ended topic is remembered.
const MEMORY: u64 = 1000;

/// Maximum number of pages that listen to one feed.
const MAX_LISTENERS: usize = 64;

/// How often a stream without events looks whether its page is still there.
const LOOK: Duration = Duration::from_secs(1);

/// The state of all topics.
#[derive(Default)]
struct Topics {
    /// The number of the last change.
    last: u64,
    /// By name: the number of the change and the JSON text; no text if the topic has ended.
    topics: BTreeMap<String, (u64, Option<Arc<str>>)>,
}

/// Somebody who gets the changes of a feed.
pub struct Listener {
    changes: watch::Receiver<Topics>,
    /// The number of the last change that was got.
    seen: u64,
}

/// The change of a topic: its name, the number of the change, and the state as JSON; `None`: the topic has ended.
pub type TopicNews = (String, u64, Option<Arc<str>>);

impl Listener {
    /// What has changed since the last call, in the order of the changes. The first call gets the latest state of all
    /// topics.
    pub fn news(&mut self) -> Vec<TopicNews> {
        let is_first = self.seen == 0;
        let mut news: Vec<TopicNews> = Vec::new();
        for (topic, (number, text)) in &self.changes.borrow_and_update().topics {
            if *number > self.seen && !(is_first && text.is_none()) {
                news.push((topic.clone(), *number, text.clone()));
            }
        }
        news.sort_by_key(|(_, number, _)| *number);
        self.seen = news.last().map_or(self.seen, |(_, number, _)| *number);
        news
    }
}

/// States by topic. Clones are the same feed.
#[derive(Clone)]
pub struct Feed {
    topics: watch::Sender<Topics>,
}

impl Default for Feed {
    fn default() -> Feed {
        Feed { topics: watch::Sender::new(Topics::default()) }
    }
}

impl Feed {
    /// Sets the state of a topic; if it differs from the last one, listeners get it as an event of this
    /// name with JSON data.
    pub fn send(&self, topic: &str, state: &impl Serialize) {
        match serde_json::to_string(state) {
            Ok(text) => self.set(topic, Some(text.into())),
            Err(e) => log::warn!("no event {}: {e}", visible(topic)),
        }
    }

    /// Ends a topic: its listeners get an event of this name with the data `null`, later ones
    /// nothing.
    pub fn end(&self, topic: &str) {
        self.set(topic, None);
    }

    /// A listener in this program.
    pub fn listen(&self) -> Listener {
        let mut changes = self.topics.subscribe();
        changes.mark_changed();
        Listener { changes, seen: 0 }
    }

    /// Whether somebody listens.
    pub fn has_listeners(&self) -> bool {
        self.topics.receiver_count() > 0
    }

    fn set(&self, topic: &str, text: Option<Arc<str>>) {
        self.topics.send_if_modified(|all| {
            if all.topics.get(topic).is_some_and(|(_, old)| *old == text) {
                return false;
            }
            all.last += 1;
            let now = all.last;
            all.topics.retain(|_, (number, text)| text.is_some() || *number + MEMORY > now);
            all.topics.insert(topic.into(), (now, text));
            true
        });
    }

    /// The response that streams the events of all topics, or the refusal if too many pages listen.
    pub fn stream(&self) -> Response {
        if self.topics.receiver_count() >= MAX_LISTENERS {
            let text =
                phrase!("{n} pages are connected already; close one of them", n = MAX_LISTENERS);
            return Refusal::conflict(text).into_response();
        }
        let mut listener = self.listen();
        let (sender, events) = mpsc::channel::<Result<Event, Infallible>>(16);
        tokio::spawn(async move {
            loop {
                match timeout(LOOK, listener.changes.changed()).await {
                    Ok(Ok(())) => {}
                    // The feed has ended, or the page has gone.
                    Ok(Err(_)) => return,
                    Err(_) if sender.is_closed() => return,
                    Err(_) => continue,
                }
                for (topic, _, text) in listener.news() {
                    let event =
                        Event::default().event(topic).data(text.as_deref().unwrap_or("null"));
                    if sender.send(Ok(event)).await.is_err() {
                        return;
                    }
                }
            }
        });
        Sse::new(ReceiverStream::new(events)).keep_alive(KeepAlive::default()).into_response()
    }
}
