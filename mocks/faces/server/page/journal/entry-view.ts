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
const whatTheFaultDid = ({ fault, accepted }: JournalEntry): string =>
  fault === undefined
    ? ""
    : `${describeFault(fault)}; the service ${accepted ? "carried the request out" : "did not carry the request out"}`;

const facts = (shown: ShownEntry, entry: JournalEntry, { linkTo }: Place): Html => html`
  <dl class="facts">
    ${fact("Error", shown.reason !== undefined && userText(shown.reason), "long")}
    ${fact("Fault", whatTheFaultDid(entry), "long")}
    ${fact("Job", shown.jobId !== undefined && html`<a href="${linkTo({ job: shown.jobId })}#jobs" data-go><code>${shown.jobId}</code></a>`)}
    ${fact("Account", shown.account === undefined ? "no key was sent" : userText(shown.account))}
    ${fact("Operation", shown.operation ?? "none: the API has no such path")}
    ${fact("Took", shown.tookMs !== undefined && duration(shown.tookMs))}
    ${fact("Time", new Date(shown.at).toISOString())}
    ${fact("Request id", html`<code>${shown.requestId}</code>`)}
  </dl>`;

const body = (title: string, value: unknown): Html => html`
  <h3>${title}</h3>
  ${textBox(title, value === null ? "no body" : writeJson(value))}`;

/** Shows a request with its answer: both bodies, and what a fault did to them. */
const details = (shown: ShownEntry, entry: JournalEntry, place: Place): Html => {
  const { number, account } = shown;
  const { method, path, truncated, answer } = entry;
  const curl = asCurl({ origin: place.origin, method, path, key: account, body: entry.body });
  const isWhole = !truncated && curl !== undefined;
  return html`<tr id="details-${number}" class="details"><td colspan="6"><div role="group" aria-label="Request ${number}, sent and answered">
    ${facts(shown, entry, place)}
    ${
      isWhole
        ? html`<div class="buttons"><button type="button" data-copy="${curl}" aria-label="Copy as curl: request ${number}">Copy as curl</button></div>`
        : html`<p class="quiet">${truncated ? "The journal has cut the long texts of this request." : "The body is too long for a curl command."}</p>`
    }
    ${entry.body !== undefined && body(`Request ${number}, sent`, entry.body)}
    ${
      answer === undefined
        ? html`<p class="quiet">No answer went out.</p>`
        : body(`Request ${number}, answered with ${answer.status}`, answer.body)
    }
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
  const { linkTo, choice } = place;
  const isOpen = number === opened?.number;
  const until = choice.until ?? newest;
  const toggle = linkTo({ entry: isOpen ? undefined : number, until });
  return html`
    <tr id="row-${number}">
      <td class="wide number">${number}</td>
      <td class="wide">${timeOfDay(at)}</td>
      <td class="request">
        <a id="entry-${number}" class="entry" href="${toggle}#entry-${number}" data-go data-stay aria-expanded="${String(isOpen)}"><span class="method">${method}</span> ${userText(path)}</a>
        ${fault !== undefined && html`<span class="fault">fault: ${fault}${fault !== "latency" && (accepted ? ", carried out" : ", not carried out")}</span>`}
        ${operation === "jobs.submit" && jobId !== undefined && html`<a class="quiet" href="${linkTo({ job: jobId })}#jobs" data-go tabindex="-1">${jobId}</a>`}
        ${reason !== undefined && html`<span class="why" dir="auto">${reason}</span>`}
        <span class="narrow quiet">${number} · ${timeOfDay(at)} ${tookMs !== undefined && duration(tookMs)} ${userText(account)}</span>
      </td>
      <td><span class="status ${tones[answerClassOf(status)]}">${status ?? "none"}</span></td>
      <td class="wide took">${tookMs !== undefined && duration(tookMs)}</td>
      <td class="wide">${userText(account)}</td>
    </tr>
    ${isOpen && details(shown, opened, place)}`;
};
