// This file's function is sent to the browser as text: nothing in it may come from outside.
import type { Dom, Spec } from "./page-dom.ts";
import type { Link, Seen } from "./page-link.ts";

type Account = Seen["accounts"]["items"][number];

/** Accounts with their credits and ledgers. */
export const createAccountsView = ({ element, fill, timeOfDay }: Dom, link: Link) => {
  const kinds = ["image", "video"] as const;
  const pathOf = ({ key }: Account, more: string) =>
    `/__mock/accounts/${encodeURIComponent(key)}/${more}`;
  const signed = (amount: number): string => (amount > 0 ? `+${amount}` : String(amount));

  const table = (caption: string, columns: readonly string[], rows: readonly Spec[]): Spec =>
    element(
      "table",
      {},
      element("caption", { class: "unseen" }, caption),
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          columns.map((name) => element("th", { scope: "col" }, name)),
        ),
      ),
      element("tbody", {}, rows),
    );

  const credits = ({ key, credits }: Account): Spec =>
    table(
      `Credits of ${key}`,
      ["Credits", "Monthly", "Purchased", "Left"],
      kinds.map((kind) => {
        const { monthly, purchased } = credits[kind];
        return element(
          "tr",
          { key: kind },
          element("th", { scope: "row" }, kind),
          element("td", {}, monthly),
          element("td", {}, purchased),
          element("td", { class: "left" }, monthly + purchased),
        );
      }),
    );

  const ledger = ({ key, ledger: { total, items } }: Account): Spec =>
    element(
      "details",
      { key: "ledger" },
      element("summary", {}, "Ledger ", element("span", { class: "count" }, total)),
      table(
        `Ledger of ${key}, newest first`,
        ["Time", "Why", "Monthly", "Purchased"],
        items.map((entry, index) =>
          element(
            "tr",
            { key: total - index },
            element("td", {}, timeOfDay(entry.at)),
            element("td", {}, `${entry.credit} ${entry.reason}`),
            element("td", {}, signed(entry.monthly)),
            element("td", {}, signed(entry.purchased)),
          ),
        ),
      ),
      total > items.length && element("p", { class: "quiet" }, `${total - items.length} older`),
    );

  const choice = (label: string, name: string, options: readonly string[]): Spec =>
    element(
      "label",
      {},
      label,
      element(
        "select",
        { name },
        options.map((option) => element("option", {}, option)),
      ),
    );

  const grantForm = (account: Account): Spec =>
    element(
      "details",
      { key: "grant" },
      element("summary", {}, "Grant credits"),
      element(
        "form",
        {
          "aria-label": `Grant credits to ${account.key}`,
          onsubmit: (event) => {
            event.preventDefault();
            const values = link.read(event.currentTarget as HTMLFormElement);
            const { credit, pot = "monthly", amount } = values;
            const body = { credit, [pot]: Number(amount) };
            const done = `${amount} ${credit} credits granted to ${account.key}`;
            return link.order(done, "POST", pathOf(account, "credits"), body);
          },
        },
        choice("Kind", "credit", kinds),
        choice("Pot", "pot", ["monthly", "purchased"]),
        element(
          "label",
          {},
          "Amount",
          element("input", {
            name: "amount",
            type: "number",
            min: 1,
            step: 1,
            value: 10,
            required: true,
          }),
        ),
        element("button", { class: "main" }, "Grant"),
      ),
    );

  const card = (account: Account): Spec =>
    element(
      "article",
      { key: account.key, class: "panel account", "aria-label": account.key },
      element(
        "div",
        { class: "head" },
        element("h3", {}, element("code", {}, account.key)),
        element(
          "button",
          {
            type: "button",
            class: "plain",
            "aria-label": `Reset ${account.key}`,
            onclick: () =>
              link.order(`${account.key} is as new`, "POST", pathOf(account, "reset"), {}),
          },
          "Reset",
        ),
      ),
      account.aheadSeconds !== 0 &&
        element("p", { class: "quiet" }, `Its clock is ${account.aheadSeconds} s ahead.`),
      credits(account),
      ledger(account),
      grantForm(account),
    );

  return ({ accounts: { total, items } }: Seen): void => {
    fill("accounts-count", String(total));
    fill("accounts-list", items.map(card));
    const options = items.map(({ key }) => element("option", { key, value: key }, key));
    fill("new-job-account", options);
    for (const id of ["fault-account", "next-account"]) {
      fill(id, element("option", { key: "", value: "" }, "any"), options);
    }
  };
};
