// What all pages share: sending commands, receiving events. The server words its messages in the
// page's language.

import { language, onLanguage } from './i18n.js';

/** Sends a command and returns the `ok` of the answer; a refusal is thrown as an Error whose
 *  `answer` has all fields of the answer. */
export async function post(path, body = {}) {
  return answer(
    await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...wording() },
      body: JSON.stringify(body),
    }),
  );
}

/** Asks for something and returns the `ok` of the answer, as `post` does. */
export async function get(path) {
  return answer(await fetch(path, { headers: wording() }));
}

function wording() {
  return { "accept-language": language() };
}

async function answer(response) {
  let fields;
  try {
    fields = await response.json();
  } catch {
    fields = { error: `${response.status} ${response.statusText}` };
  }
  if (!("ok" in fields)) {
    throw Object.assign(new Error(fields.error), { answer: fields, status: response.status });
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
    source = new EventSource(`${path}?lang=${language()}`);
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
  const forget = onLanguage(() => {
    clearTimeout(timer);
    source.close();
    open();
  });
  return () => {
    ended = true;
    forget();
    clearTimeout(timer);
    source.close();
  };
}
