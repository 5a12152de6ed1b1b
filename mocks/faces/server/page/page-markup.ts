import { actions } from "../../../../src/contract/actions.ts";
import { endpoints } from "../../../../src/contract/endpoint.ts";
import type { MockFault } from "../../../faults/fault.ts";

/** What an HTTP server can play: nobody can refuse a connection that is made. */
const faultKinds: readonly MockFault["kind"][] = [
  "status",
  "rate-limit",
  "latency",
  "reset",
  "stall",
  "html",
  "wrong-json",
  "cut-body",
  "stall-body",
  "drip-body",
];

const options = (values: readonly string[], chosen?: string): string =>
  values.map((value) => `<option${value === chosen ? " selected" : ""}>${value}</option>`).join("");

const header = `
<header class="top">
  <h1><span class="mark" aria-hidden="true"></span>Ad Generation Service <small>mock</small></h1>
  <p id="link" role="status" class="link">Connecting…</p>
  <section class="time" aria-label="Clock">
    <p id="now" class="now"></p>
    <div class="buttons">
      <button type="button" data-advance="10">+10 s</button>
      <button type="button" data-advance="60">+1 min</button>
      <button type="button" data-advance="1800">+30 min</button>
    </div>
    <form id="advance" class="line">
      <label for="seconds" class="unseen">Seconds to advance</label>
      <input id="seconds" name="seconds" type="number" min="0" step="any" placeholder="seconds" required>
      <button>Advance</button>
    </form>
  </section>
  <button type="button" id="reset" class="danger">Reset</button>
</header>`;

const newJob = `
<details id="compose" class="panel compose">
  <summary>New job</summary>
  <form id="new-job" aria-label="Submit a job">
    <label>Account<select id="new-job-account" name="account" required></select></label>
    <label>Action<select id="new-job-action" name="action">${options(actions, "generate-ad")}</select></label>
    <label class="long">Prompt<input name="prompt" value="Summer sale" autocomplete="off"></label>
    <label>Variations<input name="variations" type="number" min="1" max="10" value="2"></label>
    <label id="new-job-duration">Seconds<input name="duration" type="number" min="1" max="60" placeholder="5"></label>
    <button class="main">Submit job</button>
  </form>
</details>`;

const noJobs = `
<div id="no-jobs" class="panel empty" hidden>
  <h3>No jobs yet</h3>
  <p>Submit the first one with the form above, or from a terminal:</p>
  <pre tabindex="0" aria-label="curl command">curl <span class="origin"></span>/v1/jobs \\
  -H "Authorization: Bearer <span class="first-key">test-key</span>" \\
  -H "Content-Type: application/json" \\
  -d '{"action":"generate-ad","prompt":"Summer sale"}'</pre>
  <p>or with the SDK:</p>
  <pre tabindex="0" aria-label="TypeScript">import { createClient } from "adgen-sdk";

const client = createClient({
  baseUrl: "<span class="origin"></span>",
  apiKey: "<span class="first-key">test-key</span>",
});
await client.jobs.submit({ action: "generate-ad", prompt: "Summer sale" });</pre>
  <p class="quiet">It will appear here, and move from queued to finished as it is asked for or as the clock moves.</p>
</div>`;

const lane = (id: string, title: string): string => `
  <section class="lane" aria-labelledby="${id}-title">
    <h3 id="${id}-title"><span class="dot ${id}" aria-hidden="true"></span>${title} <span class="count" id="${id}-count">0</span></h3>
    <ul id="${id}" tabindex="0" aria-label="${title} jobs"></ul>
  </section>`;

const jobs = `
<section id="jobs" tabindex="-1" aria-labelledby="jobs-title">
  <h2 id="jobs-title">Jobs <span class="count" id="jobs-count">0</span></h2>
  ${newJob}${noJobs}
  <div id="lanes" class="lanes">
    ${lane("queued", "Queued")}${lane("processing", "Processing")}${lane("finished", "Finished")}
  </div>
  <p id="jobs-more" class="quiet"></p>
</section>`;

const journal = `
<section id="journal" tabindex="-1" aria-labelledby="journal-title">
  <div class="head">
    <h2 id="journal-title">Journal <span class="count" id="journal-count">0</span></h2>
    <button type="button" id="clear-journal" class="plain">Clear journal</button>
  </div>
  <div class="panel scroll" tabindex="0" role="region" aria-label="Requests">
    <p id="no-journal" class="quiet" hidden>Every request will be listed here, with its body and its answer.</p>
    <table id="journal-table">
      <caption class="unseen">Requests, newest first</caption>
      <thead><tr><th scope="col" class="wide">Time</th><th scope="col" class="most">Call</th><th scope="col">Status</th><th scope="col" class="wide">Operation</th><th scope="col" class="wide">Account</th></tr></thead>
      <tbody id="journal-rows"></tbody>
    </table>
    <p id="journal-more" class="quiet"></p>
  </div>
</section>`;

const accounts = `
<section id="accounts" tabindex="-1" aria-labelledby="accounts-title">
  <h2 id="accounts-title">Accounts <span class="count" id="accounts-count">0</span></h2>
  <div id="accounts-list" class="stack"></div>
</section>`;

const times = `<label>Times<input name="times" type="number" min="1" step="1" value="1" placeholder="always"></label>`;

const faults = `
<section id="faults" tabindex="-1" aria-labelledby="faults-title">
  <div class="head">
    <h2 id="faults-title">Faults <span class="count" id="faults-count">0</span></h2>
    <button type="button" id="clear-faults" class="plain" hidden>Take all back</button>
  </div>
  <div class="panel">
    <p id="no-faults" class="quiet">None is planned: everything works.</p>
    <ul id="faults-list" class="things"></ul>
    <details>
      <summary>Play a fault</summary>
      <form id="new-fault" aria-label="Play a fault">
        <label>Kind<select id="fault-kind" name="kind">${options(faultKinds)}</select></label>
        <label id="fault-number"><span id="fault-number-label">Status</span><input id="fault-number-value" name="number" type="number" min="0" step="1"></label>
        ${times}
        <label>Call<select name="operation"><option value="">any</option>${options(Object.keys(endpoints))}</select></label>
        <label>Account<select id="fault-account" name="account"></select></label>
        <label id="fault-accepted" class="check"><input name="accepted" type="checkbox"> carried out first</label>
        <button class="main">Play fault</button>
      </form>
    </details>
    <details>
      <summary>Script the next job</summary>
      <form id="next-job" aria-label="Script the next job">
        <label>It<select id="next-outcome" name="outcome"><option>fails</option><option>completes</option></select></label>
        <label>Takes, seconds<input name="seconds" type="number" min="0" step="any" placeholder="as usual"></label>
        <label id="next-text" class="long">Reason<input name="text" placeholder="Generation failed" autocomplete="off"></label>
        ${times}
        <label>Account<select id="next-account" name="account"></select></label>
        <button class="main">Script it</button>
      </form>
    </details>
  </div>
</section>`;

const things = (id: string, title: string, none: string): string => `
<section id="${id}" tabindex="-1" aria-labelledby="${id}-title">
  <h2 id="${id}-title">${title} <span class="count" id="${id}-count">0</span></h2>
  <ul id="${id}-list" class="things panel" data-none="${none}"></ul>
</section>`;

/** The page without its data: what a screen reader finds its way by. */
export const markup = `
<a class="skip" href="#jobs">Skip to the jobs</a>
${header}
<noscript><p class="panel">This page needs JavaScript. The same as JSON: <a href="/__mock/state">/__mock/state</a></p></noscript>
<main>
  <div class="wide-column">${jobs}${journal}</div>
  <div class="narrow-column">${accounts}${faults}
    ${things("brands", "Brands", "None yet: POST /v1/brands")}
    ${things("ads", "Saved ads", "None yet: POST /v1/saved-ads")}
  </div>
</main>
<p id="message" role="status" class="message"></p>`;
