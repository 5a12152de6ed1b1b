import { type Assumption, assumptions } from "./assumptions.ts";

/** One thing seen of an assumption: it holds, or the difference in words. */
export interface Sight {
  readonly assumption: Assumption;
  readonly difference?: string | undefined;
}

/** Everything seen of one assumption. */
export interface Finding {
  readonly assumption: Assumption;
  readonly verdict: "holds" | "differs" | "not seen";
  /** Number of answers that say something of it. */
  readonly seen: number;
  /** Different differences, the most frequent first, each with its number of answers. */
  readonly differences: readonly { readonly message: string; readonly answers: number }[];
}

/** Counts what answers say of each assumption. */
export interface Tally {
  add(sight: Sight): void;
  /** A row for each assumption, in the order of their numbers. */
  findings(): Finding[];
}

export const createTally = (): Tally => {
  const held = new Map<Assumption, number>();
  const differing = new Map<Assumption, Map<string, number>>();

  const findingOf = (assumption: Assumption): Finding => {
    const differences = [...(differing.get(assumption) ?? [])]
      .map(([message, answers]) => ({ message, answers }))
      .sort((one, other) => other.answers - one.answers);
    const seen = differences.reduce((sum, { answers }) => sum + answers, held.get(assumption) ?? 0);
    const verdict = differences.length > 0 ? "differs" : seen > 0 ? "holds" : "not seen";
    return { assumption, verdict, seen, differences };
  };

  return {
    add: ({ assumption, difference }) => {
      if (difference === undefined) held.set(assumption, (held.get(assumption) ?? 0) + 1);
      else {
        const counts = differing.get(assumption) ?? new Map<string, number>();
        differing.set(assumption, counts.set(difference, (counts.get(difference) ?? 0) + 1));
      }
    },
    findings: () => (Object.keys(assumptions) as Assumption[]).map(findingOf),
  };
};

/** Reasons why nothing was seen of an assumption; the others were not asked about. */
const needed: Partial<Readonly<Record<Assumption, string>>> = {
  A8: "no job failed",
  A9: "no job was seen completed",
  A10: "no job was unfinished for 30 minutes",
  A11: "no answer tells credits: compare your account before and after a video",
  A12: "no answer tells the beginnings that keys may have",
  A13: "no answer tells credits: compare your account before and after a failed job",
  A16: "it needs the key of a second account",
  A18: "webhooks are not looked at",
  A19: "no answer tells credits: compare your account from month to month",
  A23: "headers of this kind are not looked at",
};

/** Assumptions of which answers show a part alone. */
const partly: Partial<Readonly<Record<Assumption, string>>> = {
  A11: "only the limits of `duration` were seen; no answer tells credits",
};

/** "1 answer", "12 answers". */
export const inAnswers = (number: number): string =>
  `${number} ${number === 1 ? "answer" : "answers"}`;

/** Describes a finding: "results hold `assets`, not `images`; 12 of 12 answers". */
export const describeFinding = ({ assumption, verdict, seen, differences }: Finding): string => {
  if (verdict === "not seen") return needed[assumption] ?? "nothing was asked that shows it";
  if (verdict === "holds") return partly[assumption] ?? assumptions[assumption].assumed;
  const [{ message, answers } = { message: "", answers: 0 }, ...others] = differences;
  const more = others.length > 0 ? `; ${others.length} more` : "";
  return `${message}; ${answers} of ${inAnswers(seen)}${more}`;
};

const marks = { holds: "✓", differs: "~", "not seen": "-" };

/**
 * Renders one line for each assumption: they fit on one screen.
 *
 * @param columns - Length of a line; a file or a pipe has none
 */
export const assumptionLines = (
  findings: readonly Finding[],
  columns = Number.POSITIVE_INFINITY,
): string[] =>
  findings.map((finding) => {
    const { assumption, verdict, seen } = finding;
    const evidence = verdict === "holds" ? `in ${inAnswers(seen)}: ` : "";
    const words = `${evidence}${describeFinding(finding)}`;
    const line = `${marks[verdict]} ${assumption.padEnd(4)}${verdict.padEnd(10)}${words}`;
    return line.length > columns ? `${line.slice(0, columns - 1)}…` : line;
  });

/** Counts findings: "14 of 23 assumptions hold, 1 differs, 8 were not seen". */
export const describeCounts = (findings: readonly Finding[]): string => {
  const count = (wanted: Finding["verdict"]): number =>
    findings.filter(({ verdict }) => verdict === wanted).length;
  const [differing, unseen] = [count("differs"), count("not seen")];
  return (
    `${count("holds")} of ${findings.length} assumptions hold, ` +
    `${differing} ${differing === 1 ? "differs" : "differ"}, ` +
    `${unseen} ${unseen === 1 ? "was" : "were"} not seen`
  );
};
