import { html } from "hono/html";
import { type Html, orderButton, table } from "./markup.ts";

/** One route of the admin, as the page lists it. */
export interface HelpLine {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%234a3fcf'/%3E%3Cpath d='M4 11 8 4l4 7' fill='none' stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E";

const steps = [
  { label: "+10 s", seconds: 10 },
  { label: "+1 min", seconds: 60 },
  { label: "+30 min", seconds: 1800 },
];

const header = (now: number): Html => {
  const time = new Date(now).toISOString();
  return html`
  <header class="first-row">
    <h1><img src="${icon}" alt="" width="20" height="20">Ad Generation Service <small>mock</small></h1>
    <p id="link" role="status" class="link">Connecting…</p>
    <section class="time" aria-label="Clock">
      <time id="now" class="now" datetime="${time}">
        <span class="day">${time.slice(0, 10)} UTC</span>
        <span class="clock">${time.slice(11, 19)}</span>
      </time>
      <form class="buttons" action="/__mock/clock" data-done="The clock has moved">
        ${steps.map(({ label, seconds }) => html`<button name="advanceMs" value="${seconds}" data-scale="1000">${label}</button>`)}
      </form>
      <form class="line" action="/__mock/clock" data-done="The clock has moved">
        <label for="seconds" class="unseen">Seconds to advance</label>
        <input id="seconds" name="advanceMs" type="number" min="0" step="any" placeholder="seconds" required data-scale="1000">
        <button>Advance</button>
      </form>
    </section>
    ${orderButton({
      label: "Reset",
      path: "/__mock/reset",
      done: "Everything is as new",
      confirm: "Throw everything away: jobs, brands, ads, plans and the journal?",
      look: "danger",
    })}
  </header>`;
};

const footer = (help: readonly HelpLine[]): Html => html`
  <footer><details>
    <summary>The same for programs: JSON over HTTP</summary>
    <p class="quiet">Bodies and answers are JSON; POST and PUT need <code>content-type: application/json</code>.</p>
    ${table(
      "Routes",
      ["Route", "What it does"],
      help.map(
        ({ method, path, summary }) =>
          html`<tr><td><code>${method} ${path}</code></td><td>${summary}</td></tr>`,
      ),
    )}
  </details></footer>`;

/** Sections of the page, in the order of their importance to a user. */
const sections = [
  ["jobs", "Jobs"],
  ["journal", "Journal"],
  ["accounts", "Accounts"],
  ["faults", "Faults"],
  ["outcomes", "Outcomes"],
  ["brands", "Brands"],
  ["ads", "Saved ads"],
  ["snapshot", "Snapshot"],
];

/** Renders the whole document around its body. */
export const shell = ({
  body,
  notices,
  etag,
  now,
  help,
}: {
  readonly body: Html;
  /** Troubles and plans, which stand in the header. */
  readonly notices: Html;
  /** Mark of what the body and the notices show. */
  readonly etag: string;
  readonly now: number;
  readonly help: readonly HelpLine[];
}): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Ad Generation Service · mock</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="/__mock/page.css">
<script src="/__mock/idiomorph.js" defer></script>
<script src="/__mock/live.js" type="module"></script>
</head>
<body data-etag="${etag}">
  ${["jobs", "journal", "accounts"].map((id) => html`<a class="skip" href="#${id}">Skip to the ${id}</a>`)}
  <div class="top">
    ${header(now)}
    <div class="second-row">
      <nav class="sections" aria-label="Sections">${sections.map(([id, title]) => html`<a href="#${id}">${title}</a>`)}</nav>
      ${notices}
    </div>
  </div>
  <noscript><p class="panel">The buttons of this page need JavaScript. The same as JSON: <a href="/__mock/state">/__mock/state</a></p></noscript>
  ${body}
  ${footer(help)}
  <p id="message" role="status" class="message" dir="auto"></p>
</body>
</html>`;
