import { html } from "hono/html";
import { endpoints } from "../../../../src/contract/endpoint.ts";
import type { JournalEntry } from "../../../journal/entry.ts";
import { maskKey } from "../../../journal/redact.ts";
import { answerClassOf } from "../../../journal/search.ts";
import type { MockService } from "../../../service/mock-service.ts";
import { asCurl } from "./curl.ts";
import { any, command, field, filterForm, select } from "./forms.ts";
import {
  chips,
  duration,
  type Html,
  opening,
  paging,
  plural,
  section,
  table,
  textBox,
  timeOfDay,
  userText,
} from "./markup.ts";
import type { Place } from "./place.ts";

/** Requests on one page of the journal. */
const pageSize = 25;

/** Characters of a path or a reason in a row. */
const longestText = 300;

const tones = { "2xx": "good", "4xx": "warn", "5xx": "bad", other: "", none: "bad" };

/** The error in the envelope of a refusal. */
const reasonOf = ({ answer, hint }: JournalEntry): string | false => {
  const { error }: { error?: unknown } = Object(answer?.body);
  return typeof error === "string" && [error, ...(hint ? [hint] : [])].join(": ");
};

/** Finds keys of accounts by the masked ones that the journal has. */
const keyFinder = ({ accounts }: MockService) => {
  const keys = new Map(accounts.map(({ key }) => [maskKey(key), key]));
  return ({ account = "" }: JournalEntry): string | undefined => keys.get(account) ?? account;
};

/** Lists requests, each with a link to all of it. */
export const requestsTable = (
  id: string,
  name: string,
  entries: readonly JournalEntry[],
  service: MockService,
  { entry: opened, linkTo }: Place,
): Html => {
  const keyOf = keyFinder(service);
  const row = (entry: JournalEntry): Html => {
    const { number, at, method, path, operation, jobId, answer, fault, accepted, tookMs } = entry;
    const unknown = entry.unknownParameters.join(", ");
    const reason = reasonOf(entry);
    return html`<tr id="${id}-${number}">
      <td>${number}</td>
      <td>${timeOfDay(at)}</td>
      <td>
        <a class="entry" href="${linkTo("journal", { entry: number })}" aria-current="${String(number === opened)}"><strong>${method}</strong> ${userText(path.slice(0, longestText))}</a>
        ${fault && html`<span class="status bad">fault: ${fault.kind}${fault.kind !== "latency" && (accepted ? ", carried out" : ", not carried out")}</span>`}
        ${unknown !== "" && html`<span class="status warn">unknown: ${userText(unknown.slice(0, longestText))}</span>`}
        ${operation === "jobs.submit" && jobId !== undefined && html`<a href="${linkTo("jobs", { job: jobId })}"><code>${jobId}</code></a>`}
        ${reason && html`<p class="quiet" dir="auto">${reason.slice(0, longestText)}</p>`}
      </td>
      <td><span class="status ${tones[answerClassOf(answer?.status)]}">${answer?.status ?? "none"}</span></td>
      <td>${tookMs !== undefined && duration(tookMs)}</td>
      <td>${userText(keyOf(entry))}</td>
    </tr>`;
  };
  const columns = ["No.", "Time", "Call", "Status", "Took", "Account"];
  return table("requests", id, name, columns, entries.map(row));
};

/** Shows one request with its answer, and with what a fault did to them. */
const oneRequest = (entry: JournalEntry, service: MockService, place: Place): Html => {
  const { number, method, path, body, answer, headers, ...others } = entry;
  const curl = asCurl(place.origin + path, method, keyFinder(service)(entry), body);
  const box = (title: string, value: unknown): Html =>
    html`<h4>${title}</h4>${textBox(`Request ${number}, ${title}`, value)}`;
  return html`
  <article id="request-${number}" class="lane" tabindex="-1" aria-label="Request ${number}, sent and answered">
    <div class="bar">
      <h3>${number} · ${method} ${userText(path)}</h3>
      <a href="${place.linkTo("journal", { entry: undefined })}">Close</a>
    </div>
    ${body !== undefined && box("Sent", body)}
    ${answer ? box(`Answered with ${answer.status}`, answer.body ?? "no body") : html`<p class="quiet">No answer went out.</p>`}
    ${opening(`rest-${number}`, "Headers and more", { headers, ...others })}
    ${opening(`curl-${number}`, "As a curl command", curl)}
  </article>`;
};

/** Shows the requests that fit the filters, and one that is chosen with all of its texts. */
export const journalView = (service: MockService, place: Place): Html => {
  const { journal } = service;
  const { entry: number, requests: search, fieldOf, linkTo } = place;
  const { total, counts, entries, older } = journal.search({ ...search, limit: pageSize });
  const opened = number === undefined ? undefined : journal.find({ number })[0];
  const all = journal.count;
  const filters = html`
    ${field("Text", "j-text", { type: "search", value: fieldOf("j-text"), placeholder: "path, id, body, answer" })}
    ${select("Call", "j-call", [any, ...Object.keys(endpoints)], fieldOf("j-call"))}
    ${select("Fault", "j-fault", [any, ["met a fault", "met"]], fieldOf("j-fault"))}`;
  const clear = command("Clear journal", "journal.clear", { confirm: "Forget all requests?" });
  const content = html`
    ${filterForm("Filter the requests", filters)}
    <div class="bar">
      ${chips("Status", counts, search.answered, (name) => linkTo("journal", { "j-status": name, until: undefined }))}
      ${paging([entries.length, total], "until", older > 0 && { until: (entries.at(-1)?.number ?? 0) - 1 }, place, "journal")}
    </div>
    ${opened && oneRequest(opened, service, place)}
    ${requestsTable("journal-table", "Requests, newest first", entries, service, place)}
    ${total === 0 && html`<p class="quiet">None of the ${plural(all, "request")} fits the filters.</p>`}`;
  return section(
    "journal",
    "Journal",
    all,
    html`<div class="panel">
      ${all > 0 ? content : html`<p class="quiet">Every request is listed here, with its body and its answer.</p>`}
      ${number !== undefined && opened === undefined && html`<p class="quiet">The journal has no request ${number}. A reset takes all requests away.</p>`}
      ${journal.forgotten > 0 && html`<p class="quiet">The journal has forgotten ${plural(journal.forgotten, "older request")}: see <code>journalLimit</code>.</p>`}
    </div>`,
    all > 0 && clear,
  );
};
