import type { NextRecord } from "../../src/submissions/record-store.ts";

/** Gives the record after a number of writes: every seventh write removes it. */
export const stepOf = (step: number): (NextRecord & { readonly list?: "open" }) | undefined => {
  if (step % 7 === 0) return undefined;
  const text = `${step} ${"ü\n".repeat((step * 37) % 300)}`;
  return { rev: `step ${step}`, text, ...(step % 2 === 1 && { list: "open" as const }) };
};
