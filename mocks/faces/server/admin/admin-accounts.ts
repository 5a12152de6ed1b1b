import type { CreditKind } from "../../../../src/contract/actions.ts";
import type { CreditPots } from "../../../domain/credits.ts";
import type { MockAccount } from "../../../service/account.ts";
import { clockFields, moveClock, showTime } from "./admin-clock.ts";
import { accountAt, type Fields, isObject, textOf, wholeNumberOf } from "./admin-input.ts";
import { type AdminRoute, makesSense, Refusal } from "./admin-route.ts";

const pots = ["monthly", "purchased"] as const;

const showAccount = (account: MockAccount) => ({
  key: account.key,
  ...showTime(account.clock),
  credits: account.credits,
});

/** `{ credit, monthly?, purchased? }`: what is left out stays out. */
const readCredits = (body: Fields): { credit: CreditKind; amounts: Partial<CreditPots> } => {
  const credit = textOf(body, "credit");
  if (credit !== "image" && credit !== "video") {
    throw new Refusal(400, 'credit: expected "image" or "video"');
  }
  const amounts: Partial<Record<keyof CreditPots, number>> = {};
  for (const pot of pots) {
    const amount = wholeNumberOf(body, pot, Number.MAX_SAFE_INTEGER);
    if (amount !== undefined) amounts[pot] = amount;
  }
  if (Object.keys(amounts).length === 0) {
    throw new Refusal(400, "monthly or purchased: expected at least one of them");
  }
  return { credit, amounts };
};

export const accountRoutes: readonly AdminRoute[] = [
  {
    method: "GET",
    path: "/__mock/accounts",
    summary: "all accounts with their credits",
    answer: ({ service }) => ({ accounts: service.accounts.map(showAccount) }),
  },
  {
    method: "POST",
    path: "/__mock/accounts",
    summary: "opens an account: {key, credits?}",
    fields: ["key", "credits"],
    answer: ({ service, body }) => {
      const key = textOf(body, "key");
      if (!key) throw new Refusal(400, "key: expected an API key");
      const { credits } = body;
      if (credits !== undefined && !isObject(credits)) {
        throw new Refusal(400, "credits: expected an object");
      }
      const options = credits === undefined ? {} : { credits };
      return showAccount(makesSense("key", () => service.addAccount(key, options)));
    },
  },
  {
    method: "GET",
    path: "/__mock/accounts/:key",
    summary: "one account: whole ledger, charges, brands, saved ads",
    answer: ({ service, parts }) => {
      const account = accountAt(service, parts["key"]);
      const { ledger, charges, brands, savedAds } = account;
      return { ...showAccount(account), ledger, charges, brands, savedAds };
    },
  },
  {
    method: "POST",
    path: "/__mock/accounts/:key/credits",
    summary: "grants credits: {credit, monthly?, purchased?}",
    fields: ["credit", ...pots],
    answer: ({ service, parts, body }) => {
      const account = accountAt(service, parts["key"]);
      const { credit, amounts } = readCredits(body);
      makesSense("credit", () => account.grant(credit, amounts));
      return showAccount(account);
    },
  },
  {
    method: "PUT",
    path: "/__mock/accounts/:key/credits",
    summary: "sets credits: {credit, monthly?, purchased?}",
    fields: ["credit", ...pots],
    answer: ({ service, parts, body }) => {
      const account = accountAt(service, parts["key"]);
      const { credit, amounts } = readCredits(body);
      makesSense("credit", () => account.setCredits(credit, amounts));
      return showAccount(account);
    },
  },
  {
    method: "POST",
    path: "/__mock/accounts/:key/clock",
    summary: "moves one account's time: {advanceMs} or {time}",
    fields: clockFields,
    answer: ({ service, parts, body }) => moveClock(accountAt(service, parts["key"]).clock, body),
  },
  {
    method: "POST",
    path: "/__mock/accounts/:key/reset",
    summary: "makes one account as new",
    fields: [],
    answer: ({ service, parts }) => {
      const account = accountAt(service, parts["key"]);
      account.reset();
      return showAccount(account);
    },
  },
];
