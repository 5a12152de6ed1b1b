import { html } from "hono/html";
import type { MockService } from "../../../service/mock-service.ts";
import { asCurl } from "./curl.ts";
import { endButtons, factsOf, madeBy } from "./job-card.ts";
import { requestsTable } from "./journal.ts";
import { duration, type Html, opening, userText } from "./markup.ts";
import type { Place } from "./place.ts";

/** Requests about one job that its page lists: the newest. */
const mostRequests = 30;

/** Shows all about one job, or says that there is none and why there may have been one. */
export const oneJobView = (service: MockService, id: string, place: Place): Html => {
  const detail = service.jobs.inspect(id);
  const back = html`<p><a href="${place.linkTo("jobs", { job: undefined })}">All jobs</a></p>`;
  if (detail === undefined) {
    return html`<section id="jobs" class="panel job" tabindex="-1" aria-labelledby="job-title">
      ${back}
      <h2 id="job-title">No job has the id <code><bdi>${id}</bdi></code></h2>
      <p class="quiet">A reset takes all jobs away. With the expiry "not-found", jobs go when they expire.</p>
    </section>`;
  }
  const { job, account, request, submittedAt, startedAt, finishedAt, endedBy, polls } = detail;
  const { prompt } = request;
  const after = (at: number): string => `${duration(at - submittedAt)} after its submission`;
  const facts = {
    Account: html`<a href="${place.linkTo("jobs", { job: undefined, account })}">${userText(account)}</a>`,
    Submitted: job.created_at,
    Processing: startedAt !== undefined && after(startedAt),
    Finished: finishedAt !== undefined && after(finishedAt),
    "Ended by": endedBy,
    Polls: `${polls} while it was unfinished`,
  };
  const requests = service.journal.find({ job: id }).slice(-mostRequests).reverse();
  const curl = asCurl(`${place.origin}/v1/jobs`, "POST", account, request);
  return html`
  <section id="jobs" class="panel job ${job.status}" tabindex="-1" aria-labelledby="job-title">
    ${back}
    <div class="bar">
      <h2 id="job-title">${job.action} <span class="status">${job.status}</span></h2>
      <code>${id}</code>
      ${endButtons(detail)}
    </div>
    ${job.error !== undefined && html`<p class="reason bad" dir="auto">${job.error}</p>`}
    ${typeof prompt === "string" && html`<p dir="auto">${prompt}</p>`}
    <p class="quiet" dir="auto">${factsOf(detail)}</p>
    <dl class="facts">${Object.entries(facts).map(
      ([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
    )}</dl>
    ${job.result !== undefined && madeBy(detail, true)}
    <h3>Requests about this job</h3>
    ${requestsTable("job-requests", "Requests about this job, newest first", requests, service, place)}
    ${opening("job-request", "Request as it was sent", request)}
    ${opening("job-curl", "Request as a curl command", curl)}
    ${opening("job-json", "Job as JSON, its pictures by their paths", job)}
  </section>`;
};
