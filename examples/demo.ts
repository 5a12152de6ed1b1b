// A user's day with the service: a brand, three jobs at once with their progress, an ad for the
// library, two refusals as typed errors, and the bill. The service is a mock, so it is free.
//
//   node demo.ts
import {
  BadRequestError,
  createClient,
  PaymentRequiredError,
  submitMany,
  toResult,
  watchJob,
} from "adgen-sdk";
import { assumedSchemas } from "adgen-sdk/assumed";
import { startMockServer } from "adgen-sdk/mocks/server";

const image = { monthly: 15, purchased: 50 };
const server = await startMockServer({
  accounts: { "demo-key": { credits: { image, video: { monthly: 20 } } } },
  timeline: { queuedMs: 300, processingMs: { min: 700, max: 2_000 } },
});
const client = createClient({ baseUrl: server.url, apiKey: "demo-key", schemas: assumedSchemas });
const row = (...cells: readonly string[]): void =>
  console.log(
    `  ${cells
      .map((cell) => cell.padEnd(22))
      .join("")
      .trimEnd()}`,
  );
console.log(`The service is a mock on ${server.url}: open it to watch`);

console.log("\nA brand");
const brand = await client.brands.create({ name: "Acme Lemonade" });
row("created", brand.id);

console.log("\nTwelve small jobs: the client learns how long they take");
const small = Array(12).fill({ action: "generate-ad", prompt: "Ice-cold lemonade" } as const);
for await (const { index, ok, data } of submitMany(client, small, { concurrency: 12 })) {
  if (index % 4 === 0) row(`${index + 1} of ${small.length}`, ok ? data.status : "not made");
}

console.log("\nAn ad, with its progress");
const job = await client.jobs.submit({ action: "generate-ad", prompt: "Lemonade", variations: 4 });
const polls = watchJob(client, job, { intervalMs: 200 });
for await (const { status } of polls) {
  row(status, `${Math.floor(100 * (polls.progress?.fraction ?? 0))} %`);
}
const ad = await client.jobs.get(job);
if (ad.status === "completed") {
  const image_url = ad.result.images[0]?.url;
  const saved = await client.savedAds.create({ brand_id: brand.id, headline: "Cold", image_url });
  row("saved", saved.id);
}

console.log("\nTwo refusals, as typed errors");
// A misspelt action does not compile, so this one comes out of a JSON text.
const poster = await toResult(client.jobs.submit(JSON.parse('{ "action": "generate-poster" }')));
if (poster.error instanceof BadRequestError) {
  row(poster.error.name, `one of ${poster.error.supportedActions?.length} actions would do`);
}
const film = await toResult(client.jobs.submit({ action: "video-a-2-pro", duration: 60 }));
if (film.error instanceof PaymentRequiredError) row(film.error.name, "60 s cost too much");

console.log("\nThe bill");
const { charges, credits } = server.service.account("demo-key");
row(`${charges.length} jobs`, `${charges.reduce((sum, { amount }) => sum + amount, 0)} credits`);
row("left", `${credits.image.monthly} monthly`, `${credits.image.purchased} purchased`);
await server.close();
