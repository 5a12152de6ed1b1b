import * as z from "zod/mini";
import { apiKey, fieldsOnly } from "../../../options/fields.ts";
import { accountOptionsSchema, isKey, potsSchema } from "../../../options/resolve-options.ts";
import type { MockAccount } from "../../../service/account.ts";
import { defineRoute, ofAccount, refuse } from "./route.ts";
import { showTime } from "./routes-of-clocks.ts";

/** Body that opens an account. */
const newAccount = fieldsOnly({
  key: apiKey.check(z.refine(isKey, { error: "an API key: printable characters, no spaces" })),
  ...accountOptionsSchema.shape,
});

/** Body that grants or sets credits. */
const creditChange = fieldsOnly({
  credit: z.enum(["image", "video"], { error: '"image" or "video"' }),
  ...potsSchema.shape,
}).check(
  z.refine(({ monthly, purchased }) => monthly !== undefined || purchased !== undefined, {
    error: "an object of credit, and of monthly, purchased or both",
  }),
);

const showAccount = (account: MockAccount) => ({
  key: account.key,
  ...showTime(account.clock),
  credits: account.credits,
});

export const accountRoutes = {
  listAccounts: defineRoute({}, ({ service }) => ({
    accounts: service.accounts.map(showAccount),
  })),
  openAccount: defineRoute({ body: newAccount }, ({ service, body: { key, ...options } }) => {
    if (service.accounts.some((account) => account.key === key)) {
      throw refuse(409, `An account has the key "${key}" already; reset or remove that one`);
    }
    return showAccount(service.addAccount(key, options));
  }),
  showAccount: defineRoute({ path: ofAccount }, ({ scope }) => {
    const { ledger, charges, brands, savedAds, counts } = scope;
    return { ...showAccount(scope), ledger, charges, brands, savedAds, counts };
  }),
  grantCredits: defineRoute(
    { path: ofAccount, body: creditChange },
    ({ scope, body: { credit, ...pots } }) => {
      scope.grant(credit, pots);
      return showAccount(scope);
    },
  ),
  setCredits: defineRoute(
    { path: ofAccount, body: creditChange },
    ({ scope, body: { credit, ...pots } }) => {
      scope.setCredits(credit, pots);
      return showAccount(scope);
    },
  ),
  resetAccount: defineRoute({ path: ofAccount }, ({ scope }) => {
    scope.reset();
    return showAccount(scope);
  }),
  removeAccount: defineRoute({ path: ofAccount }, ({ service, scope }) => {
    service.removeAccount(scope.key);
    return { accounts: service.accounts.map(showAccount) };
  }),
};
