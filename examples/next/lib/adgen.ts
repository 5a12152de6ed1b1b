import { createClient } from "adgen-sdk";
import { assumedSchemas } from "adgen-sdk/assumed";
import {
  type AdGenProxy,
  createMemoryStore,
  createProxy,
  type LimitUsage,
  type ProxyStore,
} from "adgen-sdk/proxy";
import { after } from "next/server";
import { readPerson } from "@/lib/session";

// Next loads this module several times in one process: for pages, for route handlers, for actions.
// They must share one store, or a job that an action has submitted is unknown to the route handler.
const shared = globalThis as { adgenStore?: ProxyStore };
// It is for one process. Several, or a serverless platform, need Redis: see the README.
shared.adgenStore ??= createMemoryStore();
const store = shared.adgenStore;

const makeProxy = (): AdGenProxy =>
  createProxy({
    authorize: async () => (await readPerson())?.id,
    store,
    endpoints: ["jobs.submit", "jobs.get", "jobs.list"],
    actions: ["generate-ad"],
    limits: [{ windowMs: 86_400_000, imageCredits: 12 }],
  });

let made: AdGenProxy | undefined;
/** Makes the proxy at the first request, because the key need not be there during a build. */
const readProxy = (): AdGenProxy => {
  made ??= makeProxy();
  return made;
};

/** Answers a request of the browser. A submission is finished even when the page has gone. */
export const answer = (request: Request): Promise<Response> =>
  readProxy()(request, { waitUntil: after });

/**
 * Client for server components and server actions. It acts for the person who is signed in: it
 * calls the proxy in this process, so that owners and limits are those of the browser's calls.
 */
export const adgen = createClient({
  baseUrl: "http://proxy.internal/adgen",
  apiKey: null,
  fetch: answer,
  schemas: assumedSchemas,
});

/** Tells how many pictures a person has used today. */
export const readUsage = async (owner: string): Promise<LimitUsage | undefined> => {
  const [pictures] = await readProxy().usage(owner);
  return pictures;
};
