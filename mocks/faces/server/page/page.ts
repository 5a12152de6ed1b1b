import type { Env, Hono } from "hono";
import { html } from "hono/html";
import { isFinished } from "../../../../src/contract/jobs.ts";
import type { MockJobDetail } from "../../../domain/inspect-job.ts";
import type { JournalEntry } from "../../../journal/journal.ts";
import type { MockAccount } from "../../../service/account.ts";
import type { MockService } from "../../../service/mock-service.ts";
import { liveJs, pageCss } from "./assets.ts";

/** Jobs and requests that the page shows: the newest. */
const most = 60;

/** A button that runs a command of the mock with these arguments. */
const button = (label: string, command: string, given: readonly unknown[] = [], confirm = "") =>
  html`<button data-command="${command}" data-given="${JSON.stringify(given)}" data-confirm="${confirm}">${label}</button>`;

const timeOf = (at: number | string): string => new Date(at).toISOString().slice(11, 19);

const json = (value: unknown): string =>
  (typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "")).slice(
    0,
    20_000,
  );

const accountRow = ({ key, credits: { image, video } }: MockAccount) => html`
  <tr><th scope="row">${key}</th><td>${image.monthly + image.purchased}</td><td>${video.monthly + video.purchased}</td></tr>`;

/** Shows a picture or a video that the mock has made; the page loads nothing from other servers. */
const pieceOf = (piece: unknown) => {
  const { url = "", headline } = Object(piece);
  if (headline !== undefined) return html`<li><b>${headline}</b></li>`;
  const source = String(url);
  if (!/^data:(image|video)\//.test(source)) return html`<li>${source.slice(0, 200)}</li>`;
  return /^data:video/.test(source)
    ? html`<li><video src="${source}" controls preload="metadata" aria-label="video"></video></li>`
    : html`<li><img src="${source}" alt="picture" loading="lazy"></li>`;
};

const card = ({ job, account, request, cost, brand }: MockJobDetail) => {
  const { job_id: id, status, action, error, result } = job;
  const pieces = Object.values(Object(result)).find(Array.isArray) ?? [];
  const price = cost
    ? `${cost.amount} ${cost.credit}${cost.refunded ? ", paid back" : ""}`
    : "free";
  return html`
  <li id="${id}" class="card ${status}">
    <p class="bar"><b>${action}</b> <span class="status">${status}</span></p>
    ${pieces.length > 0 && html`<ul class="made">${pieces.slice(0, 4).map(pieceOf)}</ul>`}
    ${error !== undefined && html`<p class="error">${error}</p>`}
    <p dir="auto">${String(request["prompt"] ?? "").slice(0, 200)}</p>
    <p class="quiet">${[price, brand, account, timeOf(job.created_at)].filter(Boolean).join(" · ")}</p>
    <details id="all-${id}"><summary><code>${id}</code></summary><pre>${json({ request, job })}</pre></details>
    ${!isFinished(status) && html`<p class="bar">${["complete", "fail", "expire"].map((end) => button(end, `jobs.${end}`, [id]))}</p>`}
  </li>`;
};

const requestRow = ({
  number,
  at,
  method,
  path,
  body,
  status,
  answer,
  fault,
  account,
  hint,
}: JournalEntry) => {
  const { error } = Object(answer);
  return html`
  <tr>
    <td>${timeOf(at)}</td>
    <td><details id="request-${number}"><summary><b>${method}</b> ${path.slice(0, 200)}</summary><pre>${json(body)}</pre><pre>${json(answer)}</pre></details>
      ${[error, hint, fault && `fault: ${fault.kind}`].filter(Boolean).map((words) => html`<p class="quiet">${words}</p>`)}</td>
    <td class="${(status ?? 600) < 400 ? "good" : "bad"}">${status ?? "none"}</td>
    <td>${account}</td>
  </tr>`;
};

const planRow = (id: string, plan: object, remove: string) => html`
  <li class="bar"><code>${JSON.stringify({ ...plan, id: undefined })}</code> ${button("Cancel", remove, [id])}</li>`;

const render = ({ accounts, clock, faults, jobs, journal }: MockService) => {
  const newest = accounts
    .flatMap((account) => account.jobs.latest(most))
    .sort((one, other) => (one.created_at < other.created_at ? 1 : -1))
    .slice(0, most);
  const total = accounts.reduce((sum, account) => sum + account.jobs.count, 0);
  const details = newest.flatMap(({ job_id }) => jobs.inspect(job_id) ?? []);
  const requests = [...journal.entries.slice(-most)].reverse();
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Ad Generation Service · mock</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/__mock/page.css">
<script src="/__mock/live.js" type="module"></script>
</head>
<body>
<header class="bar">
  <h1>Ad Generation Service <small>mock</small></h1>
  <time id="now" data-live>${new Date(clock.now()).toISOString().slice(0, 19).replace("T", " ")}</time>
  ${button("+10 s", "clock.advance", [10_000])} ${button("+1 min", "clock.advance", [60_000])}
  ${button("+30 min", "clock.advance", [1_800_000])}
  ${button("Reset", "reset", [], "Throw away all jobs, brands, ads and requests?")}
</header>
<main>
  <section>
    <h2>Jobs <small id="count" data-live>${total}</small></h2>
    <p class="bar">${button("Fail the next job", "jobs.next", [{ fail: "Generation failed" }])}
      ${button("Answer the next request with 503", "faults.play", [{ kind: "status", status: 503 }])}
      ${button("Break the next connection", "faults.play", [{ kind: "reset" }])}
      ${button("Delay the next answer by 3 s", "faults.play", [{ kind: "latency", ms: 3_000 }])}</p>
    <ul id="plans" data-live>
      ${faults.planned.map((plan) => planRow(plan.id, plan, "faults.remove"))}
      ${jobs.planned.map((plan) => planRow(plan.id, plan, "jobs.removePlanned"))}
    </ul>
    <ul id="jobs" class="cards" data-live>${details.map(card)}</ul>
  </section>
  <section>
    <h2>Accounts</h2>
    <table><thead><tr><th scope="col">Key</th><th scope="col">Image credits</th><th scope="col">Video credits</th></tr></thead>
      <tbody id="accounts" data-live>${accounts.slice(0, most).map(accountRow)}</tbody></table>
    <h2>Requests <small id="requests-count" data-live>${journal.count}</small></h2>
    <table><thead><tr><th scope="col">Time</th><th scope="col">Call</th><th scope="col">Status</th><th scope="col">Account</th></tr></thead>
      <tbody id="requests" data-live>${requests.map(requestRow)}</tbody></table>
  </section>
</main>
</body>
</html>`;
};

const policy =
  "default-src 'none'; img-src 'self' data:; media-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Mounts the page at `/__mock/`, with the files that it loads. */
export const mountPage = <Given extends Env>(app: Hono<Given>, service: MockService): void => {
  app.get("/__mock", ({ redirect }) => redirect("/__mock/"));
  app.get("/__mock/", (context) =>
    context.html(render(service), 200, {
      "content-security-policy": policy,
      "cache-control": "no-store",
    }),
  );
  app.get("/__mock/page.css", ({ body }) => body(pageCss, 200, { "content-type": "text/css" }));
  app.get("/__mock/live.js", ({ body }) =>
    body(liveJs, 200, { "content-type": "text/javascript" }),
  );
};
