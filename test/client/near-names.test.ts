import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { submitMany } from "../../src/client/index.ts";
import { requestBodies } from "../../src/contract/bodies.ts";
import { queued as answerQueued, success } from "../helpers/answers.ts";
import { clientOf } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

const queued = answerQueued();

type Request = { action: "generate-ad" };

/** A request as a program in JavaScript writes it. */
const requestOf = (parameters: object): Request => ({ action: "generate-ad", ...parameters });

let warnings: string[] = [];
beforeEach(() => {
  warnings = [];
  vi.spyOn(console, "warn").mockImplementation((text) => void warnings.push(text));
});
afterEach(() => {
  vi.restoreAllMocks();
});

const warningOf = (given: string, meant: string): string =>
  `adgen-sdk: jobs.submit: "${given}" is sent as it is; did you mean "${meant}"?`;

const misspelt = { promt: "Lemonade", image: ["x"], variatons: 4, brandId: "brand-1" };

describe("a parameter of a request that is near a known one", () => {
  it("is sent as it is, with one warning for each name and client", async () => {
    const server = await listen(queued, queued, queued);
    const client = clientOf(server);
    await client.jobs.submit(requestOf(misspelt));
    await client.jobs.submit(requestOf({ ...misspelt, Prompt: "Lemonade" }));
    expect(JSON.parse(server.received[0]?.body ?? "")).toEqual(requestOf(misspelt));
    const [first, ...others] = [
      warningOf("promt", "prompt"),
      warningOf("image", "images"),
      warningOf("variatons", "variations"),
      warningOf("brandId", "brand_id"),
      warningOf("Prompt", "prompt"),
    ];
    expect(warnings).toEqual([first, ...others]);

    await clientOf(server).jobs.submit(requestOf({ promt: "Lemonade" }));
    expect(warnings).toEqual([first, ...others, first]);
  });

  it("is compared with every parameter of the contract", () => {
    expect(Object.keys(requestBodies["jobs.submit"] ?? {}).sort()).toEqual([
      "action",
      "brand_id",
      "duration",
      "images",
      "prompt",
      "variations",
    ]);
  });

  it("has its warning in a list of requests, too", async () => {
    const server = await listen(queued);
    const requests = ["a", "b"].map((durtion) => requestOf({ durtion }));
    for await (const { ok } of submitMany(clientOf(server), requests, { timeoutMs: 0 })) {
      expect(ok).toBe(false);
    }
    expect(warnings).toEqual([warningOf("durtion", "duration")]);
  });

  it("is sent where the console throws, and has no warning where its name is long", async () => {
    const server = await listen(queued, queued);
    const client = clientOf(server);
    vi.spyOn(console, "warn").mockImplementation(() => {
      throw new Error("no warnings");
    });
    await client.jobs.submit(requestOf({ promt: "Lemonade" }));
    vi.stubGlobal("console", undefined);
    await client.jobs.submit(requestOf({ promp: 1, [`${"_".repeat(50)}promt`]: 1 }));
    vi.unstubAllGlobals();
    expect(server.received).toHaveLength(2);
  });

  it("is written without control characters, and found without its underscores", async () => {
    const client = clientOf(await listen(queued));
    await client.jobs.submit(requestOf({ "promp\u001bt": 1, brandIds: 1 }));
    expect(warnings.join()).not.toContain("\u001b");
    expect(warnings.at(-1)).toBe(warningOf("brandIds", "brand_id"));
  });

  it("has a warning for no more than twenty names", async () => {
    const client = clientOf(await listen(queued));
    const letters = [..."abcdefghijklmnopqrstuvwxyz"];
    await client.jobs.submit(requestOf(Object.fromEntries(letters.map((l) => [`prompt${l}`, 1]))));
    expect(warnings).toHaveLength(20);
  });

  it("is no warning's reason where it is known, or far from all", async () => {
    const client = clientOf(await listen(queued));
    const known = { prompt: "x", images: [], variations: 1, brand_id: "brand-1" };
    await client.jobs.submit(
      requestOf({ ...known, style: "noir", negative_prompt: "rain", id: 1 }),
    );
    // Two letters, of which one has only moved.
    await client.jobs.submit(requestOf({ prmxpt: 1, prxopt: 1 }));
    expect(warnings).toEqual([]);
  });
});

describe("a parameter of a list that the API's document doesn't name", () => {
  it("is sent as it is, with one warning for each name, call and client", async () => {
    const server = await listen(success({ jobs: [] }));
    const client = clientOf(server);
    for (let times = 0; times < 2; times++) await client.jobs.list({ page: 2, limit: 5 });
    await client.brands.listAds("brand-1", { page: 2 }).catch(() => {});
    const text =
      '"page" is sent as it is, but the API\'s document names no such parameter of a list';
    expect(warnings).toEqual([
      `adgen-sdk: jobs.list: ${text}`,
      `adgen-sdk: brands.listAds: ${text}`,
    ]);
    expect(server.received[0]?.url).toBe("/v1/jobs?page=2&limit=5");
  });
});
