import type { ClientRequest, RequestAgent } from "./agents.ts";

/** The options of a connection that say where it goes. */
interface Where {
  readonly host?: string | null | undefined;
  readonly port?: number | string | null | undefined;
}

/**
 * Lists the URLs that a request of `node:http` may be for. Its connection says where it goes. A
 * Host header or an absolute path can name another: a proxy, or the server there, sends it on.
 */
export const urlsOf = (
  agent: RequestAgent,
  request: ClientRequest,
  options: unknown,
): readonly (URL | undefined)[] => {
  const { protocol, path } = request;
  const read = (host: string): URL | undefined => {
    const url = `${protocol}//${host}${path.startsWith("/") ? path : "/"}`;
    return URL.canParse(url) ? new URL(url) : undefined;
  };
  // An agent's options win over those of the request.
  const { host, port } = { ...(options as Where), ...(agent.options as Where | undefined) };
  const name = host ?? "localhost";
  const connection = read(`${name.includes(":") ? `[${name}]` : name}:${port ?? ""}`);
  const header = request.getHeader("host");
  const named = typeof header === "string" ? read(header) : undefined;
  const target = /^https?:/i.test(path) && URL.canParse(path) ? new URL(path) : undefined;
  return [connection, ...[named, target].filter((url) => url !== undefined)];
};
