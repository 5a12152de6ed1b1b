import { html } from "hono/html";
import { endpoints } from "../../../../../src/contract/endpoint.ts";
import { answerClasses } from "../../../../journal/search.ts";
import { faultFilters, type Place } from "../choice.ts";
import {
  choice as chooseFrom,
  count,
  filterForm,
  type Html,
  inWords,
  keyField,
  orderButton,
  plural,
  section,
} from "../markup.ts";
import { entryView } from "./entry-view.ts";
import type { JournalLook } from "./journal-look.ts";

const filters = ({ choice }: Place): Html =>
  filterForm(
    "journal-filters",
    "Filter the requests",
    html`
    <label class="long">Text
      <input id="j-text" name="j-text" type="search" value="${choice.journalText}" dir="auto" autocomplete="off" placeholder="path, id, body, answer">
    </label>
    ${keyField("j-account", choice.account)}
    ${chooseFrom("Call", { id: "j-call", none: "any" }, Object.keys(endpoints), choice.call)}
    ${chooseFrom("Fault", { id: "j-fault", none: "any" }, Object.keys(faultFilters), choice.fault)}`,
  );

/** Shows the counts of the classes of answers; each is a link that shows its class alone. */
const classes = ({ counts }: JournalLook, { choice, linkTo }: Place): Html => {
  const sum = Object.values(counts).reduce((one, other) => one + other, 0);
  const link = (value: string | undefined, label: string, number: number): Html => {
    const href = linkTo({ "j-status": value, until: undefined, entry: undefined });
    return html`<a href="${href}#journal" data-go data-stay aria-current="${String(choice.answered === value)}">${label} ${count(number)}</a>`;
  };
  return html`
    <div class="classes" role="group" aria-label="Status">
      ${link(undefined, "All", sum)}
      ${answerClasses
        .filter((name) => name !== "other" || counts.other > 0 || choice.answered === "other")
        .map((name) => link(name, name === "none" ? "no answer" : name, counts[name]))}
    </div>`;
};

const columns = html`<thead><tr>
  <th scope="col" class="wide number">No.</th><th scope="col" class="wide">Time</th>
  <th scope="col" class="most">Call</th><th scope="col">Status</th>
  <th scope="col" class="wide took">Took</th><th scope="col" class="wide">Account</th>
</tr></thead>`;

const rows = ({ listed, opened, newest }: JournalLook, place: Place): Html => html`
  <table id="journal-table">
    <caption class="unseen">Requests, newest first</caption>
    ${columns}
    <tbody id="journal-rows">${listed.map((entry) => entryView(entry, opened, newest, place))}</tbody>
  </table>`;

/** Says in words what the list does not show. */
const notes = ({ all, total, forgotten, opened }: JournalLook, { choice }: Place): Html => html`
  ${choice.entry !== undefined && opened === undefined && html`<p class="quiet">The journal has no request ${choice.entry}. A reset takes all requests away.</p>`}
  ${all === 0 && forgotten === 0 && html`<p class="quiet">Every request is listed here, with its body and its answer.</p>`}
  ${all > 0 && total === 0 && html`<p class="quiet">None of the ${plural(all, "request")} fits the filters.</p>`}
  ${forgotten > 0 && html`<p class="quiet">The journal has forgotten ${plural(forgotten, "older request")}: see <code>--journal-limit</code>.</p>`}`;

/** Leads to the newest requests from a list that stands still, and to older ones. */
const paging = ({ listed, newer, older }: JournalLook, { choice, linkTo }: Place): Html => {
  const oldestShown = listed.at(-1)?.number ?? 0;
  const stands = choice.until !== undefined || choice.entry !== undefined;
  const newest = linkTo({ until: undefined, entry: undefined });
  const next = linkTo({ until: oldestShown - 1, entry: undefined });
  return html`<p class="paging">
    ${stands && html`<a href="${newest}#journal" data-go>Newest</a> <span id="journal-news" class="quiet">${inWords(newer)} newer</span>`}
    ${older > 0 && html`<a href="${next}#journal" data-go>Older</a> <span class="quiet">${inWords(older)} more</span>`}
  </p>`;
};

/** Shows the requests that fit the filters, and the one that is opened with all of its texts. */
export const journalView = (look: JournalLook, place: Place): Html => {
  const { all, total } = look;
  const { choice } = place;
  const clear = orderButton({
    label: "Clear journal",
    path: "/__mock/journal",
    method: "DELETE",
    done: "The journal is empty",
    confirm: "Forget all requests?",
    look: "plain",
  });
  const isFiltered = total < all || choice.answered !== undefined;
  return section(
    { id: "journal", title: "Journal", number: all, button: all > 0 && clear },
    html`<div class="panel requests">
      ${(all > 0 || isFiltered) && html`${filters(place)} <div class="bar">${classes(look, place)} ${paging(look, place)}</div>`}
      ${all > 0 && rows(look, place)}
      ${notes(look, place)}
    </div>`,
  );
};
