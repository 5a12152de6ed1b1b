/** Writes the tables of "How it compares" from the results of the bench of faults. */
import { benchFaults, type Fault, type Group } from "./faults.ts";
import type { Ending } from "./play.ts";

/** One client, and how its call ended at each fault, in the order of `benchFaults`. */
export interface Played {
  readonly name: string;
  readonly version: string;
  readonly call: string;
  readonly endings: readonly Ending[];
}

export interface Run {
  /** As "2026-11-23". */
  readonly date: string;
  readonly node: string;
  readonly limitSeconds: number;
  readonly played: readonly Played[];
}

const markers = ["<!-- faults -->", "<!-- /faults -->"] as const;

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;

const table = (titles: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [row(titles), row(titles.map(() => "---")), ...rows.map(row)].join("\n");

const isPaidTwice = ({ charges }: Ending): boolean => charges > 1;
const isEndless = ({ how }: Ending): boolean => how === "never";
const isLeak = ({ leaks }: Ending): boolean => leaks.length > 0;

/**
 * Whether the client believed a wrong answer: any result counts, except that a fault with an id
 * counts only if the id led the read to another path.
 */
const isWrong = ({ how, isAstray }: Ending, { group, id }: Fault): boolean =>
  group === "wrong" && (id === undefined ? how === "result" : isAstray);

/** Counts what a user would call a failure of the client. */
export const failuresOf = ({ endings }: Played): number =>
  endings.filter((ending, index) => {
    const fault = benchFaults[index];
    return (
      isPaidTwice(ending) ||
      isEndless(ending) ||
      isLeak(ending) ||
      (fault !== undefined && isWrong(ending, fault))
    );
  }).length;

const strong = (text: string | number): string => `**${text}**`;

const cells: Readonly<Record<Group, (ending: Ending, fault: Fault) => string>> = {
  paid: (ending) => {
    if (isPaidTwice(ending)) return strong(`paid ${ending.charges} ×`);
    return ending.posts > ending.charges ? "paid once (same id)" : "paid once";
  },
  free: ({ how, posts }) => {
    if (how === "never") return strong("waits");
    return posts > 2 ? `${how}, asked ${posts} ×` : how;
  },
  hanging: (ending) => {
    const { how, seconds, charges } = ending;
    const end = how === "never" ? strong("waits") : `${Math.round(seconds)} s`;
    if (isPaidTwice(ending)) return `${end}, ${strong(`paid ${charges} ×`)}`;
    return how !== "never" && seconds < 5 ? "at once" : end;
  },
  wrong: (ending, fault) => {
    if (isWrong(ending, fault)) return strong(fault.id === undefined ? "result" : "other path");
    return ending.how === "result" ? "own path" : ending.how;
  },
  key: ({ leaks }) => (leaks.length === 0 ? "nowhere" : strong(leaks.join(", "))),
};

const titles: Readonly<Record<Group, string>> = {
  paid: "When the job is made, but its answer is lost",
  free: "When nothing was carried out",
  hanging: "When a call ends",
  wrong: "When the answer is wrong",
  key: "Where the key can be read",
};

const groups = ["paid", "free", "hanging", "wrong", "key"] as const;

/** Says which clients end alike, in the order of the clients. */
const outcomesOf = (fault: Fault, index: number, played: readonly Played[]): string => {
  const names = new Map<string, string[]>();
  for (const { name, endings } of played) {
    const ending = endings[index];
    if (ending === undefined) continue;
    const outcome = cells[fault.group](ending, fault);
    names.set(outcome, [...(names.get(outcome) ?? []), name]);
  }
  return Array.from(names, ([outcome, alike]) => `${outcome}: ${alike.join(", ")}`).join("<br>");
};

/** Writes a table in which faults that end alike for every client share a row. */
const detailsOf = (group: Group, played: readonly Played[]): string => {
  const rows = new Map<string, string[]>();
  for (const [index, fault] of benchFaults.entries()) {
    if (fault.group !== group) continue;
    const outcomes = outcomesOf(fault, index, played);
    rows.set(outcomes, [...(rows.get(outcomes) ?? []), fault.words]);
  }
  return table(
    [titles[group], "outcome"],
    Array.from(rows, ([outcomes, words]) => [words.join("<br>"), outcomes]),
  );
};

const summaryOf = (played: readonly Played[]): string => {
  const count = (test: (ending: Ending, fault: Fault) => boolean, within: readonly Group[]) => {
    const chosen = benchFaults.filter(({ group }) => within.includes(group));
    const counts = played.map(({ endings }) => {
      const met = benchFaults.flatMap((fault, index) => {
        const ending = endings[index];
        return ending !== undefined && chosen.includes(fault) && test(ending, fault) ? [fault] : [];
      });
      return met.length === 0 ? 0 : strong(met.length);
    });
    return [`of ${chosen.length}`, ...counts];
  };
  return table(
    ["", "faults", ...played.map(({ name }) => name)],
    [
      ["paid twice", ...count(isPaidTwice, ["paid", "hanging"])],
      ["still waiting at the end", ...count(isEndless, ["free", "hanging"])],
      ["took a wrong answer for a result", ...count(isWrong, ["wrong"])],
      ["showed the key", ...count(isLeak, groups)],
    ],
  );
};

/** Writes the tables between the markers of the page. */
export const writeTables = (page: string, { date, node, limitSeconds, played }: Run): string => {
  const [start, end] = markers;
  const [before, behind] = [page.split(start)[0], page.split(end)[1]];
  if (behind === undefined) throw new Error(`The page has no ${start} … ${end}`);
  const versions = played.map(({ name, version, call }) => `\`${name}\` ${version} (\`${call}\`)`);
  return [
    `${before}${start}`,
    `Measured on ${date} with Node ${node}: ${versions.join(", ")}.`,
    summaryOf(played),
    `A call that had not ended after ${limitSeconds} seconds "waits". Faults that end alike share a row.`,
    ...groups.map((group) => detailsOf(group, played)),
    `${end}${behind}`,
  ].join("\n\n");
};
