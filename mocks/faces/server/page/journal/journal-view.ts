import { html } from "hono/html";
import { endpoints } from "../../../../../src/contract/endpoint.ts";
import { answerClasses } from "../../../../journal/search.ts";
import { faultFilters, type Place } from "../choice.ts";
import { filterForm, keyField, select } from "../forms.ts";
import { chip, chips, type Html, inWords, plural, section, table } from "../markup.ts";
import { entryView } from "./entry-view.ts";
import type { JournalLook } from "./journal-look.ts";

const filters = ({ choice: { journalText, account, call, fault } }: Place): Html =>
  filterForm(
    "journal-filters",
    "Filter the requests",
    html`
    <label class="long">Text<input id="j-text" name="j-text" type="search" value="${journalText}" dir="auto" autocomplete="off" placeholder="path, id, body, answer"></label>
    ${keyField("j-account", account)}
    ${select("Call", { id: "j-call", none: "any" }, Object.keys(endpoints), call)}
    ${select("Fault", { id: "j-fault", none: "any" }, Object.keys(faultFilters), fault)}`,
  );

/** Shows the counts of the classes of answers; each is a link that shows its class alone. */
const classes = ({ counts }: JournalLook, { choice: { answered }, linkTo }: Place): Html => {
  const sum = Object.values(counts).reduce((one, other) => one + other, 0);
  const hrefOf = (value: string | undefined): string =>
    `${linkTo({ "j-status": value, until: undefined, entry: undefined })}#journal`;
  const shown = answerClasses.filter(
    (name) => name !== "other" || counts.other > 0 || answered === "other",
  );
  return chips("Status", [
    chip(hrefOf(undefined), "All", sum, answered === undefined),
    ...shown.map((name) =>
      chip(hrefOf(name), name === "none" ? "no answer" : name, counts[name], name === answered),
    ),
  ]);
};

/** Says in words what the list does not show. */
const notes = ({ all, total, forgotten, opened }: JournalLook, { choice }: Place): Html => html`
  ${choice.entry !== undefined && opened === undefined && html`<p class="quiet">The journal has no request ${choice.entry}. A reset takes all requests away.</p>`}
  ${all === 0 && forgotten === 0 && html`<p class="quiet">Every request is listed here, with its body and its answer.</p>`}
  ${all > 0 && total === 0 && html`<p class="quiet">None of the ${plural(all, "request")} fits the filters.</p>`}
  ${forgotten > 0 && html`<p class="quiet">The journal has forgotten ${plural(forgotten, "older request")}: see <code>--journal-limit</code>.</p>`}`;

/** Leads to the newest requests from a list that stands still, and to older ones. */
const paging = ({ listed, newer, older }: JournalLook, { choice, linkTo }: Place): Html => {
  const stands = choice.until !== undefined || choice.entry !== undefined;
  const newest = linkTo({ until: undefined, entry: undefined });
  const next = linkTo({ until: (listed.at(-1)?.number ?? 0) - 1, entry: undefined });
  return html`<p class="line">
    ${stands && html`<a href="${newest}#journal">Newest</a>`}
    ${newer > 0 && html`<span id="journal-news" class="quiet">${inWords(newer)} newer</span>`}
    ${older > 0 && html`<a href="${next}#journal">Older</a> <span class="quiet">${inWords(older)} more</span>`}
  </p>`;
};

/** Shows the requests that fit the filters, and the one that is opened with all of its texts. */
export const journalView = (look: JournalLook, place: Place): Html => {
  const { all, total, opened, newest } = look;
  const button = html`<form action="/__mock/journal.clear" data-done="The journal is empty" data-confirm="Forget all requests?">
    <button class="plain">Clear journal</button></form>`;
  const isFiltered = total < all || place.choice.answered !== undefined;
  const columns = ["No.", "Time", "Call", "Status", "Took", "Account"];
  const rows = look.listed.map((entry) => entryView(entry, opened, newest, place));
  return section(
    { id: "journal", title: "Journal", number: all, button: all > 0 && button },
    html`<div class="panel">
      ${(all > 0 || isFiltered) && html`${filters(place)} <div class="bar">${classes(look, place)} ${paging(look, place)}</div>`}
      ${all > 0 && table("journal-table", "Requests, newest first", columns, rows)}
      ${notes(look, place)}
    </div>`,
  );
};
