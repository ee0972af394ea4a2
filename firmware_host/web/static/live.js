// The stream of the table, and what is asked of it.

const QUIET_MS = 25000; // the server gives a sign of life every 10 s

/** Follow `url`; `topics`: a function for each; `away` is told when the line is cut and when it is back. */
export function follow(url, topics, away) {
  let source, guard;
  const heard = () => {
    clearTimeout(guard);
    guard = setTimeout(again, QUIET_MS);
    away(false);
  };
  const again = () => {
    source?.close();
    clearTimeout(guard);
    source = new EventSource(url);
    source.onopen = heard;
    source.onerror = () => {
      away(true);
      clearTimeout(guard);
      // An answer that is no stream ends an EventSource for good: the table may be starting.
      guard = setTimeout(again, source.readyState === EventSource.CLOSED ? 1000 : QUIET_MS);
    };
    source.addEventListener("beat", heard);
    for (const [topic, tell] of Object.entries(topics)) {
      source.addEventListener(topic, (event) => {
        heard();
        tell(JSON.parse(event.data), event.lastEventId);
      });
    }
  };
  addEventListener("online", again);
  again();
}

/** Send `what` to `url`; the problem in words, empty: done. */
export async function send(url, what) {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(what),
    });
    return answer.ok ? "" : (await answer.text()).trim();
  } catch {
    return "the table is away";
  }
}

export const byId = (id) => document.getElementById(id);

/** An element with attributes (text as `text`) and children. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "text") element.textContent = value;
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

export const showAway = (isAway) => { byId("away").hidden = !isAway; };
