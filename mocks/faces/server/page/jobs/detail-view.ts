import { html } from "hono/html";
import { isFinished } from "../../../../../src/contract/jobs.ts";
import { asCurl } from "../as-curl.ts";
import type { LinkTo } from "../choice.ts";
import { duration, type Html, plural, table, timeOfDay, userText } from "../markup.ts";
import { costOf, endButtons } from "./card.ts";
import type { JobLook } from "./detail-look.ts";
import { madeInFull } from "./made-view.ts";

const fact = (name: string, value: Html | string | false | undefined): Html | "" =>
  value === undefined || value === false || value === ""
    ? ""
    : html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

/** Shows when a job came into a state, and how long after its submission. */
const moment = (at: number | undefined, since: number): Html | undefined =>
  at === undefined
    ? undefined
    : html`${timeOfDay(at)} <span class="quiet">${at > since && `after ${duration(at - since)}`}</span>`;

const facts = (look: JobLook, linkTo: LinkTo): Html => {
  const { card, cost, times, polls, prompt } = look;
  const { submittedAt, startedAt, finishedAt } = times;
  const account = linkTo({ job: undefined, account: card.account });
  return html`<dl class="facts">
    ${fact("Prompt", prompt !== undefined && html`<span dir="auto">${prompt}</span>`)}
    ${fact("Sent", card.parameters.join(" · "))}
    ${fact("Brand", card.brand !== undefined && userText(card.brand))}
    ${fact("Cost", cost === undefined ? "free" : `${costOf(card)}: ${cost.monthly} monthly, ${cost.purchased} purchased`)}
    ${fact("Account", html`<a href="${account}#jobs" data-go>${userText(card.account)}</a>`)}
    ${fact("Submitted", html`<time datetime="${card.created_at}">${card.created_at}</time>`)}
    ${fact("Processing", moment(startedAt, submittedAt))}
    ${fact(card.status === "failed" ? "Failed" : "Completed", moment(finishedAt, submittedAt))}
    ${fact("Asked for", polls === 0 ? "never while it was unfinished" : `${plural(polls, "time")} while it was unfinished`)}
  </dl>`;
};

const json = (id: string, title: string, text: string): Html => html`
  <details id="${id}">
    <summary>${title}</summary>
    <pre dir="auto" tabindex="0" role="region" aria-label="${title}">${text}</pre>
  </details>`;

const requestsView = ({ requests: { total, items } }: JobLook, linkTo: LinkTo): Html => {
  if (total === 0) return html`<p class="quiet">The journal has no request about this job.</p>`;
  const rows = items.map(
    ({ number, at, method, path, status }) => html`<tr>
      <td>${timeOfDay(at)}</td>
      <td class="most"><a href="${linkTo({ entry: String(number) })}#journal" data-go><span class="method">${method}</span> ${userText(path)}</a></td>
      <td>${status ?? "none"}</td>
    </tr>`,
  );
  return html`${table("Requests about this job, newest first", ["Time", "Call", "Status"], rows)}
    ${total > items.length && html`<p class="quiet">${total - items.length} older</p>`}`;
};

const copyButtons = (look: JobLook, origin: string): Html => {
  const { card, request } = look;
  const curl = asCurl({
    origin,
    method: "POST",
    path: "/v1/jobs",
    key: card.account,
    body: request,
  });
  return html`<div class="buttons">
    <button type="button" data-copy="${card.job_id}">Copy id</button>
    ${curl !== undefined && html`<button type="button" data-copy="${curl}">Copy as curl</button>`}
    <button type="button" data-copy="${look.jobJson}">Copy JSON</button>
  </div>`;
};

const back = (linkTo: LinkTo): Html =>
  html`<p class="back"><a href="${linkTo({ job: undefined })}#jobs" data-go>All jobs</a></p>`;

/** Says that there is no such job, and why there may have been one. */
export const noJob = (id: string, linkTo: LinkTo): Html => html`
  <section id="jobs" class="panel job" tabindex="-1" aria-labelledby="job-title">
    ${back(linkTo)}
    <h2 id="job-title">No job has the id <code><bdi>${id}</bdi></code></h2>
    <p class="quiet">A reset takes all jobs away. With the expiry "not-found", jobs go when they expire.</p>
  </section>`;

/** Shows all about one job. */
export const jobView = (look: JobLook, linkTo: LinkTo, origin: string): Html => {
  const { card, error } = look;
  const { job_id: id, action, status, made } = card;
  return html`
  <section id="jobs" class="panel job ${status}" tabindex="-1" aria-labelledby="job-title">
    ${back(linkTo)}
    <div class="head">
      <h2 id="job-title">${action} <span class="status ${status}">${status}</span></h2>
      <code>${id}</code>
    </div>
    ${error !== undefined && html`<p class="reason" dir="auto">${error}</p>`}
    <div class="actions">${copyButtons(look, origin)} ${!isFinished(status) && endButtons(card)}</div>
    ${facts(look, linkTo)}
    ${made && html`<h3>Result</h3>${madeInFull(card, made)}`}
    <h3>Requests about this job</h3>
    ${requestsView(look, linkTo)}
    ${json("job-request", "Request as it was sent", look.requestJson)}
    ${json("job-json", "Job as JSON, its pictures by their paths", look.jobJson)}
  </section>`;
};
