import { type Assumption, assumptions } from "../assumptions.ts";
import type { Outcome, ScriptReport } from "./script.ts";
import { isDocumented, type Rule } from "./step.ts";

/** One expectation that steps do not fulfil, or one reason why they got no answer. */
export interface Cause {
  /** Absent where there was no answer. */
  readonly rule?: Rule;
  /** What was expected, or the reason. */
  readonly what: string;
  /** Values that were there instead, the most frequent first. */
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

/** Numbers of steps, by verdict. */
export interface Summary {
  readonly ok: number;
  /** Steps that break a rule of the API's document. */
  readonly breaks: number;
  /** Steps that differ from assumptions alone. */
  readonly differs: number;
  /** Steps that got no answer, or one that says that the service failed. */
  readonly unanswered: number;
  readonly skipped: number;
}

const describeRule = (rule: Rule): string =>
  isDocumented(rule) ? `breaks the document (${rule.documented})` : `differs from ${rule.assumed}`;

/** "differs from A7". */
export const describeVerdict = ({ verdict, reason, differences }: Outcome): string =>
  differences.length > 0
    ? [...new Set(differences.map(({ rule }) => describeRule(rule)))].join("; ")
    : verdict + (reason === undefined ? "" : ` (${reason})`);

const marks = { ok: "✓", breaks: "✗", differs: "~", unanswered: "✗", skipped: "-" };

/** One line for a step. */
export const describeStep = (outcome: Outcome): string => {
  const { verdict, step } = outcome;
  const call = `${step.method} ${step.path}`.slice(0, 60).padEnd(32);
  return `${marks[verdict]} ${step.name.padEnd(58)} ${call} ${describeVerdict(outcome)}`;
};

export const summarize = (outcomes: readonly Outcome[]): Summary => {
  const summary = { ok: 0, breaks: 0, differs: 0, unanswered: 0, skipped: 0 };
  for (const { verdict } of outcomes) summary[verdict] += 1;
  return summary;
};

/** Groups what is wrong by its cause: breaches of the document first, then what most steps meet. */
export const causesOf = (outcomes: readonly Outcome[]): Cause[] => {
  const causes = new Map<
    string,
    { rule?: Rule; what: string; seen: Map<string, number>; steps: Set<string> }
  >();
  const note = (step: string, what: string, rule?: Rule, saw?: string): void => {
    const name = JSON.stringify([what, rule]);
    const cause = causes.get(name) ?? {
      ...(rule && { rule }),
      what,
      seen: new Map<string, number>(),
      steps: new Set<string>(),
    };
    causes.set(name, cause);
    cause.steps.add(step);
    if (saw !== undefined) cause.seen.set(saw, (cause.seen.get(saw) ?? 0) + 1);
  };
  for (const { step, verdict, reason = "", differences } of outcomes) {
    if (verdict === "unanswered") note(step.name, reason);
    for (const { rule, expected, saw } of differences) note(step.name, expected, rule, saw);
  }
  const rankOf = ({ rule }: { readonly rule?: Rule }): number =>
    rule !== undefined && !isDocumented(rule) ? 1 : 0;
  return Array.from(causes.values(), ({ seen, steps, ...cause }) => ({
    ...cause,
    seen: [...seen].sort(([, one], [, other]) => other - one).map(([value]) => value),
    steps: [...steps],
  })).sort((one, other) => rankOf(one) - rankOf(other) || other.steps.length - one.steps.length);
};

const mostSeen = 4;

const describeCause = ({ rule, what, seen, steps }: Cause): string => {
  const inSteps = `(${steps.length} ${steps.length === 1 ? "step" : "steps"}: ${steps[0]}${steps.length > 1 ? ", …" : ""})`;
  if (rule === undefined) return `✗ not answered: ${what} ${inSteps}`;
  const values = seen.slice(0, mostSeen).join(", ") + (seen.length > mostSeen ? ", …" : "");
  const mark = isDocumented(rule) ? marks.breaks : marks.differs;
  return `${mark} ${describeRule(rule)}: expected ${what}; seen: ${values} ${inSteps}`;
};

/** Reasons why nothing was seen of an assumption; of the others nothing was asked. */
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
  A23: "headers of this kind are not looked at",
};

/** Assumptions of which answers show a part alone. */
const inPart: Partial<Readonly<Record<Assumption, string>>> = {
  A11: "only its limits of duration",
};

/** A row for each assumption, in the order of their numbers. */
export const findingsOf = (outcomes: readonly Outcome[]): Finding[] => {
  const namesIn = (rules: readonly Rule[]): string[] =>
    rules.flatMap((rule) => (isDocumented(rule) ? [] : [rule.assumed]));
  const held = new Set(outcomes.flatMap((outcome) => namesIn(outcome.held)));
  const broken = new Set(
    outcomes.flatMap(({ differences }) => namesIn(differences.map(({ rule }) => rule))),
  );
  return (Object.keys(assumptions) as Assumption[]).map((assumption) => {
    if (broken.has(assumption)) return { assumption, verdict: "differs" };
    return held.has(assumption)
      ? { assumption, verdict: "holds", note: inPart[assumption] }
      : { assumption, verdict: "not seen", note: needed[assumption] ?? "not asked about" };
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
    `${outcomes.length} steps: ${ok} ok, ${breaks} break the document, ${differs} differ from assumptions, ` +
      `${unanswered} not answered, ${skipped} skipped`,
    `${findings.length} assumptions: ${holding.length} hold, ${having("differs").length} differ, ` +
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
