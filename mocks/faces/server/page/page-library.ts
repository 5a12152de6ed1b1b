// This file's function is sent to the browser as text: nothing in it may come from outside.
import type { Thing } from "./admin-thing.ts";
import type { Dom } from "./page-dom.ts";
import type { Seen } from "./page-link.ts";

type Account = Seen["accounts"]["items"][number];

/** Brands with their colours, and saved ads. */
export const createLibraryView = ({ element, fill }: Dom) => {
  const thing = (account: Account, { id, name, colors, picture, text }: Thing, of: string) =>
    element(
      "li",
      {
        key: `${account.key}/${id}`,
        class: picture === undefined ? "thing" : "thing pictured",
      },
      picture !== undefined &&
        element("img", { src: `${picture}?still`, alt: `Picture of ${name}`, loading: "lazy" }),
      element(
        "details",
        {},
        element(
          "summary",
          {},
          element("strong", {}, name),
          element(
            "span",
            { class: "colors" },
            colors.map((color) =>
              element("span", {
                class: "color",
                role: "img",
                "aria-label": color,
                title: color,
                paint: color,
              }),
            ),
          ),
        ),
        element("pre", { tabindex: 0 }, text),
      ),
      element("p", { class: "quiet" }, of),
    );

  return ({ accounts: { items } }: Seen): void => {
    const count = (id: string, of: (account: Account) => number): void =>
      fill(id, String(items.reduce((sum, account) => sum + of(account), 0)));
    count("brands-count", ({ brands }) => brands.total);
    count("ads-count", ({ savedAds }) => savedAds.total);

    const names = new Map(
      items.flatMap(({ brands }) => brands.items.map(({ id, name }) => [id, name])),
    );
    const brandOf = ({ brandId }: Thing): string =>
      names.get(brandId ?? "") ?? brandId ?? "no brand";
    fill(
      "brands-list",
      items.map((account) =>
        account.brands.items.map((brand) => thing(account, brand, account.key)),
      ),
    );
    fill(
      "ads-list",
      items.map((account) =>
        account.savedAds.items.map((ad) => thing(account, ad, `${brandOf(ad)} · ${account.key}`)),
      ),
    );
  };
};
