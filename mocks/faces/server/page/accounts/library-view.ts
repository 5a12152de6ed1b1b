import { html } from "hono/html";
import { type Html, inWords, section, textBox, userText } from "../markup.ts";
import type { AccountsLook, OwnedThing } from "./account-look.ts";

/** Paints by an attribute of SVG, since the page's policy forbids style attributes. */
const swatch = (color: string): Html =>
  html`<svg class="color" width="16" height="16" role="img" aria-label="${color}">
    <title>${color}</title><circle cx="8" cy="8" r="7.5" fill="${color}" stroke="#777"/>
  </svg>`;

const thingView = (thing: OwnedThing, of: Html): Html => html`
  <li id="thing-${thing.account}-${thing.id}" class="${thing.picture !== undefined && "pictured"}">
    ${thing.picture !== undefined && html`<img src="${thing.picture}?still" alt="Picture of ${thing.name}" loading="lazy">`}
    <div>
      <details id="fields-${thing.account}-${thing.id}">
        <summary><strong dir="auto">${thing.name}</strong> ${thing.colors.map(swatch)}</summary>
        ${textBox(`All of ${thing.name}`, thing.text)}
      </details>
      <p class="quiet">${of}</p>
    </div>
  </li>`;

/** Shows the newest things of the chosen accounts in a section of their own. */
const things = (
  { id, title, path }: { id: string; title: string; path: string },
  { total, items }: AccountsLook["brands"],
  ownerOf: (thing: OwnedThing) => Html,
): Html => {
  const hidden = total - items.length;
  return section(
    { id, title, number: total },
    html`<div class="panel">
      ${
        total === 0
          ? html`<p class="quiet">None yet: POST ${path}</p>`
          : html`<ul id="${id}-list" class="things">${items.map((thing) => thingView(thing, ownerOf(thing)))}</ul>`
      }
      ${hidden > 0 && html`<p class="quiet">${inWords(hidden)} more: choose an account, or GET ${path}.</p>`}
    </div>`,
  );
};

/** Shows the brands with their colours, and the saved ads. */
export const libraryView = ({ brands, savedAds }: AccountsLook): Html => {
  const names = new Map(brands.items.map(({ id, name }) => [id, name] as const));
  const brandOf = ({ brandId = "no brand" }: OwnedThing): string => names.get(brandId) ?? brandId;
  return html`
    ${things({ id: "brands", title: "Brands", path: "/v1/brands" }, brands, ({ account }) =>
      userText(account),
    )}
    ${things(
      { id: "ads", title: "Saved ads", path: "/v1/saved-ads" },
      savedAds,
      (ad) => html`${userText(brandOf(ad))} · ${userText(ad.account)}`,
    )}`;
};
