import type { Fault } from "./faults.ts";
import { listenOnLoopback, type Protocol, readText } from "./loopback-server.ts";

/** One POST that the service has read to its end. */
export interface Post {
  readonly body: string;
  readonly httpVersion: string;
  readonly contentLength: string | undefined;
  /** True when an earlier request came over the same connection. */
  readonly reused: boolean;
}

export interface FaultServer {
  readonly url: string;
  readonly posts: readonly Post[];
}

/** Fails at this POST, which comes over a connection that an earlier one has used. */
const failingPost = 2;

const page = "<!doctype html><link rel=icon href=data:,><title>Fault server</title>";

/** Starts a service on loopback whose second POST meets the fault; all else goes well. */
export const startFaultServer = async (protocol: Protocol, fault: Fault): Promise<FaultServer> => {
  const posts: Post[] = [];
  const url = await listenOnLoopback(protocol, async (request, response, connection) => {
    const reused = connection.requests++ > 0;
    const { method, headers, httpVersion } = request;
    const answer = (status: number, type: string, body: string): void => {
      response.statusCode = status;
      response.setHeader("content-type", type);
      response.end(body);
    };
    const succeed = (status: number, data: unknown): void =>
      answer(status, "application/json", JSON.stringify({ success: true, data, error: null }));

    if (request.url === "/") return answer(200, "text/html", page);
    const body = await readText(request);
    if (method !== "POST") return succeed(200, { jobs: [], pagination: { total: 0 } });
    posts.push({ body, httpVersion, contentLength: headers["content-length"], reused });
    if (posts.length === failingPost) return fault({ socket: connection.socket, response });
    succeed(202, { job_id: `job-${posts.length}`, status: "queued" });
  });
  return { url, posts };
};
