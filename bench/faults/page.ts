/** The tables of "How it compares", made of what the bench of faults has seen. */
import { type Fault, faults, type Group } from "./faults.ts";
import type { Ending } from "./play.ts";

/** One client, and the ending of each fault, in the order of `faults`. */
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

/** Takes every result for a wrong one, unless the fault lies in the id alone. */
const isWrong = ({ how, isAstray }: Ending, { group, id }: Fault): boolean =>
  group === "wrong" && (id === undefined ? how === "result" : isAstray);

/** Counts what a user would call a failure of the client. */
export const failuresOf = ({ endings }: Played): number =>
  endings.filter((ending, index) => {
    const fault = faults[index];
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
    if (isPaidTwice(ending)) return strong(ending.charges);
    return ending.posts > ending.charges ? `${ending.charges} (same id)` : `${ending.charges}`;
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
  key: ({ leaks }) => (leaks.length === 0 ? "no" : strong(leaks.join(", "))),
};

const titles: Readonly<Record<Group, string>> = {
  paid: "Orders that were paid, when the answer gets lost",
  free: "When nothing was carried out",
  hanging: "End of the call",
  wrong: "Answers that are none",
  key: "Places where the key can be read",
};

const groups = ["paid", "free", "hanging", "wrong", "key"] as const;

const summaryOf = (played: readonly Played[]): string => {
  const count = (test: (ending: Ending, fault: Fault) => boolean, within: readonly Group[]) => {
    const chosen = faults.filter(({ group }) => within.includes(group));
    const counts = played.map(({ endings }) => {
      const met = faults.flatMap((fault, index) => {
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
  const details = groups.map((group) => {
    const rows = faults.flatMap((fault, index) => {
      if (fault.group !== group) return [];
      const endings = played.map(({ endings }) => endings[index]);
      return [[fault.words, ...endings.map((one) => (one ? cells[group](one, fault) : ""))]];
    });
    return `### ${titles[group]}\n\n${table(["", ...played.map(({ name }) => name)], rows)}`;
  });
  return [
    `${before}${start}`,
    `Written by \`npm run bench:faults -- --write\` on ${date}, with Node ${node}. A call that had not ended after ${limitSeconds} seconds "waits".`,
    versions.map((version) => `- ${version}`).join("\n"),
    summaryOf(played),
    ...details,
    `${end}${behind}`,
  ].join("\n\n");
};
