// Entry for a page of an origin that the proxy lists: its client calls the proxy of another origin.
import { type AdGenError, createClient, type ResponseInfo, toResult } from "../../src/index.ts";

/** Ends of a page's calls, as it can tell them. */
export interface Told {
  readonly jobId: string | undefined;
  readonly requestId: string | undefined;
  /** Failures by name: the error's code, its outcome, and whether it knows when to try again. */
  readonly failures: Readonly<Record<string, string>>;
}

const describe = (error: AdGenError | undefined): string =>
  `${error?.code}/${error?.outcome}${error?.retryAfterMs === undefined ? "" : ", later"}`;

/** Makes calls with the cookies of the proxy's origin, and one without. */
const callFromElsewhere = async (baseUrl: string): Promise<Told> => {
  const options = { baseUrl, apiKey: null, callIds: true } as const;
  const client = createClient({
    ...options,
    fetch: (request) => fetch(request, { credentials: "include" }),
  });
  let info: ResponseInfo | undefined;
  const onResponse = (response: ResponseInfo): void => {
    info = response;
  };
  const job = { action: "generate-ad", prompt: "From elsewhere" } as const;
  const first = await toResult(client.jobs.submit(job, { onResponse }));
  const results = {
    "over the limit": await toResult(client.jobs.submit(job)),
    "an unknown brand, changed": await toResult(client.brands.update("b", { name: "B" })),
    "an unknown brand, removed": await toResult(client.brands.delete("b")),
    "no cookie": await toResult(createClient(options).jobs.list()),
  };
  const failures = Object.entries(results).map(([name, { error }]) => [name, describe(error)]);
  return {
    jobId: first.data?.job_id,
    requestId: info?.requestId,
    failures: Object.fromEntries(failures),
  };
};

Object.assign(globalThis, { callFromElsewhere });

export type CallFromElsewhere = typeof callFromElsewhere;
