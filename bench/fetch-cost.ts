import { createMockService, type MockService } from "adgen-sdk/mocks";
import { compareCosts, type Finding, showSpread } from "./measure.ts";
import {
  type Ask,
  benchOptions,
  createBrand,
  getJob,
  listJobs,
  sendAsk,
  submitAd,
  submitJob,
} from "./workload.ts";

/*
 * Largest ratios to a function that has the text of the answer ready. The mock keeps no answers: it
 * makes each one anew, pictures included.
 */

interface Case {
  readonly what: string;
  readonly service: MockService;
  readonly ask: Ask;
  readonly limit: number;
}

const prepare = async (): Promise<Case[]> => {
  const service = createMockService(benchOptions);
  for (let count = 0; count < 20; count += 1) await submitJob(service);
  const id = await submitJob(service);

  const quick = createMockService({ ...benchOptions, timeline: { queuedMs: 0, processingMs: 0 } });
  for (let count = 0; count < 20; count += 1) await submitJob(quick);
  const completed = await submitJob(quick);

  const list = listJobs(20);
  return [
    { what: "get an unfinished job", service, ask: getJob(id), limit: 3 },
    { what: "get a job with a picture", service: quick, ask: getJob(completed), limit: 3.5 },
    { what: "list 20 unfinished jobs", service, ask: list, limit: 4 },
    { what: "list 20 jobs with pictures", service: quick, ask: list, limit: 20 },
    { what: "submit a job", service: createMockService(benchOptions), ask: submitAd, limit: 3 },
    {
      what: "create a brand",
      service: createMockService(benchOptions),
      ask: createBrand,
      limit: 3,
    },
  ];
};

/** Makes the function that a test could use instead of the mock: it has the same text ready. */
const bareAnswer = async (answer: Response): Promise<() => Promise<Response>> => {
  const text = await answer.text();
  const init = { status: answer.status, headers: Object.fromEntries(answer.headers) };
  return async () => new Response(text, init);
};

/** Measures `service.fetch` against a bare function with the same answer; both bodies are read. */
export const measureFetch = async (say: (what: string) => void): Promise<Finding[]> => {
  const findings: Finding[] = [];
  for (const { what, service, ask, limit } of await prepare()) {
    say(what);
    const bare = await bareAnswer(await sendAsk(service, ask));
    const { ratio, one, other } = await compareCosts(
      async () => (await sendAsk(service, ask)).text(),
      async () => (await bare()).text(),
    );
    const [ours, theirs] = [one, other].map(({ median }) => median.toFixed(0));
    findings.push({
      what: `service.fetch: ${what}`,
      measured: `${ratio.median.toFixed(2)}× bare (${ours} and ${theirs} µs)`,
      limit: `≤ ${limit}×`,
      // The better quartile decides, because other work on the machine slows single rounds.
      ok: ratio.low <= limit,
      noise: `${showSpread(ratio)}×`,
    });
  }
  return findings;
};
