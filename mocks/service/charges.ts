import { costOf } from "../domain/credits.ts";
import type { AccountState } from "../domain/state.ts";
import { countAlike, listSome } from "../options/require.ts";
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

/** Describes charges, and counts those that are alike: "3 × 2 image credits for generate-ad". */
const describeCharges = (charges: readonly Partial<Charge>[]): string => {
  const words = charges.map(({ amount, credit, action, ...rest }) => {
    const others = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
    const unit = amount === 1 ? "credit" : "credits";
    const price = [amount, credit, unit].filter((part) => part !== undefined).join(" ");
    return [action === undefined ? price : `${price} for ${action}`, ...others].join(", ");
  });
  const counted = countAlike(words).map(([text, times]) =>
    times > 1 ? `${times} × ${text}` : text,
  );
  return listSome(counted, 8, "; ") || "nothing";
};

const fitsExpected = (charge: Charge | undefined, expected: Partial<Charge>): boolean =>
  charge !== undefined &&
  Object.entries(expected).every(([name, value]) => charge[name as keyof Charge] === value);

/** Compares charges with the expected ones. @throws Error that lists both when they differ */
export const assertCharges = (
  charges: readonly Charge[],
  expected: readonly Partial<Charge>[],
): void => {
  const misfit = expected.findIndex((one, place) => !fitsExpected(charges[place], one));
  if (misfit === -1 && charges.length === expected.length) return;
  const first = misfit === -1 ? expected.length : misfit;
  // The message shows only the fields that are compared.
  const names = new Set(["amount", "credit", "action", ...expected.flatMap(Object.keys)]);
  const seen = charges.map((charge) =>
    Object.fromEntries(Object.entries(charge).filter(([name]) => names.has(name))),
  );
  const place = first > 0 ? `;\n  the first difference is at number ${first + 1}` : "";
  throw new Error(
    `Expected charges of ${describeCharges(expected)};\n  saw ${describeCharges(seen)}${place}`,
  );
};
