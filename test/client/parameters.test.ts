import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { submitMany } from "../../src/client/index.ts";
import { queued as answerQueued, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
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
  `adgen-sdk: jobs.submit: "${given}" is sent and paid; did you mean "${meant}"?`;

const misspelt = { promt: "Lemonade", image: ["x"], variatons: 4, brandId: "brand-1" };

it("a parameter near a known one is sent as it is, with one warning for each name and client", async () => {
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

it("a parameter that other services name otherwise has a warning", async () => {
  const client = clientOf(await listen(queued));
  await client.jobs.submit(requestOf({ n: 3, seconds: 6, model: "x", constructor: 1 }));
  expect(warnings).toEqual([
    warningOf("n", "variations"),
    warningOf("seconds", "duration"),
    warningOf("model", "action"),
  ]);
});

it("a parameter near a known one has its warning in submitMany too", async () => {
  const server = await listen(queued);
  const requests = ["a", "b"].map((durtion) => requestOf({ durtion }));
  for await (const { ok } of submitMany(clientOf(server), requests, { timeoutMs: 0 })) {
    expect(ok).toBe(false);
  }
  expect(warnings).toEqual([warningOf("durtion", "duration")]);
});

it("a warning has no control characters, and ignores underscores when it compares names", async () => {
  const client = clientOf(await listen(queued));
  await client.jobs.submit(requestOf({ "promp\u001bt": 1, brandIds: 1 }));
  expect(warnings.join()).not.toContain("\u001b");
  expect(warnings.at(-1)).toBe(warningOf("brandIds", "brand_id"));
});

it("a client warns of at most twenty names", async () => {
  const client = clientOf(await listen(queued));
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  await client.jobs.submit(requestOf(Object.fromEntries(letters.map((l) => [`prompt${l}`, 1]))));
  expect(warnings).toHaveLength(20);
});

it("a parameter that is known, or unlike any known one, has no warning", async () => {
  const client = clientOf(await listen(queued));
  const known = { prompt: "x", images: [], variations: 1, brand_id: "brand-1" };
  await client.jobs.submit(requestOf({ ...known, style: "noir", negative_prompt: "rain", id: 1 }));
  // Two letters, of which one has only moved.
  await client.jobs.submit(requestOf({ prmxpt: 1, prxopt: 1 }));
  expect(warnings).toEqual([]);
});

it("an undocumented parameter of a list is sent, with one warning for each name and call", async () => {
  const server = await listen(success({ jobs: [] }));
  const client = clientOf(server);
  for (let times = 0; times < 2; times++) await client.jobs.list({ page: 2, limit: 5 });
  await client.brands.listAds("brand-1", { page: 2 }).catch(() => {});
  const text = '"page" is sent, but the API\'s document names no such parameter of a list';
  expect(warnings).toEqual([`adgen-sdk: jobs.list: ${text}`, `adgen-sdk: brands.listAds: ${text}`]);
  expect(server.received[0]?.url).toBe("/v1/jobs?page=2&limit=5");
});

const base64 = Buffer.alloc(120, "a picture").toString("base64");

it.each<[what: string, picture: unknown]>([
  ["a path from here", "./bottle.png"],
  ["a path from above", "../bottle.png"],
  ["a path from the root", "/home/ann/bottle.png"],
  ["a path from home", "~/bottle.png"],
  ["a path of Windows", "C:\\pictures\\bottle.png"],
  ["a path of Windows with slashes", "c:/pictures/bottle"],
  ["a path of a Windows server", "\\\\server\\bottle.png"],
  ["a name of a file", "bottle.PNG"],
  ["a path without a dot", "pictures/my bottle.jpeg"],
  ["a file's URL as text", "file:///bottle.png"],
  ["a file's URL", new URL("file:///bottle.png")],
  ["a page's object URL", "blob:https://app.test/2f1c"],
  ["base64 without its head", base64],
  ["base64 in lines", base64.replaceAll(/.{76}/g, "$&\n")],
  ["a File", new File(["x"], "bottle.png")],
])("a picture that the service can't read is refused before sending: %s", async (_, picture) => {
  const server = await listen(queued);
  const client = clientOf(server);
  const request = { ...paidJob, images: ["https://ads.test/1.png", picture] } as typeof paidJob;
  const error = await rejection(client.jobs.submit(request));
  expect(error).toMatchObject({ code: "invalid_request", outcome: "not-sent" });
  expect(error.message).toMatch(
    /(images holds ".*|of a list is binary: )use toDataUrl of adgen-sdk\/files, or a URL$/,
  );
  expect(() => submitMany(client, [paidJob, request])).toThrow(/^requests\[1\] cannot be sent/);
  expect(server.received).toEqual([]);
});

it("a URL, a data URL and a possible id of the service are sent as pictures", async () => {
  const images = [
    new URL("https://ads.test/a.png"),
    "HTTP://ads.test/a",
    `data:image/png;base64,${base64}`,
    "gs://bucket/a.png",
    "asset_17",
  ];
  const server = await listen(queued);
  await clientOf(server).jobs.submit({ ...paidJob, images } as unknown as typeof paidJob);
  expect(JSON.parse(server.received[0]?.body ?? "")).toEqual({
    ...paidJob,
    images: images.map(String),
  });
});
