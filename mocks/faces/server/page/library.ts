import { html } from "hono/html";
import type { MockService } from "../../../service/mock-service.ts";
import { form } from "./forms.ts";
import { fieldsOf } from "./job-card.ts";
import { type Html, inWords, section, textBox, userText } from "./markup.ts";
import type { Place } from "./place.ts";

/** Brands or saved ads in a list. */
const mostThings = 12;

/** Names a brand or an ad, whose fields clients choose freely. */
const nameOf = (thing: { readonly id: string }): string => {
  const { name, title, headline } = fieldsOf(thing);
  const label = [name, title, headline].find((value) => typeof value === "string");
  return String(label ?? thing.id).slice(0, 120);
};

/** Shows the newest brands or ads of the chosen accounts in a section of their own. */
export const libraryView = (
  [id, title, kind, path]: readonly [string, string, "brands" | "savedAds", string],
  { accounts }: MockService,
  place: Place,
): Html => {
  const chosen = accounts.filter(({ key }) => key === (place.account ?? key));
  const numbers = chosen.map((account) => account.counts[kind]);
  const total = numbers.reduce((sum, number) => sum + number, 0);
  const things = chosen
    .filter((_, index) => numbers[index])
    // Reading the things of an account copies all of them, and one account has one at least.
    .slice(0, mostThings)
    .flatMap(({ key, [kind]: all }) => all.map((thing) => ({ thing, key })))
    .slice(0, mostThings);
  const items = things.map(
    ({ thing, key }) => html`<li><details id="${id}-${key}-${thing.id}">
      <summary>${userText(nameOf(thing))} <span class="quiet">${userText(key)}</span></summary>
      ${textBox(`All of ${nameOf(thing)}`, thing)}
    </details></li>`,
  );
  return section(
    id,
    title,
    total,
    html`<div class="panel">
      ${total === 0 ? html`<p class="quiet">None yet: POST ${path}</p>` : html`<ul id="${id}-list" class="things">${items}</ul>`}
      ${total > items.length && html`<p class="quiet">${inWords(total - items.length)} more: choose an account, or GET ${path}.</p>`}
    </div>`,
  );
};
