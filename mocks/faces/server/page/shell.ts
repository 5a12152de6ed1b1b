import { html } from "hono/html";
import type { Html } from "./markup.ts";

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%234a3fcf'/%3E%3Cpath d='M4 11 8 4l4 7' fill='none' stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E";

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

/** Shows the time, and moves it. */
const clock = (now: number): Html => {
  const time = new Date(now).toISOString();
  return html`
    <time id="now" datetime="${time}">
      <span>${time.slice(0, 10)} UTC</span><strong>${time.slice(11, 19)}</strong>
    </time>
    <form class="line" action="/__mock/clock.advance" data-done="The clock has moved">
      <button name="ms" value="10" data-scale="1000">+10 s</button>
      <button name="ms" value="60" data-scale="1000">+1 min</button>
      <button name="ms" value="1800" data-scale="1000">+30 min</button>
    </form>
    <form class="line" action="/__mock/clock.advance" data-done="The clock has moved">
      <input name="ms" type="number" min="0" step="any" placeholder="sec" aria-label="Seconds to advance" required data-scale="1000">
      <button>Advance</button>
    </form>
    <form action="/__mock/reset" data-done="Everything is as new" data-confirm="Throw everything away: jobs, brands, ads, plans and the journal?">
      <button class="bad">Reset</button></form>`;
};

/** Renders the whole document around its body, and around the troubles and plans in its header. */
export const shell = (
  etag: string,
  now: number,
  notices: Html,
  body: Html,
): Html => html`<!doctype html>
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
  <header>
    <div class="bar">
      <h1><img src="${icon}" alt="" width="20" height="20"> Ad Generation Service <small>mock</small></h1>
      <p id="link" role="status" class="dot quiet">Connecting…</p>
      ${clock(now)}
    </div>
    <div class="bar">
      <nav class="line" aria-label="Sections">${sections.map(([id, title]) => html`<a href="#${id}">${title}</a>`)}</nav>
      ${notices}
    </div>
  </header>
  <noscript><p class="panel">The buttons of this page need JavaScript. The same as JSON: <a href="/__mock/state">/__mock/state</a></p></noscript>
  ${body}
  <footer class="quiet">The same for programs, as JSON over HTTP: <a href="/__mock/help">/__mock/help</a></footer>
  <p id="message" role="status" class="message" dir="auto"></p>
</body>
</html>`;
