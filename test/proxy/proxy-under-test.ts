import {
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  request,
} from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import {
  createProxy,
  type OwnerLimit,
  type ProxyErrorEvent,
  type ProxyOptions,
  type ProxyResponseEvent,
} from "../../src/proxy.ts";
import { closeLater, openService, secretKey } from "./fake-service.ts";
import { createMapStore } from "./test-store.ts";

/** An answer of the proxy, as it came. */
export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A request of a page. */
export interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

const textOf = (body: unknown): string | Buffer =>
  typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);

/** Serves a proxy on loopback by the adapter that Node servers use, in front of a fake service. */
export const openProxy = async (options: Partial<ProxyOptions> = {}) => {
  const service = await openService();
  const events: ProxyResponseEvent[] = [];
  const errors: ProxyErrorEvent[] = [];
  const memory = createMapStore();
  const proxy = createProxy({
    baseUrl: service.url,
    apiKey: secretKey,
    authorize: ({ headers }) => decodeURIComponent(headers.get("x-owner") ?? "") || undefined,
    store: memory.store,
    hooks: { onResponse: (event) => events.push(event), onError: (event) => errors.push(event) },
    ...options,
  });
  const listener = getRequestListener((request) => proxy(request), {
    overrideGlobalObjects: false,
  });
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  closeLater(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;

  /** Sends one request as an owner; nobody when it is empty. */
  const ask = (owner: string, { method = "GET", path = "/v1/jobs", headers, body }: Asked = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answered>();
    const call = request({
      ...{ host: "127.0.0.1", port, agent: false, method, path: `/adgen${path}` },
      headers: {
        ...(owner !== "" && { "x-owner": encodeURIComponent(owner) }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
    });
    call.on("error", reject).on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("error", reject).on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => {
        const { statusCode: status = 0, headers: answered } = response;
        resolve({ status, headers: answered, body: Buffer.concat(chunks).toString() });
      });
    });
    call.end(body === undefined ? undefined : textOf(body));
    return promise;
  };

  /** Submits a job as an owner, by a call id or without one. */
  const submit = (owner: string, body: object = {}, callId?: string, headers = {}) =>
    ask(owner, {
      method: "POST",
      headers: { ...(callId !== undefined && { "idempotency-key": callId }), ...headers },
      body: { action: "generate-ad", prompt: "Sale", ...body },
    });

  /** Makes a thing as an owner, and gives its id. */
  const make = async (owner: string, path: string, body: object): Promise<string> => {
    const { data } = dataOf(await ask(owner, { method: "POST", path, body }));
    return String(data["job_id"] ?? data["id"]);
  };

  /** Opens a connection of one's own. */
  const dial = (): Socket => {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    closeLater(() => void socket.destroy());
    return socket;
  };

  /** Writes bytes on a connection of its own, and reads until the proxy closes it. */
  const speak = async (bytes: string | Buffer): Promise<string> => {
    const socket = dial();
    socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
    let said = "";
    for await (const chunk of socket) said += chunk;
    return said;
  };

  return { ...{ service, proxy, port, events, errors, memory }, ask, submit, make, dial, speak };
};

/** Opens a proxy that limits each owner for a day, and tells what is used. */
export const withLimit = async (limit: Omit<OwnerLimit, "windowMs">) => {
  const stage = await openProxy({ limits: [{ windowMs: 86_400_000, ...limit }] });
  const used = async (owner = "ann") => (await stage.proxy.usage(owner)).map(({ used }) => used);
  return { ...stage, used };
};

export type ProxyUnderTest = Awaited<ReturnType<typeof openProxy>>;

/** Reads an envelope. */
export const dataOf = ({ body }: { readonly body: string }) =>
  JSON.parse(body) as {
    success: boolean;
    data: Record<string, unknown>;
    error: string | null;
    job_id?: string;
  };

/** The parts of a failed call that its page sees. */
export const failureOf = ({ status, headers, body }: Answered) => {
  const { success, data, error } = dataOf({ body });
  return { status, outcome: headers["adgen-outcome"], success, data, error };
};

/** The parts of an answer that a repeat gives again, byte for byte. */
export const sameOf = ({ status, body, headers }: Answered) => ({
  ...{ status, body, outcome: headers["adgen-outcome"] },
  ...{ retryAfter: headers["retry-after"], requestId: headers["x-request-id"] },
});

/** A promise that a test settles. */
export const gate = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: () => resolve() };
};
