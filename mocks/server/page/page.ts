import type { Env, Hono } from "hono";
import { html } from "hono/html";
import { isFinishedStatus } from "../../../src/contract/jobs.ts";
import type { MockJobDetail } from "../../domain/inspect-job.ts";
import type { JournalEntry } from "../../journal/journal.ts";
import { maskKey } from "../../journal/redact.ts";
import { describeUnknown } from "../../journal/unknown-parameters.ts";
import type { MockAccount } from "../../service/account.ts";
import type { MockService } from "../../service/mock-service.ts";
import { liveJs, pageCss } from "./assets.ts";
import {
  describeFault,
  describeScheduledFault,
  describeScheduledOutcome,
  quoteForShell,
} from "./words.ts";

/** Maximum number of jobs, requests and accounts on the page, which shows the newest. */
const maxShown = 60;

/** A button that runs a command of the mock with these arguments. */
const button = (label: string, command: string, given: readonly unknown[] = [], confirm = "") =>
  html`<button data-command="${command}" data-given="${JSON.stringify(given)}" data-confirm="${confirm}">${label}</button>`;

const timeOf = (at: number | string): string => new Date(at).toISOString().slice(11, 19);

const json = (value: unknown): string =>
  (typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "")).slice(
    0,
    20_000,
  );

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

const creditOf = (name: string, { monthly, purchased }: MockAccount["credits"]["image"]) => html`
  <p><b>${monthly + purchased}</b> ${name}<br><small>${monthly} monthly${purchased > 0 && ` + ${purchased} bought`}</small></p>`;

const accountCard = ({ key, credits: { image, video } }: MockAccount) => html`
  <li id="account-${key}" class="panel bar"><code>${key}</code>${creditOf("image credits", image)}${creditOf("video credits", video)}</li>`;

/** Shows a picture, a video or a text. The page loads nothing from other servers. */
const pieceOf = (piece: unknown) => {
  const { url, headline, primary_text: words = "" } = Object(piece);
  if (headline !== undefined)
    return html`<li class="words"><b>${headline}</b><span>${words}</span></li>`;
  const source = String(url ?? json(piece));
  if (/^data:image\//.test(source))
    return html`<li><img src="${source}" alt="" loading="lazy"></li>`;
  if (!/^data:video\//.test(source))
    return html`<li class="words"><span>${source.slice(0, 200)}</span></li>`;
  return html`<li><video src="${source}#t=0.1" controls muted loop playsinline preload="auto" aria-label="Video"></video></li>`;
};

/** The upper half of a job's card: buttons that end it, its results, or the reason of its failure. */
const stage = ({ job_id: id, status, error, result }: MockJobDetail["job"]) => {
  if (!isFinishedStatus(status)) {
    return html`<p class="stage bar">${button("Complete", "jobs.complete", [id])}${button("Fail", "jobs.fail", [id])}${button("Expire", "jobs.expire", [id])}</p>`;
  }
  const lists: unknown[][] = Object.values(Object(result)).filter(Array.isArray);
  const pieces = lists[0] ?? (result === undefined ? [] : [result]);
  if (status === "failed" || pieces.length === 0) {
    return html`<p class="stage">${error ?? `${status}, without a result`}</p>`;
  }
  // A text takes the whole card.
  const shown = /^data:/.test(Object(pieces[0]).url) ? 4 : 1;
  const left = pieces.length - shown;
  return html`<ul class="stage made">${pieces.slice(0, shown).map(pieceOf)}${left > 0 && html`<li class="badge more">+${left}</li>`}</ul>`;
};

const jobItem = ({ job, account, request, cost, brand }: MockJobDetail, isOneOfMany: boolean) => {
  const { job_id: id, status, action } = job;
  const price = cost ? plural(cost.amount, `${cost.credit} credit`) : "free";
  const facts = [
    cost?.refunded && "refunded",
    brand,
    isOneOfMany && account,
    timeOf(job.created_at),
  ].filter(Boolean);
  const prompt = String(request["prompt"] ?? "").slice(0, 200);
  return html`
  <li id="${id}" class="panel card ${status}">
    ${stage(job)}
    <div>
      <span class="badge">${status}</span> <h3>${action}</h3>
      <p class="prompt" dir="auto">${prompt || html`<i>no prompt</i>`}</p>
      <p class="facts"><b>${price}</b> · ${facts.join(" · ")}</p>
      <details id="all-${id}"><summary><code>${id}</code></summary><pre tabindex="0">${json({ request, job })}</pre></details>
    </div>
  </li>`;
};

const requestItem = (entry: JournalEntry, keys: ReadonlyMap<string, string>) => {
  const { number, at, method, path, body, status, answer, fault, account = "", hint } = entry;
  const { error } = Object(answer);
  const unknown = entry.unknownParameters.map(
    (name) => `unknown parameter ${name}: ${describeUnknown(name)}`,
  );
  const scheduled = fault && `scheduled fault: ${describeFault(fault)}`;
  const notes = [scheduled ?? error, hint, ...unknown].filter(Boolean).join(" · ");
  const key = keys.get(account) ?? (account ? `unknown key ${account}` : "no key");
  const isToldApart = keys.size > 1 || !keys.has(account);
  const kind = (status ?? 600) < 400 ? "completed" : "failed";
  return html`
  <li id="request-${number}" class="request">
    <time>${timeOf(at)}</time>
    <details id="open-${number}"><summary><b>${method}</b> ${path.slice(0, 200)} <small>${entry.action} ${isToldApart && key}</small></summary>
      <pre tabindex="0">${json(body) || "no body"}</pre><pre tabindex="0">${json(answer) || "no answer"}</pre></details>
    <span class="badge ${kind}">${status ?? "none"}</span>
    ${notes !== "" && html`<p class="${kind === "failed" ? kind : "processing"}">${notes}</p>`}
  </li>`;
};

const scheduledRow = (id: string, words: string, remove: string) => html`
  <li id="${id}" class="bar"><span>${words}</span>${button("Cancel", remove, [id])}</li>`;

/** Tells a newcomer the address and the key, and how to submit a first job. */
const firstSteps = (origin: string, key = "") => html`
  <li id="first-steps" class="panel first"><h3>No jobs yet</h3><p>Point your client here, or submit a job from a shell. Each job appears on this page.</p>
    <pre tabindex="0">export ADGEN_BASE_URL=${origin}
export ADGEN_API_KEY=${quoteForShell(key)}
curl "$ADGEN_BASE_URL/v1/jobs" -H "Authorization: Bearer $ADGEN_API_KEY" \\
  -d '{ "action": "generate-ad", "prompt": "Summer sale" }'</pre></li>`;

const render = (service: MockService, origin: string) => {
  const { accounts, clock, faults, jobs, journal } = service;
  const newest = accounts
    .flatMap((account) => account.jobs.latest(maxShown))
    .sort((one, other) => (one.created_at < other.created_at ? 1 : -1))
    .slice(0, maxShown);
  const total = accounts.reduce((sum, account) => sum + account.jobs.count, 0);
  const details = newest.flatMap(({ job_id }) => jobs.inspect(job_id) ?? []);
  // Unfinished jobs come first, because their buttons can still end them.
  details.sort(
    (one, other) =>
      Number(isFinishedStatus(one.job.status)) - Number(isFinishedStatus(other.job.status)),
  );
  const requests = [...journal.entries.slice(-maxShown)].reverse();
  const keys = new Map(accounts.map(({ key }) => [maskKey(key), key]));
  const isOneOfMany = accounts.length > 1;
  const now = new Date(clock.now()).toISOString();
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
  <h1>Ad Generation Service <span class="badge">mock</span></h1>
  <p>Clock</p>
  <p id="now" class="clock" data-live><span id="day">${now.slice(0, 10)}</span> <b id="time">${now.slice(11, 19)}</b></p>
  <div class="bar" role="group" aria-label="Move the clock">
    ${button("+10 s", "clock.advance", [10_000])}${button("+1 min", "clock.advance", [60_000])}${button("+30 min", "clock.advance", [1_800_000])}
  </div>
  ${button("Reset", "reset", [], "Start over, without all jobs, brands, ads and requests so far?")}
</header>
<p id="said" class="failed" role="status"></p>
<main>
  <section>
    <h2>Credits</h2>
    <ul id="accounts" class="accounts bar" data-live>${accounts.slice(0, maxShown).map(accountCard)}</ul>
  </section>
  <section>
    <h2>Make it go wrong</h2>
    <p class="bar">${button("Fail the next job", "jobs.next", [{ fail: "Generation failed" }])}
      ${button("Answer the next request with 503", "faults.play", [{ kind: "status", status: 503 }])}
      ${button("Break the next connection", "faults.play", [{ kind: "reset" }])}
      ${button("Delay the next answer by 3 s", "faults.play", [{ kind: "latency", ms: 3_000 }])}</p>
    <ul id="scheduled" class="scheduled processing" data-live>
      ${faults.scheduled.map((fault) => scheduledRow(fault.id, describeScheduledFault(fault), "faults.remove"))}
      ${jobs.scheduled.map((outcome) => scheduledRow(outcome.id, describeScheduledOutcome(outcome), "jobs.removeScheduled"))}
    </ul>
  </section>
  <section>
    <h2>Jobs <small id="count" data-live>${total}</small></h2>
    <ul id="jobs" class="cards" data-live>${details.length > 0 ? details.map((detail) => jobItem(detail, isOneOfMany)) : firstSteps(origin, accounts[0]?.key)}</ul>
  </section>
  <section>
    <h2>Requests <small id="requests-count" data-live>${journal.count}</small></h2>
    <ul id="requests" class="panel" data-live>${requests.map((entry) => requestItem(entry, keys))}</ul>
  </section>
</main>
</body>
</html>`;
};

const policy =
  "default-src 'none'; img-src 'self' data:; media-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Mounts the page at `/__mock/`, with the files that it loads. */
export const mountPage = <Given extends Env>(app: Hono<Given>, service: MockService): void => {
  // In hono/tiny, this route also gets the path with a slash at its end.
  app.get("/__mock", ({ req, redirect }, next) =>
    req.path === "/__mock" ? redirect("/__mock/") : next(),
  );
  app.get("/__mock/", (context) =>
    context.html(render(service, new URL(context.req.url).origin), 200, {
      "content-security-policy": policy,
      "cache-control": "no-store",
    }),
  );
  app.get("/__mock/page.css", ({ body }) => body(pageCss, 200, { "content-type": "text/css" }));
  app.get("/__mock/live.js", ({ body }) =>
    body(liveJs, 200, { "content-type": "text/javascript" }),
  );
};
