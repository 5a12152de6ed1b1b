import { describeValue } from "../../errors/text.ts";
import type { Refuse } from "../../options/rules.ts";
import { binCount, sumOf } from "./bins.ts";

const maxWeight = 1_000_000;

/** Number of jobs that count: older ones are forgotten little by little. */
export const rememberedJobs = 60;

/** Checks the bins of one action, and gives the weights of all. */
export const readBins = (name: string, given: unknown, refuse: Refuse): number[] => {
  const weights: number[] = Array(binCount).fill(0);
  if (!Array.isArray(given)) {
    return refuse(`${name} must be a list of [bin, weight], got ${describeValue(given)}`);
  }
  for (const [index, entry] of given.entries()) {
    const [bin, weight] = Array.isArray(entry) ? entry : [];
    const before = Number.isInteger(bin) ? weights[bin] : undefined;
    if (before === undefined || !(weight >= 0 && weight <= maxWeight)) {
      return refuse(
        `${name}[${index}] must be [bin, weight], with a bin from 0 to ${binCount - 1} and a ` +
          `weight from 0 to ${maxWeight}`,
      );
    }
    weights[bin] = before + weight;
  }
  const excess = Math.max(1, sumOf(weights) / rememberedJobs);
  return weights.map((weight) => weight / excess);
};
