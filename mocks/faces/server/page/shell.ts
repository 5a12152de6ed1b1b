import { html } from "hono/html";
import { command } from "./forms.ts";
import { type Html, userText } from "./markup.ts";

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%234a3fcf'/%3E%3Cpath d='M4 11 8 4l4 7' fill='none' stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E";

const reset = command("Reset", "reset", {
  confirm: "Throw everything away: jobs, brands, ads, plans and the journal?",
  look: "bad",
});

/** Links to the sections in the order of their importance to a user. */
export const navigation = ({
  faults,
  outcomes,
}: {
  readonly faults: number;
  readonly outcomes: number;
}): Html => {
  const link = (id: string, title: string, planned = 0): Html =>
    html`<a href="#${id}" class="${planned > 0 && "status warn"}">${title}${planned > 0 && ` ${planned}`}</a>`;
  return html`
  <div id="navigation" class="bar" data-live>
    <nav class="line" aria-label="Sections">
      ${link("jobs", "Jobs")} ${link("journal", "Journal")} ${link("accounts", "Accounts")}
      ${link("faults", "Faults", faults)} ${link("outcomes", "Outcomes", outcomes)}
      ${link("brands", "Brands")} ${link("ads", "Saved ads")}
    </nav>
  </div>`;
};

/** Renders the whole document around the parts that it renews. */
export const shell = (now: number, links: Html, body: Html): Html => html`<!doctype html>
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
<body>
  ${["jobs", "journal", "accounts"].map((id) => html`<a class="skip" href="#${id}">Skip to the ${id}</a>`)}
  <header>
    <div class="bar">
      <h1><img src="${icon}" alt="" width="20" height="20"> Ad Generation Service <small>mock</small></h1>
      <p id="link" role="status" class="dot quiet">Connecting…</p>
      <time id="now">${new Date(now).toISOString().slice(0, 19).replace("T", " ")}</time>
      <form class="line" action="/__mock/clock.advance">
        <button name="ms:json" value="10000">+10 s</button>
        <button name="ms:json" value="60000">+1 min</button>
        <button name="ms:json" value="1800000">+30 min</button>
        <button name="ms:json" value="2678400000">+31 days</button>
      </form>
      ${reset}
    </div>
    ${links}
  </header>
  <noscript><p class="panel">The buttons of this page need JavaScript. The same as JSON: <a href="/__mock/state">/__mock/state</a></p></noscript>
  ${body}
  <footer class="quiet">The same for programs, as JSON over HTTP: <a href="/__mock/help">/__mock/help</a></footer>
  <p id="message" role="status" class="message" dir="auto"></p>
</body>
</html>`;
