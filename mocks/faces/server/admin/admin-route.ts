import type { MockService } from "../../../service/mock-service.ts";

/** One call of the admin, taken apart. */
export interface AdminCall {
  readonly service: MockService;
  readonly request: Request;
  /** Parts of the path, decoded. */
  readonly parts: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The JSON object of the body; empty when there was none. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** One thing the admin can do, as data: the router, the help and the page read it. */
export interface AdminRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** With hono's `:name` for a part. */
  readonly path: `/__mock${string}`;
  /** What it does, in a few words. */
  readonly summary: string;
  /** The fields of its body; others are refused. Absent: any, or there is no body. */
  readonly fields?: readonly string[];
  /** A `Response` is sent as it is, anything else as the `data` of a success envelope. */
  readonly answer: (call: AdminCall) => unknown;
}

/** Why the admin says no. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: 400 | 404 | 405 | 409 | 415;

  constructor(status: Refusal["status"], message: string) {
    super(message);
    this.status = status;
  }
}

/** Does what the service may find no sense in: that is the caller's mistake then, in this field. */
export const makesSense = <Result>(field: string, work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    const { message } = error;
    throw new Refusal(400, message.includes(field) ? message : `${field}: ${message}`);
  }
};
