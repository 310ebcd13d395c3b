// What all pages share: sending commands, receiving events, and saying the server's messages in the
// page's language.

import { addTexts, quoted, t } from './i18n.js';
import messages from './messages.js';

addTexts(Object.fromEntries(Object.entries(messages).map(([key, chinese]) => [key, [quoted(key), quoted(chinese)]])));

/** The text of a message of the server: its key with the texts of its holes; plain text of several lines stays. */
export function say(message) {
  if (typeof message === "string") return message.includes("\n") ? message : quoted(message);
  if (!message?.key) return "";
  return t(message.key, Object.fromEntries(Object.entries(message.args).map(([name, arg]) => [name, say(arg)])));
}

/** Sends a command and returns the `ok` of the answer; a refusal is thrown as an Error whose
 *  `answer` has all fields of the answer. */
export async function post(path, body = {}) {
  return answer(
    await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
}

/** Asks for something and returns the `ok` of the answer, as `post` does. */
export async function get(path) {
  return answer(await fetch(path));
}

async function answer(response) {
  let fields;
  try {
    fields = await response.json();
  } catch {
    fields = { error: `${response.status} ${response.statusText}` };
  }
  if (!("ok" in fields)) {
    throw Object.assign(new Error(say(fields.message ?? fields.error)), { answer: fields, status: response.status });
  }
  return fields.ok;
}

/** Listens to the events of a path: `onEvent(topic, state)` for each of the topics. The connection
 *  comes back by itself; `onEvent("connection", true or false)` tells whether it stands. Returns a
 *  function that ends it. */
export function listen(path, topics, onEvent) {
  let source;
  let timer;
  let ended = false;
  const open = () => {
    source = new EventSource(path);
    source.addEventListener("open", () => onEvent("connection", true));
    source.addEventListener("error", () => {
      onEvent("connection", false);
      if (source.readyState === EventSource.CLOSED && !ended) {
        timer = setTimeout(open, 1000);
      }
    });
    for (const topic of topics) {
      source.addEventListener(topic, (event) => onEvent(topic, JSON.parse(event.data)));
    }
  };
  open();
  return () => {
    ended = true;
    clearTimeout(timer);
    source.close();
  };
}
