import { once } from "node:events";
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { getRequestListener } from "@hono/node-server";
import { afterAll } from "vitest";
import { createProxy, type OwnerLimit, type ProxyOptions } from "../../src/proxy/index.ts";
import type { ProxyErrorEvent, ProxyResponseEvent } from "../../src/proxy/proxy-options.ts";
import type { RecordStore } from "../../src/submissions/store/record-store.ts";
import { createMapStore } from "../submissions/store-promises.ts";
import { openService, secretKey } from "./fake-service.ts";

/** A request of a page. */
export interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

const textOf = (body: unknown): string | Buffer =>
  typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);

/** Returns the option that limits each owner for a day. */
export const perDay = (limit: OwnerLimit) => ({ limits: { day: limit } });

/** One step of a store, before it is done. */
export interface StoreCall {
  readonly step: keyof RecordStore;
  readonly args: readonly unknown[];
  /** Does the step. */
  readonly go: () => Promise<unknown>;
}

/** Replaces a step. It may fail, wait, or answer something else. */
export type Meet = (call: StoreCall) => unknown;

/** Calls `meet` in place of each step of a store. */
export const watchStore = (store: RecordStore, meet: Meet): RecordStore => {
  const steps = Object.entries(store).map(([step, go]) => [
    step,
    async (...args: unknown[]) => meet({ step, args, go: () => go(...args) } as StoreCall),
  ]);
  return Object.fromEntries(steps);
};

/** Makes each step of a store fail, as a Redis does that refuses commands. */
export const gone: Meet = () => {
  throw new Error("READONLY redis at 10.0.0.7");
};

/** Creates Ann's submission for a proxy that is called as a function. */
export const submissionOf = (callId?: string, init: RequestInit & { duplex?: "half" } = {}) =>
  new Request("http://page.test/adgen/v1/jobs", {
    method: "POST",
    headers: {
      ...{ "x-owner": "ann", "content-type": "application/json" },
      ...(callId !== undefined && { "idempotency-key": callId }),
    },
    body: JSON.stringify({ action: "generate-ad", prompt: "Sale" }),
    ...init,
  });

/** What two processes of one app share. */
interface Shared {
  readonly service: Awaited<ReturnType<typeof openService>>;
  readonly memory: ReturnType<typeof createMapStore>;
}

/**
 * Serves a proxy on loopback by the adapter that Node servers use, in front of a fake service.
 *
 * @param shared - Another proxy, whose service and store it shares
 */
export const openProxy = async (options: Partial<ProxyOptions> = {}, shared?: Shared) => {
  const { service, memory } = shared ?? { service: await openService(), memory: createMapStore() };
  const events: ProxyResponseEvent[] = [];
  const errors: ProxyErrorEvent[] = [];
  const goOn: Meet = ({ go }) => go();
  let meetStep = goOn;
  const proxy = createProxy({
    baseUrl: service.url,
    apiKey: secretKey,
    authorize: ({ headers }) => decodeURIComponent(headers.get("x-owner") ?? "") || undefined,
    store: watchStore(memory.store, (call) => meetStep(call)),
    hooks: { onResponse: (event) => events.push(event), onError: (event) => errors.push(event) },
    ...options,
  });
  const listener = getRequestListener((request) => proxy(request), {
    overrideGlobalObjects: false,
  });
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  await once(server.listen(0, "127.0.0.1"), "listening");
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;

  /** Sends one request as an owner. An empty owner is nobody. */
  const ask = async (owner: string, asked: Asked = {}) => {
    const { method = "GET", path = "/v1/jobs", headers, body } = asked;
    const call = request({
      ...{ host: "127.0.0.1", port, agent: false, method, path: `/adgen${path}` },
      headers: {
        ...(owner !== "" && { "x-owner": encodeURIComponent(owner) }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
    });
    // If the proxy refuses early, sending the body may fail.
    call.on("error", () => {}).end(body === undefined ? undefined : textOf(body));
    const [response] = (await once(call, "response")) as [IncomingMessage];
    const { statusCode: status = 0, headers: answered } = response;
    return { status, headers: answered, body: await text(response) };
  };

  /** Reads a path, and returns only the status. */
  const statusOf = async (owner: string, path: string) => (await ask(owner, { path })).status;

  /** Submits a job as an owner, with a call id or without one. */
  const submit = (owner: string, body: object = {}, callId?: string, headers = {}) =>
    ask(owner, {
      method: "POST",
      headers: { ...(callId !== undefined && { "idempotency-key": callId }), ...headers },
      body: { action: "generate-ad", prompt: "Sale", ...body },
    });

  /** Makes a thing as an owner, and returns its id. */
  const make = async (owner: string, path = "/v1/brands", body: object = { name: "Mine" }) => {
    const { data } = dataOf(await ask(owner, { method: "POST", path, body }));
    return String(data["job_id"] ?? data["id"]);
  };

  /** Lists the ids of an owner's things. */
  const list = async (owner: string, path = "/v1/jobs"): Promise<unknown[]> => {
    const [things] = Object.values(dataOf(await ask(owner, { path })).data);
    return (things as { id?: string; job_id?: string }[]).map(({ id, job_id }) => job_id ?? id);
  };

  /** Opens a connection. `said` resolves with the first bytes of the proxy. */
  const dial = () => {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    closers.push(() => void socket.destroy());
    const said = new Promise<string>((some) => {
      socket.once("data", (bytes) => some(String(bytes)));
    });
    return { socket, said };
  };

  /** Writes bytes on a new connection, and reads until the proxy closes it. */
  const speak = (bytes: string): Promise<string> => {
    const { socket } = dial();
    socket.write(bytes, "latin1");
    return text(socket);
  };

  /** Returns how much of each limit an owner has used. */
  const used = async (owner = "ann") => (await proxy.usage(owner)).map(({ used }) => used);

  /** Sets how each step of the store ends from now on. Without an argument, the store works again. */
  const meet = (how = goOn): void => {
    meetStep = how;
  };

  return {
    ...{ service, memory, proxy, port, events, errors, meet, used },
    ...{ ask, statusOf, submit, make, list, dial, speak },
  };
};

/** Opens a proxy whose first owner has brand-1, ad-2 in it, job-3 and job-4, and so on. */
export const openWithThings = async (...owners: readonly string[]) => {
  const stage = await openProxy();
  for (const owner of owners) {
    const brand = await stage.make(owner, "/v1/brands", { name: owner });
    await stage.make(owner, "/v1/saved-ads", { name: owner, brand_id: brand });
    for (const prompt of ["one", "two"]) await stage.submit(owner, { prompt });
  }
  return stage;
};

export type ProxyUnderTest = Awaited<ReturnType<typeof openProxy>>;

/** An answer of the proxy, as it came. */
type Answered = Awaited<ReturnType<ProxyUnderTest["ask"]>>;

/** Reads an envelope. */
export const dataOf = ({ body }: { readonly body: string }) =>
  JSON.parse(body) as {
    success: boolean;
    data: Record<string, unknown>;
    error: string | null;
    job_id?: string;
  };

/** Returns the parts of a failed call that its page sees. */
export const failureOf = ({ status, headers, body }: Answered) => {
  const { success, data, error } = dataOf({ body });
  return { status, outcome: headers["adgen-outcome"], success, data, error };
};

/** Returns the parts of an answer that a repeat must get byte for byte. */
export const sameOf = ({ status, body, headers }: Answered) => ({
  ...{ status, body, outcome: headers["adgen-outcome"] },
  ...{ retryAfter: headers["retry-after"], requestId: headers["x-request-id"] },
});
