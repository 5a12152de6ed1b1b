import { costOf } from "../domain/credits.ts";
import { hasFields } from "../domain/json-values.ts";
import type { AccountState } from "../domain/state.ts";
import { listSome, showValue } from "../options/require.ts";
import type { Charge } from "./account.ts";

/** Lists the charges of an account from its ledger, oldest first. */
export const chargesOf = (account: AccountState): Charge[] => {
  const charges: Charge[] = [];
  for (const entry of account.ledger) {
    const { reason, jobId, at } = entry;
    const job = jobId === undefined ? undefined : account.jobs.get(jobId);
    if (reason !== "charge" || job === undefined) continue;
    const { id, action, refunded = false } = job;
    charges.push({ at, jobId: id, action, ...costOf(entry), refunded });
  }
  return charges;
};

const describe = (charges: readonly object[]): string =>
  listSome(charges.map(showValue), 8) || "none";

/** Compares charges with the expected ones. @throws Error that shows both from the first difference on */
export const assertCharges = (
  charges: readonly Charge[],
  expected: readonly Partial<Charge>[],
): void => {
  const misfit = expected.findIndex((one, place) => !hasFields(charges[place], one));
  if (misfit === -1 && charges.length === expected.length) return;
  const first = misfit === -1 ? expected.length : misfit;
  // The message shows only the fields that are compared.
  const names = new Set(["amount", "credit", "action", ...expected.flatMap(Object.keys)]);
  const seen = charges.map((charge) =>
    Object.fromEntries(Object.entries(charge).filter(([name]) => names.has(name))),
  );
  throw new Error(
    `Expected these charges from number ${first + 1} on: ${describe(expected.slice(first))};\n  saw ${describe(seen.slice(first))}`,
  );
};
