import { createHash } from "node:crypto";
import { html } from "hono/html";
import type { JournalEntry } from "../../../journal/entry.ts";
import type { MockJournal } from "../../../journal/journal.ts";
import { type Html, orderButton, section, timeOfDay } from "./markup.ts";
import type { EntryOverview, Overview } from "./overview.ts";

const longest = 20_000;

/** Names an entry. The number is not enough: after a reset the entries count from 1 again. */
const nameOf = ({ number, at, method, path }: EntryOverview): string => {
  const hash = createHash("sha1").update(JSON.stringify([number, at, method, path]));
  return hash.digest("base64url").slice(0, 12);
};

const write = (value: unknown): string => {
  const text = typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "");
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
};

const describe = ({ body, fault, answer }: JournalEntry): string =>
  [
    ...(body === undefined ? [] : [`Sent\n${write(body)}`]),
    ...(fault === undefined ? [] : [`Fault\n${write(fault)}`]),
    answer === undefined ? "No answer went out" : `Answered\n${write(answer.body)}`,
  ].join("\n\n");

const toneOf = (status: number | undefined): string => {
  if (status === undefined) return "none";
  if (status < 400) return "good";
  return status < 500 ? "warn" : "bad";
};

const row = (entry: EntryOverview, name: string, opened: JournalEntry | undefined): Html => {
  const { number, at, method, path, status, operation, account, fault } = entry;
  return html`
    <tr id="row-${name}">
      <td class="wide">${timeOfDay(at)}</td>
      <td>
        <button id="entry-${name}" type="button" class="entry" data-entry="${name}" aria-expanded="${String(opened !== undefined)}"><span class="method">${method}</span> <span>${path}</span></button>
        ${fault !== undefined && html`<span class="fault">fault: ${fault}</span>`}
      </td>
      <td><span class="status ${toneOf(status)}">${status ?? "none"}</span></td>
      <td class="wide">${operation}</td>
      <td class="wide">${account}</td>
    </tr>
    ${
      opened !== undefined &&
      html`<tr id="details-${name}" class="details"><td colspan="5">
        <pre id="pre-${name}" tabindex="0" role="region" aria-label="Request ${number}, sent and answered">${describe(opened)}</pre>
      </td></tr>`
    }`;
};

const table = (rows: readonly Html[]): Html => html`
  <table id="journal-table">
    <caption class="unseen">Requests, newest first</caption>
    <thead><tr>
      <th scope="col" class="wide">Time</th><th scope="col" class="most">Call</th>
      <th scope="col">Status</th><th scope="col" class="wide">Operation</th>
      <th scope="col" class="wide">Account</th>
    </tr></thead>
    <tbody id="journal-rows">${rows}</tbody>
  </table>`;

/** Shows the latest requests; those that the user has opened with their bodies. */
export const journalView = (
  { journal: { total, items } }: Overview,
  journal: MockJournal,
  open: ReadonlySet<string>,
): Html => {
  const rows = items.map((entry) => {
    const name = nameOf(entry);
    const [opened] = open.has(name) ? journal.find({ number: entry.number }) : [];
    return row(entry, name, opened);
  });
  const clear = orderButton({
    label: "Clear journal",
    path: "/__mock/journal",
    method: "DELETE",
    done: "The journal is empty",
    look: "plain",
  });
  const hidden = total - items.length;
  return section(
    { id: "journal", title: "Journal", number: total, button: clear },
    html`<div id="requests" class="panel scroll" tabindex="0" role="region" aria-label="Requests">
      ${
        total === 0
          ? html`<p class="quiet">Every request is listed here, with its body and its answer.</p>`
          : table(rows)
      }
      ${hidden > 0 && html`<p class="quiet">The latest ${items.length}; ${hidden} older ones are not shown.</p>`}
    </div>`,
  );
};
