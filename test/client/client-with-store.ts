import type { ClientOptions } from "../../src/client/index.ts";
import { createMemoryStore, createSubmissions } from "../../src/submissions/index.ts";
import { clientOf } from "../helpers/client.ts";
import { type Answer, type HttpServer, listen } from "../helpers/http-server.ts";

/** A process with a store and a service, which gives these answers in turn. */
export const startWith = async (...answers: Answer[]) => {
  const server = await listen(...answers);
  const store = createMemoryStore();
  /** A later process, or another one beside it. */
  const openNext = (options?: ClientOptions) => {
    const submissions = createSubmissions(store);
    const client = clientOf(server, { submissions, ...options });
    return { submissions, client, jobs: client.jobs };
  };
  return { server, store, openNext, ...openNext() };
};

export const posts = ({ received }: HttpServer): number =>
  received.filter(({ method }) => method === "POST").length;

export const once = "order-17";

/** Facts of the error of a call with an id that sent nothing. */
export const unsent = { method: "POST", path: "/v1/jobs", attempts: 0, action: "generate-ad" };
