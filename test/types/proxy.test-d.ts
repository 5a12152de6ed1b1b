import { createProxy } from "adgen-sdk/proxy";
import { expectTypeOf, test } from "vitest";

const options = { allowAnyone: true, baseUrl: "https://ads.test", apiKey: "key" } as const;
const proxy = createProxy(options);

/** As the types of each platform's handlers say. */
interface WorkerContext {
  waitUntil(promise: Promise<unknown>): void;
  passThroughOnException(): void;
}
type NextContext = { params: Promise<{ path: string[] }> };
type Next = (request: Request, context: NextContext) => Promise<Response> | Response;
type Worker = (request: Request, env: object, context: WorkerContext) => Promise<Response>;
type DenoInfo = { readonly remoteAddr: { readonly hostname: string } };
type Deno = (request: Request, info: DenoInfo) => Promise<Response>;

test("a proxy is a handler of Next.js, Workers, Deno and Bun as it is", () => {
  expectTypeOf(proxy).toExtend<Next & Worker & Deno & ((request: Request) => Promise<Response>)>();
  // @ts-expect-error: what a platform keeps alive with is no text
  void proxy(new Request("https://app.test/v1/jobs"), "env");
});

test("a proxy has an owner by a function, and actions of the service", () => {
  createProxy({ ...options, authorize: async () => undefined });
  // @ts-expect-error: the service has no such action
  createProxy({ ...options, actions: ["paint"] });
});
