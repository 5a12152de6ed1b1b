// The table of parameters in the client's guide, against the contract and its assumptions.
import { expect, test } from "vitest";
import { type Assumption, assumptions } from "../../mocks/conformance/assumptions.ts";
import { defaultDurationSeconds, maxDurationSeconds } from "../../mocks/domain/prices.ts";
import { bodies } from "../../src/contract/bodies.ts";
import { maxVariations } from "../../src/contract/jobs.ts";
import { guides } from "../helpers/documents.ts";
import { jobParameters } from "../helpers/job-parameters.ts";

const guide = guides.find(({ path }) => path === "docs/guides/client.md")?.text ?? "";
const [, section = ""] = /\n## What a request holds\n(.*?)\n## /s.exec(guide) ?? [];
const rows = Array.from(
  section.matchAll(/^\| `(\w+)` \| (.+) \|$/gm),
  ([, name = "", rest = ""]) => {
    const [holds = "", image, video, copy, assumed = ""] = rest.split(" | ");
    return { name, holds, takers: { image, video, copy }, assumed: assumed.split(", ") };
  },
);

test("names every parameter of the contract, once", () => {
  const { action, ...parameters } = bodies["jobs.submit"] ?? {};
  expect(action).toBeDefined();
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(parameters));
});

test.each(["image", "video", "copy"] as const)("knows which of them %s actions take", (kind) => {
  const taken = rows.filter(({ takers }) => takers[kind] === "yes").map(({ name }) => name);
  expect(taken).toEqual(jobParameters[kind]);
  const others = rows.filter(({ takers }) => takers[kind] === "no");
  expect(others).toHaveLength(rows.length - taken.length);
});

test("has the numbers of the contract and of the assumptions", () => {
  const words = Object.fromEntries(rows.map(({ name, holds }) => [name, holds]));
  expect(words["variations"]).toContain(`from 1 to ${maxVariations}; 1 when absent`);
  const limits = `at most ${maxDurationSeconds}; ${defaultDurationSeconds} when absent`;
  expect(words["duration"]).toContain(limits);
});

test("names the assumptions that speak of each", () => {
  for (const { name, assumed } of rows) {
    for (const number of assumed) {
      expect(assumptions[number as Assumption].assumed, number).toContain(name);
    }
  }
});
