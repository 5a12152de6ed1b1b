import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { guides } from "../helpers/documents.ts";

const map = guides.find(({ path }) => path === "docs/architecture.md")?.text ?? "";
const diagrams = Array.from(map.matchAll(/```text\n(.*?)```/gs), ([, text = ""]) => text).join();

/** Finds a file or a room of `src` or `mocks` by its name in a diagram. */
const findPlace = (name: string): string | undefined =>
  ["src", "mocks"]
    .flatMap((half) => [`${half}/${name}.ts`, `${half}/${name}`])
    .find((path) => existsSync(path));

/** Whether a file declares a name, or a schema or interface a field of that name. */
const declares = (path: string, name: string): boolean =>
  new RegExp(`(const|function|interface|type) ${name}\\b|^ {2}(readonly )?${name}\\??:`, "m").test(
    readFileSync(path, "utf8"),
  );

describe("the map of the code", () => {
  test("names files and rooms that exist, in its diagrams", () => {
    const names = diagrams.match(/(?<![\w/-])[a-z]+(?:\/[a-z][a-z-]*)+/g) ?? [];
    expect(names).toContain("http/handle-request");
    expect(names.filter((name) => findPlace(name) === undefined)).toEqual([]);
  });

  test("names functions that are in their files", () => {
    const inDiagrams = Array.from(
      diagrams.matchAll(/([a-z]+\/[a-z-]+) +(\w+): /g),
      ([, file = "", name = ""]) => ({ file: findPlace(file) ?? "", name }),
    );
    const inText = Array.from(
      map.matchAll(/`(\w+)`(?: of `\w+`)? in `((?:src|mocks)\/[^`]+\.ts)`/g),
      ([, name = "", file = ""]) => ({ file, name }),
    );
    expect(inDiagrams.length).toBeGreaterThan(3);
    expect(inText.length).toBeGreaterThan(8);
    const named = [...inDiagrams, ...inText];
    expect(named.filter(({ file, name }) => !declares(file, name))).toEqual([]);
  });
});
