import { html } from "hono/html";
import { type Html, leftOut, section, textBox, userText } from "../markup.ts";
import type { AccountsLook } from "./account-look.ts";

/** Paints by an attribute of SVG, since the page's policy forbids style attributes. */
const swatch = (color: string): Html =>
  html`<svg class="color" width="16" height="16" role="img" aria-label="${color}">
    <title>${color}</title><circle cx="8" cy="8" r="7.5" fill="${color}" stroke="#777"/>
  </svg>`;

type Things = AccountsLook["brands"];

/** Shows the newest things of the chosen accounts in a section of their own. */
const things = (
  { id, title, path }: { id: string; title: string; path: string },
  { total, items }: Things,
  ownerOf: (thing: Things["items"][number]) => Html,
): Html => {
  const views = items.map((thing) => {
    const { account, name, picture, colors, text } = thing;
    const image = html`<img src="${picture}" alt="Picture of ${name}" loading="lazy">`;
    return html`<li id="thing-${account}-${thing.id}">
      ${picture !== undefined && image}
      <div>
        <details id="fields-${account}-${thing.id}">
          <summary><strong dir="auto">${name}</strong> ${colors.map(swatch)}</summary>
          ${textBox(`All of ${name}`, text)}
        </details>
        <p class="quiet">${ownerOf(thing)}</p>
      </div>
    </li>`;
  });
  const none = html`<p class="quiet">None yet: POST ${path}</p>`;
  return section(
    { id, title, number: total },
    html`<div class="panel">
      ${total === 0 ? none : html`<ul id="${id}-list" class="things">${views}</ul>`}
      ${leftOut(total - items.length, `more: choose an account, or GET ${path}.`)}
    </div>`,
  );
};

/** Shows the brands with their colours, and the saved ads. */
export const libraryView = ({ brands, savedAds }: AccountsLook): Html => {
  const names = new Map(brands.items.map(({ id, name }) => [id, name]));
  const brandOf = (id = "no brand"): string => names.get(id) ?? id;
  return html`
    ${things({ id: "brands", title: "Brands", path: "/v1/brands" }, brands, ({ account }) =>
      userText(account),
    )}
    ${things(
      { id: "ads", title: "Saved ads", path: "/v1/saved-ads" },
      savedAds,
      ({ brandId, account }) => html`${userText(brandOf(brandId))} · ${userText(account)}`,
    )}`;
};
