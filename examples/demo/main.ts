// A user's day with the service: a brand, 36 small jobs, and three jobs with a progress bar each.
// Then an ad for the library, two refusals, and the bill.
// The service is a mock on a free port of this machine, asked over real HTTP.
//
//   npm run demo
//   npm run demo -- --mock http://127.0.0.1:4471 --key test-key    against an adgen-mock that runs
import { parseArgs } from "node:util";
import {
  BadRequestError,
  createClient,
  type JobRequest,
  PaymentRequiredError,
  toResult,
  watchJob,
} from "adgen-sdk";
import { z } from "zod";
import { followJobs } from "./follow-jobs.ts";
import { heading, row } from "./print.ts";
import { fetchWithoutRetryAfter, findService, startService } from "./serve.ts";
import { runSmallBatch } from "./small-batch.ts";

const { mock, key } = parseArgs({
  options: { mock: { type: "string" }, key: { type: "string", default: "test-key" } },
}).values;
const service = mock === undefined ? await startService() : await findService(mock, key);
const { url, apiKey } = service;

const showCredits = async (): Promise<void> => {
  const { credits } = await service.readAccount();
  for (const [kind, { monthly, purchased }] of Object.entries(credits)) {
    row(`${kind} credits`, `${monthly} monthly`, `${purchased} purchased`);
  }
};

heading("The service");
row("a mock, on", url);

heading("The account, before");
await showCredits();

// From here on, everything goes through the client, as in your own program.
const client = createClient({
  baseUrl: url,
  apiKey,
  // The mock says when to look, the API's document does not: here the client has to learn it.
  fetch: fetchWithoutRetryAfter,
  // The API's document does not show what results hold, so you say what you expect of them.
  schemas: {
    results: {
      "generate-ad": z.object({ images: z.array(z.object({ url: z.string() })) }),
      "generate-ad-copy": z.object({ copy: z.array(z.object({ headline: z.string() })) }),
    },
  },
});

heading("A brand");
const brand = await client.brands.create({ name: "Acme Lemonade" });
row("created", brand.id);

const prompt = "ice-cold lemonade";
// Results shall be here 0.2 s after they are ready, on average.
const intervalMs = 200;

heading("36 small jobs, of actions that the client has never seen");
const kinds: readonly JobRequest[] = [
  { action: "generate-ad", prompt },
  { action: "generate-ad-copy", prompt },
  { action: "video-a-2", prompt, duration: 1 },
];
const small = await runSmallBatch(client, kinds, intervalMs);

heading("Three jobs at once: the client has learned how long they take");
const { jobs, polls } = await followJobs({
  "generate-ad": {
    asked: "4 variations",
    start: async () => {
      const job = await client.jobs.submit({ action: "generate-ad", prompt, variations: 4 });
      return watchJob(client, job, { intervalMs });
    },
  },
  "generate-ad-copy": {
    asked: "2 variations",
    start: async () => {
      const job = await client.jobs.submit({ action: "generate-ad-copy", prompt, variations: 2 });
      return watchJob(client, job, { intervalMs });
    },
  },
  "video-a-2": {
    asked: "5 seconds",
    start: async () => {
      const job = await client.jobs.submit({ action: "video-a-2", prompt, duration: 5 });
      return watchJob(client, job, { intervalMs });
    },
  },
});

heading("Polls of a job, on average");
for (const [action, before] of small.polls) {
  row(action, `${before.toFixed(1)} before`, `${polls.get(action)} now`);
}

heading("An ad in the library");
const { "generate-ad": ad, "generate-ad-copy": copy } = jobs;
if (ad.status === "completed" && copy.status === "completed") {
  const [image] = ad.result.images;
  const [text] = copy.result.copy;
  const saved = await client.savedAds.create({
    brand_id: brand.id,
    headline: text?.headline,
    image_url: image?.url,
  });
  row("saved", saved.id);
}
const { items } = await client.brands.listAds(brand.id);
for (const { id, headline } of items) row("listed", `${id}  “${headline}”`);

heading("Two refusals, as typed errors");
// A misspelt action does not compile; this one comes from elsewhere.
const poster = await toResult(client.jobs.submit(JSON.parse('{ "action": "generate-poster" }')));
if (poster.error instanceof BadRequestError) {
  const { name, status, supportedActions = [] } = poster.error;
  row(name, `${status}`, `“generate-poster” is none of these ${supportedActions.length}:`);
  for (let first = 0; first < supportedActions.length; first += 2) {
    const two = supportedActions.slice(first, first + 2);
    row("", "", two.map((action) => action.padEnd(18)).join(""));
  }
}
const film = await toResult(client.jobs.submit({ action: "video-a-2-pro", prompt, duration: 60 }));
if (film.error instanceof PaymentRequiredError) {
  const { name, status } = film.error;
  row(name, `${status}`, "60 s of video-a-2-pro cost too much");
}

heading("The bill");
const { ledger } = await service.readAccount();
const charges = ledger.filter(({ reason }) => reason === "charge");
for (const { credit, monthly, purchased, jobId } of charges) {
  const [action] = Object.entries(jobs).find(([, job]) => job.job_id === jobId) ?? [];
  if (action === undefined) continue;
  row(action, `${monthly} monthly`, `${purchased} purchased`, `${credit} credits`);
}
row("generate-ad-copy", "free");
const ofSmallJobs = charges.filter(({ jobId }) => jobId && small.jobIds.includes(jobId));
for (const kind of ["image", "video"]) {
  const sum = ofSmallJobs
    .filter(({ credit }) => credit === kind)
    .reduce((total, { monthly, purchased }) => total + monthly + purchased, 0);
  row("the small jobs", `${sum}`, "", `${kind} credits`);
}

heading("The account, after");
await showCredits();

heading("Next");
row("npm run example examples/generate-an-ad.ts   one job, from prompt to pictures");
row("npm run example examples/handle-errors.ts    what each error tells you to do");
row("npm run example examples/cancel-a-job.ts     stop waiting, and wait again");
row("npm run example examples/many-jobs.ts        a list of jobs, within limits");
row("npm run example examples/save-results.ts     pictures and videos, as files");
row("npm run example examples/own-schemas.ts      typed results, brands and ads");
row("examples/test-with-msw.test.ts               your own tests, with the mock");
row("npm run mock                                 the mock as a server, with a page");

await service.close();
