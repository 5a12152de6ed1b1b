import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { benchFaults } from "../../bench/faults/faults.ts";
import { failuresOf } from "../../bench/faults/page.ts";
import { type Contender, type Ending, playFault } from "../../bench/faults/play.ts";

const page = readFileSync("docs/guides/comparison.md", "utf8");
const faultOf = (words: string) => {
  const fault = benchFaults.find((one) => one.words.includes(words));
  if (fault === undefined) throw new Error(`No fault says ${words}`);
  return fault;
};

/** A client that sends everything twice, believes everything, and tells its key. */
const careless: Contender = {
  name: "careless",
  call: "pay",
  paid: { id: "job_1" },
  read: { id: "job_1" },
  create: ({ url, key }) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const send = async (): Promise<unknown> => {
      const answer = await fetch(`${url}/v1/jobs`, { method: "POST", headers, body: "{}" });
      if (!answer.ok) throw Object.assign(new Error(`${answer.status} for ${key}`), { headers });
      return answer.text();
    };
    return {
      client: { headers },
      pay: () => send().catch(send),
      get: (id) => fetch(`${url}/v1/jobs/${id}`, { headers }),
    };
  },
};

test.each<[words: string, ending: Partial<Ending>]>([
  ["service answers 500", { how: "result", posts: 2, charges: 2, leaks: [] }],
  [
    "refuses the key by 401, and quotes",
    { how: "error", charges: 0, leaks: ["text", "JSON", "log"] },
  ],
  ["by 302 to another host", { how: "result", posts: 1, charges: 0 }],
  ["../../v1/account", { isAstray: true }],
  ["prints its client", { posts: 0, leaks: ["JSON", "log"] }],
  ["says nothing more", { how: "never" }],
])("the bench sees what a careless client does when: %s", async (words, ending) => {
  const limitMs = ending.how === "never" ? 50 : 10_000;
  expect(await playFault(careless, faultOf(words), limitMs)).toMatchObject(ending);
});

test("the page has a row for each fault, and the versions that are compared", () => {
  const { dependencies } = JSON.parse(readFileSync("bench/peers/package.json", "utf8"));
  const { zod: _, ...clients } = dependencies;
  const missing = Object.entries(clients).filter(
    ([name, version]) => !page.includes(`\`${name}\` ${version} (`),
  );
  expect(missing, "npm run bench -- faults --write").toEqual([]);
  const rows = page.matchAll(/^\| (.+?) \|/gm);
  const told = Array.from(rows, ([, cell = ""]) => cell.split("<br>")).flat();
  expect(benchFaults.filter(({ words }) => !told.includes(words))).toEqual([]);
});

const wrong = benchFaults.findIndex(({ group }) => group === "wrong");

test.each<[what: string, index: number, ending: Partial<Ending>, count: number]>([
  ["nothing of a good ending", 0, {}, 0],
  ["a second payment", 0, { charges: 2 }, 1],
  ["a hang", 0, { how: "never" }, 1],
  ["a key that is shown", 0, { leaks: ["log"] }, 1],
  ["a wrong answer", wrong, { how: "result" }, 1],
])("counts %s among the failures", (_, index, ending, count) => {
  const seen = { seconds: 1, posts: 1, charges: 1, leaks: [], isAstray: false };
  const good = { how: "error", ...seen } as const;
  const endings = benchFaults.map((_fault, at) => ({ ...good, ...(at === index && ending) }));
  expect(failuresOf({ name: "", version: "", call: "", endings })).toBe(count);
});
