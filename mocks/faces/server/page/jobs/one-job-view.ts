import { html } from "hono/html";
import type { MockJobDetail } from "../../../../domain/inspect-job.ts";
import type { MockService } from "../../../../service/mock-service.ts";
import { asCurl } from "../as-curl.ts";
import type { Place } from "../choice.ts";
import {
  duration,
  fact,
  type Html,
  leftOut,
  plural,
  table,
  textBox,
  timeOfDay,
  userText,
  writeJson,
} from "../markup.ts";
import { costOf, endButtons, madeInFull } from "./card.ts";
import { type JobOverview, showJob } from "./job-look.ts";

/** Requests about one job that its page lists: the newest. */
const mostRequests = 30;

const endings = {
  timeline: "its timeline",
  plan: "a planned outcome",
  prompt: "words in its prompt",
  order: "a button, or a call of the mock",
  expiry: "its expiry, 30 minutes after its submission",
};

const facts = (detail: MockJobDetail, card: JobOverview, { linkTo }: Place): Html => {
  const { request, cost, submittedAt, startedAt, finishedAt, polls, endedBy } = detail;
  const { account, brand, parameters, status, created_at: submitted } = card;
  const { prompt } = request;
  /** Shows when the job came into a state, and how long after its submission. */
  const moment = (at: number | undefined): Html | false =>
    at !== undefined &&
    html`${timeOfDay(at)} <span class="quiet">${at > submittedAt && `after ${duration(at - submittedAt)}`}</span>`;
  return html`<dl class="facts">
    ${fact("Prompt", typeof prompt === "string" && html`<span dir="auto">${prompt}</span>`, "long")}
    ${fact("Parameters", parameters.join(" · "))}
    ${fact("Brand", brand !== undefined && userText(brand))}
    ${fact("Cost", cost === undefined ? "free" : `${costOf(card)}: ${cost.monthly} monthly, ${cost.purchased} purchased`)}
    ${fact("Account", html`<a href="${linkTo({ job: undefined, account })}#jobs">${userText(account)}</a>`)}
    ${fact("Submitted", html`<time datetime="${submitted}">${submitted}</time>`)}
    ${fact("Processing", moment(startedAt))}
    ${fact(status === "failed" ? "Failed" : "Completed", moment(finishedAt))}
    ${fact("Ended by", endedBy && endings[endedBy])}
    ${fact("Polls", `${polls === 0 ? "none" : plural(polls, "time")} while it was unfinished`)}
  </dl>`;
};

const requestsView = ({ journal }: MockService, id: string, { linkTo }: Place): Html => {
  const all = journal.find({ job: id });
  if (all.length === 0) {
    return html`<p class="quiet">The journal has no request about this job.</p>`;
  }
  const rows = all.slice(-mostRequests).map(
    ({ number, at, method, path, answer }) => html`<tr>
      <td>${timeOfDay(at)}</td>
      <td><a href="${linkTo({ until: undefined, entry: number })}#journal"><strong>${method}</strong> ${userText(path.slice(0, 300))}</a></td>
      <td>${answer?.status ?? "none"}</td>
    </tr>`,
  );
  const caption = "Requests about this job, newest first";
  return html`${table("job-requests", caption, ["Time", "Call", "Status"], rows.reverse())}
    ${leftOut(all.length - rows.length, "older")}`;
};

const json = (id: string, title: string, value: unknown): Html => html`
  <details id="${id}"><summary>${title}</summary>${textBox(title, writeJson(value))}</details>`;

/** Shows all about one job, or says that there is none and why there may have been one. */
export const oneJobView = (service: MockService, id: string, place: Place): Html => {
  const back = html`<p><a href="${place.linkTo({ job: undefined })}#jobs">All jobs</a></p>`;
  const detail = service.jobs.inspect(id);
  if (detail === undefined) {
    return html`<section id="jobs" class="panel job" tabindex="-1" aria-labelledby="job-title">
      ${back}
      <h2 id="job-title">No job has the id <code><bdi>${id}</bdi></code></h2>
      <p class="quiet">A reset takes all jobs away. With the expiry "not-found", jobs go when they expire.</p>
    </section>`;
  }
  const { job, account: key, request } = detail;
  const card = showJob(detail);
  const { action, status, made } = card;
  const { origin } = place;
  const curl = asCurl({ origin, method: "POST", path: "/v1/jobs", key, body: request });
  return html`
  <section id="jobs" class="panel job ${status}" tabindex="-1" aria-labelledby="job-title">
    ${back}
    <div class="bar">
      <h2 id="job-title">${action} <span class="status ${status}">${status}</span></h2>
      <code>${id}</code>
    </div>
    ${job.error !== undefined && html`<p class="reason bad" dir="auto">${writeJson(job.error)}</p>`}
    <div class="bar">
      <div class="line">
        <button type="button" data-copy="${id}">Copy id</button>
        ${curl !== undefined && html`<button type="button" data-copy="${curl}">Copy as curl</button>`}
        <button type="button" data-copy="${writeJson(job)}">Copy JSON</button>
      </div>
      ${endButtons(card)}
    </div>
    ${facts(detail, card, place)}
    ${made && html`<h3>Result</h3>${madeInFull(card, made)}`}
    <h3>Requests about this job</h3>
    ${requestsView(service, id, place)}
    ${json("job-request", "Request as it was sent", request)}
    ${json("job-json", "Job as JSON, its pictures by their paths", job)}
  </section>`;
};
