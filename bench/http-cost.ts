import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import autocannon from "autocannon";
import type { BareAnswer } from "./http-target.ts";
import { type Finding, showSpread, spreadOf } from "./measure.ts";
import { type Ask, getJob, listJobs, submitPictures } from "./workload.ts";

const rounds = 9;
/** Both servers compile their code anew for the first seconds of each case. */
const warmUpSeconds = 2;
const secondsEach = 1;

interface Target {
  readonly url: string;
  readonly child: ChildProcess;
}

/** A request, and the least share of the bare handler's rate that the mock must reach. */
interface Case {
  readonly what: string;
  readonly ask: Ask;
  readonly minRatio: number;
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

/** Headers that Node itself writes to both answers. */
const ownHeaders = new Set(["connection", "keep-alive", "date", "transfer-encoding"]);

/** Gives the bare server the mock's answer to repeat, without the headers that Node adds. */
const teach = async (mock: Target, bare: Target, ask: Ask): Promise<void> => {
  const response = await send(mock.url, ask);
  const answer: BareAnswer = {
    status: response.status,
    headers: Object.fromEntries([...response.headers].filter(([name]) => !ownHeaders.has(name))),
    body: await response.text(),
  };
  bare.child.send(answer);
  await once(bare.child, "message");
};

/** Microseconds of processor time that a server has used so far. */
const cpuOf = async ({ child }: Target): Promise<number> => {
  child.send("cpu");
  const [micros] = await once(child, "message");
  return micros;
};

interface Load {
  /** Good answers a second. */
  readonly rate: number;
  /** Microseconds of the server's processor time for each good answer. */
  readonly cpu: number;
}

const load = async (target: Target, { path, init }: Ask, seconds: number): Promise<Load> => {
  const before = await cpuOf(target);
  const result = await autocannon({
    url: target.url + path,
    method: init.method as "GET",
    headers: init.headers,
    ...(init.body !== undefined && { body: init.body }),
    connections: 32,
    pipelining: 1,
    duration: seconds,
  });
  const { "2xx": answered, errors, non2xx, duration } = result;
  if (errors + non2xx > 0) {
    throw new Error(`${init.method} ${path}: ${errors} errors, ${non2xx} answers that are not 2xx`);
  }
  return { rate: answered / duration, cpu: ((await cpuOf(target)) - before) / answered };
};

const medianOf = (loads: readonly Load[], figure: keyof Load): string =>
  spreadOf(loads.map((each) => each[figure])).median.toFixed(0);

/** Loads both servers in turn, so that other work on the machine meets both alike. */
const compareRates = async (mock: Target, bare: Target, { what, ask, minRatio }: Case) => {
  await teach(mock, bare, ask);
  for (const target of [mock, bare]) await load(target, ask, warmUpSeconds);
  const [ours, theirs]: [Load[], Load[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await load(mock, ask, secondsEach));
    theirs.push(await load(bare, ask, secondsEach));
  }
  const ratio = spreadOf(ours.map(({ rate }, round) => rate / (theirs[round]?.rate ?? 0)));
  const finding: Finding = {
    what: `HTTP server: ${what}`,
    measured:
      `${ratio.median.toFixed(2)}× bare (${medianOf(ours, "rate")} and ${medianOf(theirs, "rate")} ` +
      `a second, ${medianOf(ours, "cpu")} and ${medianOf(theirs, "cpu")} µs of CPU)`,
    limit: `≥ ${minRatio}×`,
    // The better quartile decides, because other work on the machine slows single rounds.
    ok: ratio.high >= minRatio,
    noise: `${showSpread(ratio)}×`,
  };
  return finding;
};

/**
 * Measures the HTTP server against a bare `node:http` handler that checks the key and sends the
 * same bytes from a buffer. Each runs in its own process. The jobs are finished and have four
 * pictures each, which the server serves.
 */
export const measureHttp = async (say: (what: string) => void): Promise<Finding[]> => {
  const [mock, bare] = await Promise.all([start("mock"), start("bare")]);
  try {
    const { data } = await (await send(mock.url, submitPictures)).json();
    for (let count = 0; count < 20; count += 1) await (await send(mock.url, submitPictures)).text();
    const [poll, list] = [getJob(data.job_id), listJobs(20)];
    const cases: readonly Case[] = [
      { what: "get a job", ask: poll, minRatio: 0.5 },
      { what: "list 20 jobs", ask: list, minRatio: 0.12 },
      { what: "submit a job", ask: submitPictures, minRatio: 0.45 },
      { what: "get a job, among those", ask: poll, minRatio: 0.5 },
      { what: "list 20 jobs, among those", ask: list, minRatio: 0.12 },
    ];
    const findings: Finding[] = [];
    for (const measured of cases) {
      say(measured.what);
      findings.push(await compareRates(mock, bare, measured));
    }
    return findings;
  } finally {
    mock.child.disconnect();
    bare.child.disconnect();
  }
};
