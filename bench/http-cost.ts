import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import autocannon from "autocannon";
import type { BareAnswer } from "./http-target.ts";
import { type Finding, showSpread, spreadOf } from "./measure.ts";
import { type Ask, getJob, listJobs, submit } from "./workload.ts";

/** The HTTP face answers at least this share of what a bare `node:http` handler does. */
const minRatio = 0.5;

const rounds = 7;
/** Both servers compile their code anew for the first seconds of each case. */
const warmUpSeconds = 2;
const secondsEach = 1;

interface Target {
  readonly url: string;
  readonly child: ChildProcess;
}

const start = async (kind: "mock" | "bare"): Promise<Target> => {
  const child = fork(new URL("./http-target.ts", import.meta.url), [kind]);
  const failed = once(child, "exit").then(([code]) => {
    throw new Error(`The ${kind} server ended with ${code}`);
  });
  failed.catch(() => {});
  const [url] = await Promise.race([once(child, "message"), failed]);
  return { url, child };
};

const send = (url: string, { path, init }: Ask): Promise<Response> => fetch(url + path, init);

/** Node writes these by itself, to both. */
const ownHeaders = new Set(["connection", "keep-alive", "date", "transfer-encoding"]);

/** Makes the bare server answer what the mock answers, but for the connection's own headers. */
const teach = async (mock: Target, bare: Target, ask: Ask): Promise<void> => {
  const response = await send(mock.url, ask);
  const answer: BareAnswer = {
    status: response.status,
    headers: Object.fromEntries([...response.headers].filter(([name]) => !ownHeaders.has(name))),
    body: await response.json(),
  };
  bare.child.send(answer);
  await once(bare.child, "message");
};

/** Requests a second, answered well. */
const load = async (url: string, { path, init }: Ask, duration: number): Promise<number> => {
  const {
    "2xx": answered,
    errors,
    non2xx,
    duration: took,
  } = await autocannon({
    url: url + path,
    method: init.method as "GET",
    headers: init.headers,
    ...(init.body !== undefined && { body: init.body }),
    connections: 10,
    pipelining: 1,
    duration,
  });
  if (errors + non2xx > 0) {
    throw new Error(`${init.method} ${path}: ${errors} errors, ${non2xx} answers that are not 2xx`);
  }
  return answered / took;
};

/** The HTTP face against a bare `node:http` handler with the same answers, each in its process. */
export const measureHttp = async (say: (what: string) => void): Promise<Finding[]> => {
  const [mock, bare] = await Promise.all([start("mock"), start("bare")]);
  try {
    const { data } = await (await send(mock.url, submit)).json();
    for (let count = 0; count < 20; count += 1) await (await send(mock.url, submit)).text();
    const cases = [
      { what: "get a job", ask: getJob(data.job_id), isHeld: true },
      { what: "list 20 jobs", ask: listJobs(20), isHeld: true },
      // Its work is more than an answer: it checks, charges and remembers. For information.
      { what: "submit a job", ask: submit, isHeld: false },
    ];
    const findings: Finding[] = [];
    for (const { what, ask, isHeld } of cases) {
      say(what);
      await teach(mock, bare, ask);
      for (const { url } of [mock, bare]) await load(url, ask, warmUpSeconds);
      const [ours, theirs, ratios]: [number[], number[], number[]] = [[], [], []];
      for (let round = 0; round < rounds; round += 1) {
        const [one, other] = [
          await load(mock.url, ask, secondsEach),
          await load(bare.url, ask, secondsEach),
        ];
        ours.push(one);
        theirs.push(other);
        ratios.push(one / other);
      }
      const ratio = spreadOf(ratios);
      const [mine, others] = [ours, theirs].map((rates) => Math.round(spreadOf(rates).median));
      findings.push({
        what: `HTTP server: ${what}`,
        measured: `${ratio.median.toFixed(2)}× bare (${mine} and ${others} a second)`,
        ...(isHeld && { limit: `≥ ${minRatio}×` }),
        ok: !isHeld || ratio.median >= minRatio,
        noise: `${showSpread(ratio)}×`,
      });
    }
    return findings;
  } finally {
    mock.child.disconnect();
    bare.child.disconnect();
  }
};
