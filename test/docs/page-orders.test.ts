// The orders of the guide about repeats: each is paid once, and stays with its user.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "adgen-sdk";
import { createMockService } from "adgen-sdk/mocks";
import { createMemoryStore, createProxy } from "adgen-sdk/proxy";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { failure, reset } from "../helpers/answers.ts";
import { listen } from "../helpers/http-server.ts";
import { writeRecipe } from "../helpers/recipes.ts";

const folder = writeRecipe("docs/guides/repeats.md");
const { findOrder, submitOnce } = await import(pathToFileURL(join(folder, "page-orders.ts")).href);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Opens the page of one browser, to which several users may sign in. */
const openBrowser = (options: object = {}) => {
  const service = createMockService();
  const apiKey = "test-key";
  const baseUrl = "https://api.example.com";
  const upstream = { baseUrl, apiKey, fetch: service.fetch, ...options };
  const proxy = createProxy({ ...upstream, authorize: () => "", store: createMemoryStore() });
  const items = new Map<string, string>();
  const storage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, text: string) => void items.set(name, text),
    removeItem: (name: string) => void items.delete(name),
  };
  const submit = (user: string, order: object) => {
    const page = { baseUrl: "http://shop.test/adgen", apiKey: null, fetch: proxy.fetchAs(user) };
    return submitOnce(createClient(page), storage, user, order);
  };
  const find = (user: string) => findOrder(storage, user);
  return { charges: () => service.account(apiKey).charges.length, items, submit, find };
};

/** Failures are meant, and must not be printed. */
const quiet = { onError: () => {} };

const orderNow = (id = "click-17") => ({
  ...{ id, at: Date.now(), request: { action: "generate-ad", prompt: "Lemonade" } },
});

test("an order is paid once after a reload, and is forgotten when it has its answer", async () => {
  const { charges, submit, find } = openBrowser();
  const order = orderNow();
  const job = await submit("anna", order);
  expect(find("anna")).toBeUndefined();
  // As in a page that was closed before its answer came.
  expect(await submit("anna", order)).toMatchObject({ job_id: job.job_id });
  expect(charges()).toBe(1);
});

test("an order without an answer is its user's alone, and only while the proxy knows it", async () => {
  const { url } = await listen(reset);
  const { submit, find, items } = openBrowser({ baseUrl: url, fetch: undefined, hooks: quiet });
  const order = orderNow();
  await expect(submit("anna", order)).rejects.toMatchObject({ outcome: "unknown" });
  expect(find("anna")).toEqual(order);
  expect(find("bob")).toBeUndefined();
  vi.advanceTimersByTime(22 * 3_600_000);
  expect(find("anna")).toEqual(order);
  vi.advanceTimersByTime(2 * 3_600_000);
  expect(find("anna")).toBeUndefined();
  expect(items.size).toBe(0);
});

test("a refused order is not submitted again by the next page", async () => {
  const { url } = await listen(failure(402));
  const { submit, find } = openBrowser({ baseUrl: url, fetch: undefined });
  await expect(submit("anna", orderNow())).rejects.toMatchObject({ outcome: "refused" });
  expect(find("anna")).toBeUndefined();
});
