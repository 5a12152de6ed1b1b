import { createMockService, type MockService } from "adgen-sdk/mocks";
import { compare, type Finding, showSpread } from "./measure.ts";
import {
  type Ask,
  benchOptions,
  createBrand,
  getJob,
  listJobs,
  send,
  submit,
  submitJob,
} from "./workload.ts";

/** `service.fetch` takes at most this many times as long as a function that has the answer ready. */
const maxRatio = 4;

interface Case {
  readonly what: string;
  readonly service: MockService;
  readonly ask: Ask;
}

const prepare = async (): Promise<Case[]> => {
  const service = createMockService(benchOptions);
  for (let count = 0; count < 20; count += 1) await submitJob(service);
  const id = await submitJob(service);

  const quick = createMockService({ ...benchOptions, timeline: { queuedMs: 0, processingMs: 0 } });
  for (let count = 0; count < 20; count += 1) await submitJob(quick);
  const completed = await submitJob(quick);

  return [
    { what: "submit a job", service: createMockService(benchOptions), ask: submit },
    { what: "get an unfinished job", service, ask: getJob(id) },
    { what: "get a job with a picture", service: quick, ask: getJob(completed) },
    { what: "list 20 unfinished jobs", service, ask: listJobs(20) },
    { what: "list 20 jobs with pictures", service: quick, ask: listJobs(20) },
    { what: "create a brand", service: createMockService(benchOptions), ask: createBrand },
  ];
};

/** Makes a plain function that answers the same status, headers and JSON, and does nothing else. */
const bareAnswer = async (answer: Response): Promise<() => Promise<Response>> => {
  const body = await answer.json();
  const init = { status: answer.status, headers: Object.fromEntries(answer.headers) };
  return async () => Response.json(body, init);
};

/** `service.fetch` against a bare function with the same answer, the body read in both. */
export const measureFetch = async (say: (what: string) => void): Promise<Finding[]> => {
  const findings: Finding[] = [];
  for (const { what, service, ask } of await prepare()) {
    say(what);
    const bare = await bareAnswer(await send(service, ask));
    const { ratio, one, other } = await compare(
      async () => (await send(service, ask)).text(),
      async () => (await bare()).text(),
    );
    const [ours, theirs] = [one, other].map(({ median }) => median.toFixed(0));
    findings.push({
      what: `service.fetch: ${what}`,
      measured: `${ratio.median.toFixed(2)}× bare (${ours} and ${theirs} µs)`,
      limit: `≤ ${maxRatio}×`,
      ok: ratio.median <= maxRatio,
      noise: `${showSpread(ratio)}×`,
    });
  }
  return findings;
};
