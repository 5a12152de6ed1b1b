import { html } from "hono/html";
import type { JournalEntry } from "../../../../journal/entry.ts";
import { answerClassOf } from "../../../../journal/search.ts";
import { asCurl } from "../as-curl.ts";
import type { Place } from "../choice.ts";
import { duration, fact, type Html, textBox, timeOfDay, userText, writeJson } from "../markup.ts";
import { describeFault } from "../steering/fault-words.ts";
import type { ShownEntry } from "./journal-look.ts";

const tones = { "2xx": "good", "4xx": "warn", "5xx": "bad", other: "none", none: "bad" };

/** Says what a fault did, and whether the service did what the request asked. */
const whatTheFaultDid = ({ fault, accepted }: JournalEntry): string | false =>
  fault !== undefined &&
  `${describeFault(fault)}; the service ${accepted ? "carried the request out" : "did not carry the request out"}`;

const linkToJob = (jobId: string, { linkTo }: Place): Html =>
  html`<a href="${linkTo({ job: jobId })}#jobs"><code>${jobId}</code></a>`;

const body = (title: string, value: unknown): Html => html`
  <h3>${title}</h3>
  ${textBox(title, value === null ? "no body" : writeJson(value))}`;

const headers = (number: number, { headers: sent }: JournalEntry): Html => {
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`);
  return html`<details id="headers-${number}"><summary>Headers</summary>
    ${textBox(`Request ${number}, headers`, lines.join("\n"))}</details>`;
};

/** Shows a request with its answer: both bodies, and what a fault did to them. */
const details = (shown: ShownEntry, entry: JournalEntry, place: Place): Html => {
  const { number, account, reason, jobId, operation, tookMs, requestId, at } = shown;
  const { method, path, answer, unknownParameters } = entry;
  const curl = asCurl({ origin: place.origin, method, path, key: account, body: entry.body });
  const copy = html`<p><button type="button" data-copy="${curl}" aria-label="Copy as curl: request ${number}">Copy as curl</button></p>`;
  return html`<tr id="details-${number}" class="details"><td colspan="6"><div role="group" aria-label="Request ${number}, sent and answered">
    <dl class="facts">
      ${fact("Error", reason !== undefined && userText(reason), "long")}
      ${fact("Fault", whatTheFaultDid(entry), "long")}
      ${fact("Unknown", unknownParameters.length > 0 && userText(unknownParameters.join(", ")), "long")}
      ${fact("Job", jobId !== undefined && linkToJob(jobId, place))}
      ${fact("Account", account === undefined ? "no key was sent" : userText(account))}
      ${fact("Operation", operation ?? "none: the API has no such path")}
      ${fact("Took", tookMs !== undefined && duration(tookMs))}
      ${fact("Time", new Date(at).toISOString())}
      ${fact("Request id", html`<code>${requestId}</code>`)}
    </dl>
    ${curl === undefined ? html`<p class="quiet">The body is too long for a curl command.</p>` : copy}
    ${Object.keys(entry.headers).length > 0 && headers(number, entry)}
    ${entry.body !== undefined && body(`Request ${number}, sent`, entry.body)}
    ${answer ? body(`Request ${number}, answered with ${answer.status}`, answer.body) : html`<p class="quiet">No answer went out.</p>`}
  </div></td></tr>`;
};

/** Shows one request as a row, and all of it below when it is opened. */
export const entryView = (
  shown: ShownEntry,
  opened: JournalEntry | undefined,
  newest: number,
  place: Place,
): Html => {
  const { number, at, method, path, operation, status, account } = shown;
  const { fault, accepted, reason, tookMs, jobId } = shown;
  const isOpen = number === opened?.number;
  const entry = isOpen ? undefined : number;
  const toggle = place.linkTo({ entry, until: place.choice.until ?? newest });
  return html`
    <tr id="row-${number}">
      <td>${number}</td>
      <td>${timeOfDay(at)}</td>
      <td>
        <a id="entry-${number}" class="entry" href="${toggle}#entry-${number}" data-stay aria-expanded="${String(isOpen)}"><strong>${method}</strong> ${userText(path)}</a>
        ${fault !== undefined && html`<span class="status bad">fault: ${fault}${fault !== "latency" && (accepted ? ", carried out" : ", not carried out")}</span>`}
        ${operation === "jobs.submit" && jobId !== undefined && linkToJob(jobId, place)}
        ${reason !== undefined && html`<p class="quiet" dir="auto">${reason}</p>`}
      </td>
      <td><span class="status ${tones[answerClassOf(status)]}">${status ?? "none"}</span></td>
      <td>${tookMs !== undefined && duration(tookMs)}</td>
      <td>${userText(account)}</td>
    </tr>
    ${isOpen && details(shown, opened, place)}`;
};
