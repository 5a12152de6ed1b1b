import { createClient } from "adgen-sdk";
import { assumedSchemas } from "adgen-sdk/assumed";
import { createMemoryStore, createProxy, type ProxyStore } from "adgen-sdk/proxy";
import { after } from "next/server";
import { readPerson } from "@/lib/session";

// Next loads this module several times in one process: for pages, for route handlers, for actions.
// All of them must share one store, or a job of one is unknown to the others.
const shared = globalThis as { adgenStore?: ProxyStore };
// For one process. Several, or a serverless platform, need createRedisStore: see the README.
shared.adgenStore ??= createMemoryStore();

/** The way to the service for everybody: it keeps the key, and knows whose a job is. */
export const proxy = createProxy({
  authorize: async () => (await readPerson())?.id,
  store: shared.adgenStore,
  endpoints: ["jobs.submit", "jobs.get", "jobs.list"],
  actions: ["generate-ad"],
  limits: [{ windowMs: 86_400_000, imageCredits: 12 }],
});

/** Answers a request of a page. A submission ends and is remembered when the page has gone. */
export const answer = (request: Request): Promise<Response> =>
  proxy(request, { waitUntil: (promise) => after(promise) });

/**
 * A client for server components and server actions, on behalf of the person who is signed in.
 * It calls the proxy in this process, so that the same owners and limits hold as for the browser.
 */
export const adgen = createClient({
  baseUrl: "http://proxy.internal/adgen",
  apiKey: null,
  fetch: answer,
  schemas: assumedSchemas,
});
