import { createProxy, type ProxyOptions } from "adgen-sdk/proxy";
import { createMemoryStore } from "adgen-sdk/submissions";
import { Hono } from "hono";
import { type Balance, limits } from "./budget.ts";
import { createLostAnswers } from "./lost-answers.ts";
import { people } from "./people.ts";
import type { Sessions } from "./sessions.ts";

/** Options of {@link createStudio}. */
export interface StudioOptions extends Pick<ProxyOptions, "baseUrl" | "apiKey"> {
  readonly sessions: Sessions;
  readonly readCredits: () => Balance["credits"];
}

/**
 * Makes the server of the app. It knows nothing of Node: it runs on a server, in a worker, and with
 * `--in-page` in the page itself.
 */
export const createStudio = ({ baseUrl, apiKey, sessions, readCredits }: StudioOptions): Hono => {
  const { personOf } = sessions;
  const studio = new Hono();

  // The proxy: it keeps the key, and knows whose each job is. A server of yours needs no more.
  const proxy = createProxy({
    baseUrl,
    apiKey,
    authorize: personOf,
    limits,
    // For one process. Several processes share one store: see createRedisStore.
    store: createMemoryStore(),
  });
  const lostAnswers = createLostAnswers(sessions);
  studio.use("/adgen/v1/jobs", lostAnswers.middleware);
  studio.all("/adgen/*", ({ req }) => proxy(req.raw));

  // The rest is this demonstration's own.
  studio.get("/studio/session", ({ req, json }) => {
    const id = personOf(req.raw);
    return json(people.find((person) => person.id === id) ?? null);
  });
  studio.put("/studio/session/:person", ({ req, json, notFound }) => {
    const person = people.find(({ id }) => id === req.param("person"));
    return person === undefined ? notFound() : json(person, 200, sessions.begin(person.id));
  });
  studio.delete("/studio/session", ({ req, json }) => json(null, 200, sessions.end(req.raw)));

  studio.get("/studio/balance", async ({ req, json }) => {
    const person = personOf(req.raw);
    if (person === undefined) return json(null, 401);
    return json({ limits: await proxy.usage(person), credits: readCredits() } satisfies Balance);
  });
  studio.post("/studio/lose-next-answer", ({ req, json }) => {
    const person = personOf(req.raw);
    if (person === undefined) return json(null, 401);
    lostAnswers.loseNext(person);
    return json(null);
  });
  return studio;
};
