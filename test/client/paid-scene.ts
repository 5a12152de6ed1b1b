import type { ClientOptions } from "../../src/index.ts";
import { createMemoryStore, createSubmissions, type RecordStore } from "../../src/submissions.ts";
import { clientOf } from "../helpers/client.ts";
import { type Answer, type HttpServer, listen } from "../helpers/http-server.ts";

/** A store whose earlier writers have ended, as that in a file knows after a restart. */
export const afterRestart = (store: RecordStore): RecordStore => ({
  ...store,
  swap: async (...input) => {
    const there = await store.swap(...input);
    return there && { ...there, isLeft: true };
  },
  list: async (...input) =>
    (await store.list(...input)).map((there) => ({ ...there, isLeft: true })),
});

/** A client with submissions, as one process has them. */
export const open = (server: HttpServer, store: RecordStore, options?: ClientOptions) => {
  const submissions = createSubmissions(store);
  const client = clientOf(server, { submissions, ...options });
  return { submissions, client, jobs: client.jobs };
};

export const startWith = async (...answers: Answer[]) => {
  const server = await listen(...answers);
  const store = createMemoryStore();
  return { server, store, ...open(server, store) };
};

export const posts = ({ received }: HttpServer): number =>
  received.filter(({ method }) => method === "POST").length;

export const once = "order-17";

/** An error by this id of the caller, of a call that sent nothing. */
export const unsent = { method: "POST", path: "/v1/jobs", attempts: 0, action: "generate-ad" };
