import { createTally, type Finding } from "../tally.ts";
import type { Difference } from "./judge.ts";
import type { Outcome, ScriptReport } from "./script.ts";
import type { Rule } from "./step.ts";

/** Numbers of steps, by verdict. */
export interface Summary {
  readonly ok: number;
  /** Steps that break a rule of the API's document. */
  readonly documented: number;
  /** Steps that differ in what is only assumed. */
  readonly assumed: number;
  /** Steps that were asked while the service failed. */
  readonly unanswered: number;
  readonly skipped: number;
}

const isDocumented = ({ rule }: Difference): boolean => "documented" in rule;

const ruleName = ({ rule }: Difference): string =>
  "documented" in rule ? `documented: ${rule.documented}` : `assumed ${rule.assumed}`;

const unique = (names: readonly string[]): string => [...new Set(names)].join("; ");

/** "differs (assumed A7)". */
export const describeVerdict = (outcome: Outcome): string => {
  const { verdict, reason, isUnanswered, differences } = outcome;
  if (verdict === "ok") return "ok";
  if (verdict === "skipped") return `${isUnanswered ? "not answered" : "skipped"} (${reason})`;
  return `differs (${unique(differences.map(ruleName))})`;
};

/** One line for a step, and one for each of its differences. */
export const describeOutcome = (outcome: Outcome): string => {
  const { step, differences } = outcome;
  const lines = differences.map(
    (difference) => `     ${ruleName(difference)}: ${difference.message}`,
  );
  const mark = { ok: "✓", differs: breaksDocument(outcome) ? "✗" : "~", skipped: "-" };
  const [call, verdict] = [`${step.method} ${step.path}`.slice(0, 60), describeVerdict(outcome)];
  const line = `${mark[outcome.verdict]} ${step.name.padEnd(58)} ${call.padEnd(32)} ${verdict}`;
  return [line, ...lines].join("\n");
};

export const breaksDocument = ({ differences }: Outcome): boolean => differences.some(isDocumented);

export const summarize = (outcomes: readonly Outcome[]): Summary => {
  const count = (fits: (outcome: Outcome) => boolean): number => outcomes.filter(fits).length;
  return {
    ok: count(({ verdict }) => verdict === "ok"),
    documented: count(breaksDocument),
    assumed: count((outcome) => outcome.verdict === "differs" && !breaksDocument(outcome)),
    unanswered: count(({ isUnanswered = false }) => isUnanswered),
    skipped: count(({ verdict, isUnanswered }) => verdict === "skipped" && !isUnanswered),
  };
};

export const describeSummary = (summary: Summary): string => {
  const { ok, documented, assumed, unanswered, skipped } = summary;
  const failed = unanswered > 0 ? `${unanswered} not answered, ` : "";
  return `${ok} ok, ${documented} against the document, ${assumed} unlike what is assumed, ${failed}${skipped} skipped`;
};

/** Counts what the steps have shown of each assumption. */
export const findingsOf = ({ outcomes }: ScriptReport): Finding[] => {
  const tally = createTally();
  const add = (rule: Rule, difference?: string): void => {
    if ("assumed" in rule) tally.add({ assumption: rule.assumed, difference });
  };
  for (const { held, differences } of outcomes) {
    for (const rule of held) add(rule);
    for (const { rule, message } of differences) add(rule, message);
  }
  return tally.findings();
};

/** The whole report as plain data. */
export const toJson = (report: ScriptReport) => ({
  summary: summarize(report.outcomes),
  assumptions: findingsOf(report),
  left: report.left,
  steps: report.outcomes.map(({ step, verdict, reason, differences, exchanges }) => ({
    name: step.name,
    operation: step.operation ?? null,
    verdict,
    ...(reason !== undefined && { reason }),
    ...(differences.length > 0 && { differences }),
    exchanges: exchanges.length,
  })),
});
