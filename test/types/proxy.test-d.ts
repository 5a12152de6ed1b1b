import { createProxy } from "adgen-sdk/proxy";
import { describe, expectTypeOf, test } from "vitest";

const proxy = createProxy({ allowAnyone: true, baseUrl: "https://ads.test", apiKey: "key" });

/** As the types of each platform's handlers say. */
interface NextContext {
  params: Promise<{ path: string[] }>;
}
interface WorkerContext {
  waitUntil(promise: Promise<unknown>): void;
  passThroughOnException(): void;
}
interface DenoInfo {
  readonly remoteAddr: { readonly hostname: string };
}

describe("a proxy", () => {
  test("is a handler of Next.js, Workers, Deno and Bun as it is", () => {
    expectTypeOf(proxy).toExtend<
      (request: Request, context: NextContext) => Promise<Response> | Response
    >();
    expectTypeOf(proxy).toExtend<
      (request: Request, env: object, context: WorkerContext) => Promise<Response>
    >();
    expectTypeOf(proxy).toExtend<(request: Request, info: DenoInfo) => Promise<Response>>();
    expectTypeOf(proxy).toExtend<(request: Request) => Promise<Response>>();
  });

  test("takes what a platform keeps alive with", () => {
    void proxy(new Request("https://app.test/v1/jobs"), {
      waitUntil: (promise) => expectTypeOf(promise).toEqualTypeOf<Promise<unknown>>(),
    });
    // @ts-expect-error: no object
    void proxy(new Request("https://app.test/v1/jobs"), "env");
  });

  test("lists whose an option may be", () => {
    const options = { baseUrl: "https://ads.test", apiKey: "key" };
    createProxy({ ...options, authorize: ({ headers }) => headers.get("x-user") });
    createProxy({ ...options, authorize: async () => undefined });
    // @ts-expect-error: an owner is text
    createProxy({ ...options, authorize: () => 5 });
    // @ts-expect-error: the service has no such action
    createProxy({ ...options, allowAnyone: true, actions: ["paint"] });
    // @ts-expect-error: the proxy is the one who adds the key
    createProxy({ ...options, allowAnyone: true, apiKey: null });
  });
});
