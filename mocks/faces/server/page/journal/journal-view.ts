import { html } from "hono/html";
import { endpoints } from "../../../../../src/contract/endpoint.ts";
import { faultKinds } from "../../../../faults/fault.ts";
import { answerClasses } from "../../../../journal/search.ts";
import { keyField } from "../accounts/key-field.ts";
import { type Html, orderButton, plural, section, userText } from "../markup.ts";
import { entryView, type Place } from "./entry-view.ts";
import { anyFault, type JournalLook, noFault } from "./journal-look.ts";

/** One choice among a few, which the page's address keeps. */
const filter = (
  name: string,
  label: string,
  values: readonly string[],
  chosen: string | undefined,
): Html => html`
  <label>${label}<select id="${name}" name="${name}" autocomplete="off" dir="auto">
    <option id="${name}-" value="">any</option>
    ${values.map((value) => html`<option id="${name}-${value}" value="${value}" ${value === chosen ? "selected" : ""}>${value}</option>`)}
  </select></label>`;

const faultChosen = (fault: JournalLook["choice"]["fault"]): string | undefined => {
  if (typeof fault === "boolean") return fault ? anyFault : noFault;
  return fault;
};

const filters = ({ choice }: JournalLook): Html => html`
  <form id="journal-filters" class="filters" role="search" aria-label="Filter the requests" data-choose>
    <label class="long">Text
      <input id="j-text" name="j-text" type="search" value="${choice.text ?? ""}" dir="auto" autocomplete="off" placeholder="path, id, body, answer">
    </label>
    ${keyField({ id: "j-account", name: "account", value: choice.account ?? "" })}
    ${filter("j-call", "Call", Object.keys(endpoints), choice.operation)}
    ${filter("j-fault", "Fault", [anyFault, noFault, ...faultKinds], faultChosen(choice.fault))}
  </form>`;

/** Shows the counts of the classes of answers; each is a button that shows its class alone. */
const classes = ({ counts, choice }: JournalLook): Html => {
  const sum = Object.values(counts).reduce((one, other) => one + other, 0);
  const button = (value: string, label: string, number: number): Html => {
    const isChosen = (choice.answered ?? "") === value;
    return html`<button type="button" id="j-status-${value}" data-set="j-status" value="${value}" aria-pressed="${String(isChosen)}">${label} <span class="count">${number.toLocaleString("en")}</span></button>`;
  };
  return html`
    <div class="classes" role="group" aria-label="Status">
      ${button("", "All", sum)}
      ${answerClasses
        .filter((name) => name !== "other" || counts.other > 0 || choice.answered === "other")
        .map((name) => button(name, name === "none" ? "no answer" : name, counts[name]))}
    </div>`;
};

/** Pauses the list, and lets it go on. While it is paused, nothing in it moves. */
const pause = ({ choice, newer, newest }: JournalLook): Html =>
  choice.until === undefined
    ? html`<button type="button" id="journal-pause" data-until="${newest}">Pause</button>`
    : html`<button type="button" id="journal-pause" class="main" data-until="">Go on</button>
        <span id="journal-news" class="quiet">Paused · ${newer.toLocaleString("en")} new since</span>`;

const paging = ({ listed, newer, newerUntil, older, choice }: JournalLook): Html => {
  const oldestShown = listed.at(-1)?.number;
  return html`<p class="paging">
    ${choice.until !== undefined && newer > 0 && html`<button type="button" id="journal-newer" data-until="${newerUntil ?? ""}" data-page>Newer</button>`}
    ${
      older > 0 &&
      oldestShown !== undefined &&
      html`<button type="button" id="journal-older" data-until="${oldestShown - 1}" data-page>Older</button>
      <span class="quiet">${older.toLocaleString("en")} more</span>`
    }
  </p>`;
};

const columns = html`<thead><tr>
  <th scope="col" class="wide">Time</th><th scope="col" class="most">Call</th>
  <th scope="col">Status</th><th scope="col" class="wide took">Took</th>
  <th scope="col" class="wide">Account</th>
</tr></thead>`;

const rows = (look: JournalLook, place: Place): Html => {
  const { pinned, listed } = look;
  return html`
    <table id="journal-table" data-newest="${look.newest}" data-oldest="${look.oldest ?? 0}" data-forgotten="${look.forgotten}">
      <caption class="unseen">Requests, newest first. Arrow keys move from one to the next.</caption>
      ${columns}
      <tbody id="pinned-rows">${pinned.map((entry, index) => entryView(entry, index === 0, place))}</tbody>
      <tbody id="journal-rows">${listed.map((entry, index) =>
        entryView(entry, index === 0 && pinned.length === 0, place),
      )}</tbody>
    </table>`;
};

/** Says in words what the list does not show. */
const notes = ({
  all,
  total,
  forgotten,
  listed,
  pinned,
  isKnown,
  missing,
  choice,
}: JournalLook): Html => html`
  ${missing.map((number) => html`<p class="quiet">The journal has no request ${number.slice(0, 20)}. A reset begins the numbers anew.</p>`)}
  ${!isKnown && html`<p class="quiet">No account has the key ${userText(choice.account)}.</p>`}
  ${all === 0 && forgotten === 0 && html`<p class="quiet">Every request is listed here, with its body and its answer.</p>`}
  ${all > 0 && total === 0 && html`<p class="quiet">None of the ${plural(all, "request")} fits the filters.</p>`}
  ${total > 0 && listed.length + pinned.length === 0 && html`<p class="quiet">Nothing here any more.</p>`}
  ${forgotten > 0 && html`<p class="quiet">The journal has forgotten ${plural(forgotten, "older request")}: see <code>--journal-limit</code>.</p>`}`;

/** Shows the requests that fit the filters, and those that are opened with all of their texts. */
export const journalView = (look: JournalLook, place: Place): Html => {
  const { all, total, choice } = look;
  const clear = orderButton({
    label: "Clear journal",
    path: "/__mock/journal",
    method: "DELETE",
    done: "The journal is empty",
    twice: "Press again to forget all requests",
    look: "plain",
  });
  const isFiltered = total < all || choice.answered !== undefined;
  return section(
    { id: "journal", title: "Journal", number: all, button: all > 0 && clear },
    html`<div class="panel requests">
      ${
        (all > 0 || isFiltered) &&
        html`${filters(look)}
      <div class="bar">${classes(look)} <div class="pause">${pause(look)}</div></div>`
      }
      ${all > 0 && rows(look, place)}
      ${notes(look)} ${paging(look)}
    </div>`,
  );
};
