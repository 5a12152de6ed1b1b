import { describe, expect, it } from "vitest";
import type { AdGenClient } from "../../src/index.ts";
import { success } from "../helpers/answers.ts";
import { clientOf, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

const job = { job_id: "j", status: "completed", result: 1 };
const thing = { id: "x", more: true };

const lists: [string, string, object, (client: AdGenClient) => Promise<unknown>][] = [
  ["jobs.list", "jobs", job, ({ jobs }) => jobs.list()],
  ["brands.list", "brands", thing, ({ brands }) => brands.list()],
  ["brands.listAds", "ads", thing, ({ brands }) => brands.listAds("b")],
];

describe.each(lists)("%s", (_, field, item, list) => {
  const page = async (data: unknown) => {
    const server = await listen(success(data));
    return list(clientOf(server));
  };

  it("gives the items of its field, and all else as meta", async () => {
    expect(await page({ [field]: [item, item], total: 9, next: null })).toEqual({
      items: [item, item],
      meta: { total: 9, next: null },
    });
  });

  it("gives an empty page", async () => {
    expect(await page({ [field]: [] })).toEqual({ items: [], meta: {} });
  });

  it("takes a bare array", async () => {
    expect(await page([item])).toEqual({ items: [item], meta: {} });
    expect(await page([])).toEqual({ items: [], meta: {} });
  });

  it("takes exactly one array under another name", async () => {
    expect(await page({ results: [item], total: 1 })).toEqual({
      items: [item],
      meta: { total: 1 },
    });
  });

  it.each(["items", "data", "results"])(
    "takes an empty array under %s, a name that says no more than that it is a list",
    async (name) => {
      expect(await page({ [name]: [], total: 0 })).toEqual({ items: [], meta: { total: 0 } });
    },
  );

  it("takes the only array where its own field holds none", async () => {
    expect(await page({ [field]: null, items: [item] })).toEqual({
      items: [item],
      meta: { [field]: null },
    });
  });

  it("prefers its own field to other arrays", async () => {
    expect(await page({ warnings: ["old"], [field]: [item] })).toEqual({
      items: [item],
      meta: { warnings: ["old"] },
    });
  });

  it.each([
    ["two arrays under other names", { a: [item], b: [item] }],
    ["no array", { total: 0 }],
    ["an empty object", {}],
    ["null", null],
    ["a text", "none"],
    ["a number", 7],
    ["a field that is no array", { [field]: { "0": item } }],
    ["an empty array under a name that says something else", { warnings: [] }],
    ["one beside a field that is null", { [field]: null, warnings: [] }],
    ["one beside a field that is no array", { [field]: {}, errors: [] }],
  ])("refuses %s", async (_, data) => {
    expect(await rejection(page(data))).toMatchObject({
      name: "DecodeError",
      reason: "data",
      message: expect.stringMatching(`answered 200: its data holds no list "${field}"$`),
      received: { data },
    });
  });

  it("names the item that does not fit", async () => {
    const error = await rejection(page({ [field]: [item, {}, item] }));

    expect(error).toMatchObject({ code: "decode", status: 200 });
    expect(error).toHaveProperty("issues.0.path", [field, 1, Object.keys(item)[0]]);
    expect(error.message).toContain(`${field}.1.${Object.keys(item)[0]}`);
  });

  it.each([[null], ["text"], [7], [[item]]])("refuses %j as an item", async (bad) => {
    const error = await rejection(page({ [field]: [bad] }));

    expect(error).toHaveProperty("issues.0.path", [field, 0]);
  });

  it("stays small when a thousand items do not fit", async () => {
    const error = await rejection(page({ [field]: Array.from({ length: 1_000 }, () => ({})) }));

    expect(JSON.stringify(error).length).toBeLessThan(4_000);
    expect(error.message.length).toBeLessThan(700);
  });
});
