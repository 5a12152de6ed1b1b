import { html } from "hono/html";
import { isFinished } from "../../../../../src/contract/jobs.ts";
import type { MockJobDetail } from "../../../../domain/inspect-job.ts";
import type { MockService } from "../../../../service/mock-service.ts";
import { asCurl } from "../as-curl.ts";
import { noJournalFilters, type Place } from "../choice.ts";
import {
  duration,
  fact,
  type Html,
  inWords,
  plural,
  table,
  textBox,
  timeOfDay,
  userText,
  writeJson,
} from "../markup.ts";
import { costOf, endButtons } from "./card.ts";
import { madeInFull } from "./made-view.ts";
import { type JobOverview, showJob } from "./show-job.ts";

/** Requests about one job that its page lists: the newest. */
const mostRequests = 30;

/** Shows when a job came into a state, and how long after its submission. */
const moment = (at: number | undefined, since: number): Html | undefined =>
  at === undefined
    ? undefined
    : html`${timeOfDay(at)} <span class="quiet">${at > since && `after ${duration(at - since)}`}</span>`;

const endings = {
  timeline: "its timeline",
  plan: "a planned outcome",
  prompt: "words in its prompt",
  order: "a button, or a call of the mock",
  expiry: "its expiry, 30 minutes after its submission",
};

const facts = (detail: MockJobDetail, card: JobOverview, { linkTo }: Place): Html => {
  const { cost, submittedAt, startedAt, finishedAt, polls, endedBy } = detail;
  const { prompt } = detail.request;
  const account = linkTo({ job: undefined, account: card.account });
  return html`<dl class="facts">
    ${fact("Prompt", typeof prompt === "string" && html`<span dir="auto">${prompt}</span>`, "long")}
    ${fact("Parameters", card.parameters.join(" · "))}
    ${fact("Brand", card.brand !== undefined && userText(card.brand))}
    ${fact("Cost", cost === undefined ? "free" : `${costOf(card)}: ${cost.monthly} monthly, ${cost.purchased} purchased`)}
    ${fact("Account", html`<a href="${account}#jobs" data-go>${userText(card.account)}</a>`)}
    ${fact("Submitted", html`<time datetime="${card.created_at}">${card.created_at}</time>`)}
    ${fact("Processing", moment(startedAt, submittedAt))}
    ${fact(card.status === "failed" ? "Failed" : "Completed", moment(finishedAt, submittedAt))}
    ${fact("Ended by", endedBy && endings[endedBy])}
    ${fact("Polls", polls === 0 ? "none while it was unfinished" : `${plural(polls, "time")} while it was unfinished`)}
  </dl>`;
};

const json = (id: string, title: string, text: string): Html => html`
  <details id="${id}"><summary>${title}</summary>${textBox(title, text)}</details>`;

const requestsView = ({ journal }: MockService, id: string, { linkTo }: Place): Html => {
  const all = journal.find({ job: id });
  if (all.length === 0) {
    return html`<p class="quiet">The journal has no request about this job.</p>`;
  }
  const rows = all
    .slice(-mostRequests)
    .reverse()
    .map(({ number, at, method, path, answer }) => {
      const entry = linkTo({
        ...noJournalFilters,
        account: undefined,
        until: undefined,
        entry: number,
      });
      return html`<tr>
        <td>${timeOfDay(at)}</td>
        <td class="most"><a href="${entry}#journal" data-go><span class="method">${method}</span> ${userText(path.slice(0, 300))}</a></td>
        <td>${answer?.status ?? "none"}</td>
      </tr>`;
    });
  const older = all.length - rows.length;
  return html`${table("Requests about this job, newest first", ["Time", "Call", "Status"], rows)}
    ${older > 0 && html`<p class="quiet">${inWords(older)} older</p>`}`;
};

const copyButtons = ({ job, account, request }: MockJobDetail, { origin }: Place): Html => {
  const curl = asCurl({ origin, method: "POST", path: "/v1/jobs", key: account, body: request });
  return html`<div class="buttons">
    <button type="button" data-copy="${job.job_id}">Copy id</button>
    ${curl !== undefined && html`<button type="button" data-copy="${curl}">Copy as curl</button>`}
    <button type="button" data-copy="${writeJson(job)}">Copy JSON</button>
  </div>`;
};

const back = ({ linkTo }: Place): Html =>
  html`<p class="back"><a href="${linkTo({ job: undefined })}#jobs" data-go>All jobs</a></p>`;

/** Says that there is no such job, and why there may have been one. */
const noJob = (id: string, place: Place): Html => html`
  <section id="jobs" class="panel job" tabindex="-1" aria-labelledby="job-title">
    ${back(place)}
    <h2 id="job-title">No job has the id <code><bdi>${id}</bdi></code></h2>
    <p class="quiet">A reset takes all jobs away. With the expiry "not-found", jobs go when they expire.</p>
  </section>`;

/** Shows all about one job. */
export const oneJobView = (service: MockService, id: string, place: Place): Html => {
  const detail = service.jobs.inspect(id);
  if (detail === undefined) return noJob(id, place);
  const { error } = detail.job;
  const card = showJob(detail);
  const { action, status, made } = card;
  return html`
  <section id="jobs" class="panel job ${status}" tabindex="-1" aria-labelledby="job-title">
    ${back(place)}
    <div class="head">
      <h2 id="job-title">${action} <span class="status ${status}">${status}</span></h2>
      <code>${id}</code>
    </div>
    ${error !== undefined && html`<p class="reason" dir="auto">${writeJson(error)}</p>`}
    <div class="actions">${copyButtons(detail, place)} ${!isFinished(status) && endButtons(card)}</div>
    ${facts(detail, card, place)}
    ${made && html`<h3>Result</h3>${madeInFull(card, made)}`}
    <h3>Requests about this job</h3>
    ${requestsView(service, id, place)}
    ${json("job-request", "Request as it was sent", writeJson(detail.request))}
    ${json("job-json", "Job as JSON, its pictures by their paths", writeJson(detail.job))}
  </section>`;
};
