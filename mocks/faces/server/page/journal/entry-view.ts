import { html } from "hono/html";
import type { JournalEntry } from "../../../../journal/entry.ts";
import { answerClassOf } from "../../../../journal/search.ts";
import { asCurl } from "../as-curl.ts";
import type { LinkTo } from "../choice.ts";
import { duration, type Html, timeOfDay, userText } from "../markup.ts";
import { describeFault } from "../steering/fault-words.ts";
import type { ShownEntry } from "./journal-look.ts";

const longest = 20_000;

/** Facts about the page that its links and commands need. */
export interface Place {
  readonly origin: string;
  readonly linkTo: LinkTo;
}

const write = (value: unknown): string => {
  const text = typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "");
  return text.length > longest
    ? `${text.slice(0, longest)}…\n(${text.length - longest} more characters)`
    : text;
};

const tones = { "2xx": "good", "4xx": "warn", "5xx": "bad", other: "none", none: "bad" };

/** Says what a fault did, and whether the service did what the request asked. */
const whatTheFaultDid = ({ fault, accepted }: JournalEntry): string =>
  fault === undefined
    ? ""
    : `${describeFault(fault)}; the service ${accepted ? "carried the request out" : "did not carry the request out"}`;

const fact = (name: string, value: string | Html | false | undefined, look = ""): Html | "" =>
  value === undefined || value === false || value === ""
    ? ""
    : html`<div class="${look}"><dt>${name}</dt><dd>${value}</dd></div>`;

const facts = (shown: ShownEntry, entry: JournalEntry, linkTo: LinkTo): Html => html`
  <dl class="facts">
    ${fact("Error", shown.reason !== undefined && userText(shown.reason), "long")}
    ${fact("Fault", whatTheFaultDid(entry), "long")}
    ${fact("Job", shown.jobId !== undefined && html`<a href="${linkTo({ job: shown.jobId })}#jobs" data-go><code>${shown.jobId}</code></a>`)}
    ${fact("Account", shown.account === undefined ? "no key was sent" : userText(shown.account))}
    ${fact("Operation", shown.operation ?? "none: the API has no such path")}
    ${fact("Took", shown.tookMs !== undefined && `${duration(shown.tookMs)}`)}
    ${fact("Time", new Date(shown.at).toISOString())}
    ${fact("Request id", html`<code>${shown.requestId}</code>`)}
    ${fact("Entry", html`<a href="${linkTo({ entry: String(shown.number) })}#journal">${shown.number}</a>`)}
  </dl>`;

const body = (title: string, id: string, value: unknown): Html => html`
  <h3>${title}</h3>
  <pre id="${id}" dir="auto" tabindex="0" role="region" aria-label="${title}">${write(value)}</pre>`;

const details = (shown: ShownEntry, entry: JournalEntry, place: Place): Html => {
  const { name, number, account } = shown;
  const { method, path } = entry;
  const curl = entry.truncated
    ? undefined
    : asCurl({ origin: place.origin, method, path, key: account, body: entry.body });
  return html`<tr id="details-${name}" class="details" data-name="${name}"><td colspan="5"><div role="group" aria-label="Request ${number}, sent and answered">
    <p class="quiet forgotten" hidden>The journal has forgotten this request since. This page still shows it.</p>
    ${facts(shown, entry, place.linkTo)}
    <div class="buttons">
      ${
        curl === undefined
          ? html`<p class="quiet">${entry.truncated ? "The journal has cut the long texts of this request." : "The body is too long for a curl command."}</p>`
          : html`<button type="button" data-copy="${curl}" aria-label="Copy as curl: request ${number}">Copy as curl</button>`
      }
    </div>
    ${entry.body !== undefined && body(`Request ${number}, sent`, `sent-${name}`, entry.body)}
    ${
      entry.answer === undefined
        ? html`<p class="quiet">No answer went out.</p>`
        : body(
            `Request ${number}, answered with ${entry.answer.status}`,
            `answer-${name}`,
            entry.answer.body,
          )
    }
  </div></td></tr>`;
};

/** Shows one request as a row, and all of it below when it is opened. */
export const entryView = (shown: ShownEntry, isFirst: boolean, place: Place): Html => {
  const { name, at, method, path, operation, status, account } = shown;
  const { fault, accepted, reason, tookMs, jobId, whole } = shown;
  return html`
    <tr id="row-${name}">
      <td class="wide">${timeOfDay(at)}</td>
      <td class="request">
        <button id="entry-${name}" type="button" class="entry" data-entry="${name}" tabindex="${isFirst ? 0 : -1}" aria-expanded="${String(whole !== undefined)}"><span class="method">${method}</span> ${userText(path)}</button>
        ${fault !== undefined && html`<span class="fault">fault: ${fault}${fault !== "latency" && (accepted ? ", carried out" : ", not carried out")}</span>`}
        ${operation === "jobs.submit" && jobId !== undefined && html`<a class="quiet" href="${place.linkTo({ job: jobId })}#jobs" data-go tabindex="-1">${jobId}</a>`}
        ${reason !== undefined && html`<span class="why" dir="auto">${reason}</span>`}
        <span class="narrow quiet">${timeOfDay(at)} ${tookMs !== undefined && duration(tookMs)} ${userText(account)}</span>
      </td>
      <td><span class="status ${tones[answerClassOf(status)]}">${status ?? "none"}</span></td>
      <td class="wide took">${tookMs !== undefined && duration(tookMs)}</td>
      <td class="wide">${userText(account)}</td>
    </tr>
    ${whole !== undefined && details(shown, whole, place)}`;
};
