// Submits one job, waits for it, and fetches its pictures.
//
//   npm run example examples/generate-an-ad.ts                             with the mock
//   ADGEN_BASE_URL=… ADGEN_API_KEY=… npx node examples/generate-an-ad.ts   with the service
import { createClient, pollJob } from "adgen-sdk";

const client = createClient(); // reads ADGEN_BASE_URL and ADGEN_API_KEY

const job = await client.jobs.submit({
  action: "generate-ad",
  prompt: "Lemonade, ice cold, on a hot pavement",
  variations: 4, // four image credits
});
console.log(`submitted   ${job.job_id}`);

const finished = await pollJob(client, job, {
  onUpdate: ({ status }) => console.log(status),
});

if (finished.status === "failed") {
  console.error(`no ad: ${finished.error ?? "the service does not say why"}`);
  process.exitCode = 1;
} else {
  // The API's document does not show what a result holds: see own-schemas.ts for a typed one.
  // save-results.ts saves files, with a limit of bytes.
  const { images } = finished.result as { images: { url: string }[] };
  for (const [index, { url }] of images.entries()) {
    const picture = await (await fetch(url)).blob();
    console.log(`picture ${index + 1}   ${picture.type}, ${picture.size} bytes`);
  }
}
