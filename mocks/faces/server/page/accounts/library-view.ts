import { html } from "hono/html";
import { type Html, leftOut, section, textBox, userText } from "../markup.ts";
import type { AccountsLook } from "./account-look.ts";

/** Shows the newest brands or ads of the chosen accounts in a section of their own. */
const things = (
  { id, title, path }: { id: string; title: string; path: string },
  { total, items }: AccountsLook["brands"],
): Html => {
  const views = items.map(({ account, key, name, text }) => {
    return html`<li id="thing-${key}">
      <details id="fields-${key}">
        <summary><strong dir="auto">${name}</strong></summary>
        ${textBox(`All of ${name}`, text)}
      </details>
      <p class="quiet">${userText(account)}</p>
    </li>`;
  });
  return section(
    { id, title, number: total },
    html`<div class="panel">
      ${total === 0 && html`<p class="quiet">None yet: POST ${path}</p>`}
      <ul id="${id}-list" class="things">${views}</ul>
      ${leftOut(total - items.length, `more: choose an account, or GET ${path}.`)}
    </div>`,
  );
};

/** Shows the brands and the saved ads. */
export const libraryView = ({ brands, savedAds }: AccountsLook): Html => html`
  ${things({ id: "brands", title: "Brands", path: "/v1/brands" }, brands)}
  ${things({ id: "ads", title: "Saved ads", path: "/v1/saved-ads" }, savedAds)}`;
