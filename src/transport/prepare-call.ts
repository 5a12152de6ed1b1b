import { type Endpoint, endpoints } from "../contract/endpoint.ts";
import { callIdHeader } from "../contract/proxy-headers.ts";
import { makeError } from "../errors/make-error.ts";
import { createCallResolver } from "../options/call-options.ts";
import type { ClientConfig } from "../options/client-options.ts";
import { refuseArgument, refuseOption, refuseWrite } from "../options/rules.ts";
import { fillPath, formatQuery } from "../request/url.ts";
import type { Transport } from "./call.ts";

const requireBaseUrl = ({ baseUrl }: ClientConfig, isWrite: boolean): string => {
  const { url, relative } = baseUrl;
  if (url !== undefined) return url;
  const message =
    `baseUrl "${relative}" is relative, and there is no page here to complete it: ` +
    "call it in a browser, or give the whole address";
  throw makeError("config", message, { outcome: isWrite ? "not-sent" : undefined });
};

/** Refuses an id that nothing would keep, or that the proxy would refuse. */
const checkOnce = (once: string, { submissions, hasProxy }: ClientConfig): void => {
  if (hasProxy && !/^[!-~]{1,128}$/.test(once)) {
    refuseWrite(
      "once must have 1 to 128 visible ASCII characters: it goes to the proxy, in a header",
    );
  }
  if (hasProxy || submissions !== undefined) return;
  refuseOption(
    "once needs a store: createClient({ submissions: createSubmissions(await " +
      'openFileStore("submissions")) }), see adgen-sdk/submissions and adgen-sdk/submissions/file',
  );
};

/**
 * Makes an id by which a same-origin proxy can drop a write that the browser has sent twice.
 * `crypto.randomUUID` is missing in pages without https.
 */
const makeCallId = (): string => {
  const numbers = crypto.getRandomValues(new Uint32Array(4));
  return Array.from(numbers, (number) => number.toString(16).padStart(8, "0")).join("-");
};

/** Makes the function that turns a method's input into a call, and refuses bad input. */
export const createCallPreparer = (config: ClientConfig): Transport["prepareCall"] => {
  const resolveCall = createCallResolver(config);
  const { hasProxy, sendsCallIds } = config;

  return (name, { id, query, takesQuery = false, body, empty }, given) => {
    const startedAt = performance.now();
    const endpoint: Endpoint = endpoints[name];
    const { method, names, paid = false } = endpoint;
    const isWrite = method !== "GET";
    const refuse = isWrite ? refuseWrite : refuseArgument;
    const options = resolveCall(name, endpoint, given, takesQuery, refuse);
    const { once, totalTimeoutMs } = options;
    if (once !== undefined) checkOnce(once, config);
    const path = fillPath(endpoint, id, refuse);
    const search = formatQuery(takesQuery ? options.query : query, refuse);
    return {
      ...options,
      ...{ name, endpoint, config, method, path, body, empty, startedAt, isWrite },
      isPaid: paid,
      jobId: names === "job" ? String(id) : undefined,
      url: requireBaseUrl(config, isWrite) + path + search,
      headers: {
        ...(sendsCallIds && isWrite && { [callIdHeader]: makeCallId() }),
        ...options.headers,
        ...(hasProxy && once !== undefined && { [callIdHeader]: once }),
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      deadlineAt: startedAt + totalTimeoutMs,
    };
  };
};
