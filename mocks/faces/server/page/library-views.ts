import { html } from "hono/html";
import type { Thing } from "./made.ts";
import { type Html, section } from "./markup.ts";
import type { AccountOverview, Overview } from "./overview.ts";

/** Paints by an attribute of SVG, since the page's policy forbids style attributes. */
const swatch = (color: string): Html =>
  html`<svg class="color" viewBox="0 0 16 16" role="img" aria-label="${color}">
    <title>${color}</title><circle cx="8" cy="8" r="8" fill="${color}"/>
  </svg>`;

const thingView = (account: AccountOverview, thing: Thing, of: string): Html => html`
  <li id="thing-${account.key}-${thing.id}" class="${thing.picture === undefined ? "" : "pictured"}">
    ${thing.picture !== undefined && html`<img src="${thing.picture}?still" alt="Picture of ${thing.name}" loading="lazy">`}
    <details id="fields-${account.key}-${thing.id}">
      <summary><strong>${thing.name}</strong> <span class="colors">${thing.colors.map(swatch)}</span></summary>
      <pre tabindex="0" role="region" aria-label="All of ${thing.name}">${thing.text}</pre>
    </details>
    <p class="quiet">${of}</p>
  </li>`;

/** Shows the things of all accounts in a section of their own. */
const things = (
  { id, title, path }: { id: string; title: string; path: string },
  accounts: readonly AccountOverview[],
  listOf: (account: AccountOverview) => AccountOverview["brands"],
  ownerOf: (thing: Thing, account: AccountOverview) => string,
): Html => {
  const total = accounts.reduce((sum, account) => sum + listOf(account).total, 0);
  const items = accounts.flatMap((account) =>
    listOf(account).items.map((thing) => thingView(account, thing, ownerOf(thing, account))),
  );
  return section(
    { id, title, number: total },
    total === 0
      ? html`<p class="panel quiet">None yet: POST ${path}</p>`
      : html`<ul id="${id}-list" class="things panel">${items}</ul>`,
  );
};

/** Shows the brands with their colours, and the saved ads. */
export const libraryView = ({ accounts: { items } }: Overview): Html => {
  const names = new Map(
    items.flatMap(({ brands }) => brands.items.map(({ id, name }) => [id, name] as const)),
  );
  const brandOf = ({ brandId = "no brand" }: Thing): string => names.get(brandId) ?? brandId;
  const brands = { id: "brands", title: "Brands", path: "/v1/brands" };
  const ads = { id: "ads", title: "Saved ads", path: "/v1/saved-ads" };
  return html`
    ${things(
      brands,
      items,
      (account) => account.brands,
      (_, { key }) => key,
    )}
    ${things(
      ads,
      items,
      (account) => account.savedAds,
      (ad, { key }) => `${brandOf(ad)} · ${key}`,
    )}`;
};
