import { type Assumption, assumptions } from "../assumptions.ts";
import type { Outcome, ScriptReport } from "./script.ts";
import { isDocumented, type Rule } from "./step.ts";

/** One expectation that steps do not fulfil, or one reason why they got no answer. */
export interface Cause {
  /** What expects it; none where there was no answer. */
  readonly rules: readonly Rule[];
  /** What was expected, or the reason. */
  readonly what: string;
  /** Values that were there instead. */
  readonly seen: readonly string[];
  /** Names of the steps. */
  readonly steps: readonly string[];
}

/** What the steps have shown of an assumption. */
export interface Finding {
  readonly assumption: Assumption;
  readonly verdict: "holds" | "differs" | "not seen";
  /** Why it was not seen, or that a part of it was. */
  readonly note?: string | undefined;
}

/** "breaks the document (7. Errors); differs from A7". */
const describeRules = (rules: readonly Rule[]): string => {
  const documented = rules.filter(isDocumented);
  const assumed = rules
    .filter((rule) => !isDocumented(rule))
    .sort((one, other) => Number(one.slice(1)) - Number(other.slice(1)));
  const parts = [
    documented.length > 0 && `breaks the document (${documented.join("; ")})`,
    assumed.length > 0 && `differs from ${assumed.join(", ")}`,
  ];
  return parts.filter(Boolean).join("; ");
};

/** "differs from A7", "skipped (costs credits)". */
export const describeVerdict = ({ verdict, reason, differences }: Outcome): string =>
  differences.length > 0
    ? describeRules([...new Set(differences.map(({ rule }) => rule))])
    : verdict + (reason === undefined ? "" : ` (${reason})`);

const marks = { ok: "✓", breaks: "✗", differs: "~", unanswered: "✗", skipped: "-" };

/** One line for a step. */
export const describeStep = (outcome: Outcome): string => {
  const { verdict, step } = outcome;
  const call = `${step.method} ${step.path}`.slice(0, 60).padEnd(32);
  return `${marks[verdict]} ${step.name.padEnd(58)} ${call} ${describeVerdict(outcome)}`;
};

/** Numbers of steps, by verdict. */
export const summarize = (outcomes: readonly Outcome[]): Record<Outcome["verdict"], number> => {
  const summary = { ok: 0, breaks: 0, differs: 0, unanswered: 0, skipped: 0 };
  for (const { verdict } of outcomes) summary[verdict] += 1;
  return summary;
};

/**
 * Groups what is wrong by its cause: the same expectation, by the same rule or with the same value
 * in its place. Breaches of the document come first, then what most steps meet.
 */
export const causesOf = (outcomes: readonly Outcome[]): Cause[] => {
  const found = outcomes.flatMap(({ step, verdict, reason = "", differences }): Cause[] => {
    const steps = [step.name];
    if (verdict === "unanswered") return [{ rules: [], what: reason, seen: [], steps }];
    return differences.map(({ rule, expected, saw }) => {
      return { rules: [rule], what: expected, seen: [saw], steps };
    });
  });
  const isAssumed = ({ rules }: Cause): boolean => rules.length > 0 && !rules.some(isDocumented);
  const rankOf = (cause: Cause): number => Number(isAssumed(cause));
  const union = <T>(some: readonly T[], more: readonly T[]) => [...new Set([...some, ...more])];
  const causes: Cause[] = [];
  for (const next of found.sort((one, other) => rankOf(one) - rankOf(other))) {
    const place = causes.findIndex((cause) => {
      if (cause.what !== next.what || isAssumed(cause) !== isAssumed(next)) return false;
      const isSameRule = next.rules.every((rule) => cause.rules.includes(rule));
      return isSameRule || next.seen.every((value) => cause.seen.includes(value));
    });
    const known = causes[place];
    if (known === undefined) causes.push(next);
    else {
      causes[place] = {
        what: known.what,
        rules: union(known.rules, next.rules),
        seen: union(known.seen, next.seen),
        steps: union(known.steps, next.steps),
      };
    }
  }
  return causes.sort(
    (one, other) => rankOf(one) - rankOf(other) || other.steps.length - one.steps.length,
  );
};

const longestSeen = 160;

const describeCause = ({ rules, what, seen, steps }: Cause): string => {
  const number = steps.length === 1 ? "1 step" : `${steps.length} steps`;
  const inSteps = `(${number}: ${steps[0]}${steps.length > 1 ? ", …" : ""})`;
  if (rules.length === 0) return `${marks.unanswered} not answered: ${what} ${inSteps}`;
  const all = seen.join(", ");
  const values = all.length > longestSeen ? `${all.slice(0, longestSeen)}…` : all;
  const mark = rules.some(isDocumented) ? marks.breaks : marks.differs;
  return `${mark} ${describeRules(rules)}: expected ${what}; seen: ${values} ${inSteps}`;
};

/** Reasons why nothing was seen of an assumption that few answers show. */
const needed: Partial<Readonly<Record<Assumption, string>>> = {
  A8: "no job failed",
  A9: "no job was seen completed",
  A10: "no job was unfinished for 30 minutes",
  A11: "no answer tells credits",
  A12: "no answer tells the beginnings that keys may have",
  A13: "no answer tells credits",
  A16: "it needs --second-key",
  A18: "webhooks are not looked at",
  A19: "no answer tells credits",
  A23: "no answer had such a header",
};

/** A row for each assumption, in the order of their numbers. */
export const findingsOf = (outcomes: readonly Outcome[]): Finding[] => {
  const held = new Set(outcomes.flatMap((outcome) => outcome.held));
  const broken = new Set(
    outcomes.flatMap(({ differences }) => differences.map(({ rule }) => rule)),
  );
  return (Object.keys(assumptions) as Assumption[]).map((assumption) => {
    if (broken.has(assumption)) return { assumption, verdict: "differs" };
    return held.has(assumption)
      ? {
          assumption,
          verdict: "holds",
          note: assumption === "A11" ? "only its limits of duration" : undefined,
        }
      : { assumption, verdict: "not seen", note: needed[assumption] ?? "no answer shows it" };
  });
};

const withNote = ({ assumption, note }: Finding): string =>
  assumption + (note === undefined ? "" : ` (${note})`);

/** Renders the report: it fits on one screen where a service has few faults. */
export const renderReport = ({ outcomes, left }: ScriptReport): string[] => {
  const findings = findingsOf(outcomes);
  const having = (verdict: Finding["verdict"]): Finding[] =>
    findings.filter((finding) => finding.verdict === verdict);
  const unseen = new Map<string | undefined, Assumption[]>();
  for (const { assumption, note } of having("not seen")) {
    unseen.set(note, [...(unseen.get(note) ?? []), assumption]);
  }
  const { ok, breaks, differs, unanswered, skipped } = summarize(outcomes);
  const holding = having("holds");
  return [
    ...causesOf(outcomes).map(describeCause),
    ...(holding.length > 0 ? [`${marks.ok} hold: ${holding.map(withNote).join(", ")}`] : []),
    ...Array.from(
      unseen,
      ([note, names]) => `${marks.skipped} not seen: ${names.join(", ")} (${note})`,
    ),
    ...left.map((path) => `! could not be deleted: ${path}`),
    `${outcomes.length} steps: ${ok} ok, ${breaks} broke the document, ${differs} differed from assumptions, ` +
      `${unanswered} not answered, ${skipped} skipped`,
    `${findings.length} assumptions: ${holding.length} held, ${having("differs").length} differed, ` +
      `${having("not seen").length} not seen`,
  ];
};

/** The whole report as plain data. */
export const toJson = ({ outcomes, left }: ScriptReport) => ({
  summary: summarize(outcomes),
  causes: causesOf(outcomes),
  assumptions: findingsOf(outcomes),
  left,
  steps: outcomes.map(({ step, verdict, reason, differences, exchanges }) => ({
    name: step.name,
    operation: step.operation ?? null,
    verdict,
    ...(reason !== undefined && { reason }),
    ...(differences.length > 0 && { differences }),
    exchanges: exchanges.length,
  })),
});
