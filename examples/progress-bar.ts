// Draws a progress bar for a video of about ten minutes. A timer moves the bar between the polls.
//
//   node progress-bar.ts
import { createClient, watchJob } from "adgen-sdk";

const client = createClient();
const job = await client.jobs.submit({ action: "video-b-3-0", prompt: "A calm sea" });

const polls = watchJob(client, job, { expectedMs: 600_000 });
const draw = () => {
  const percent = Math.floor(100 * (polls.progress?.fraction ?? 0));
  process.stdout.write(`\r${"█".repeat(percent / 5).padEnd(20, "░")} ${percent} %`);
};
const timer = setInterval(draw, 500);
for await (const _ of polls) draw();
clearInterval(timer);
console.log("\nThe video has ended.");
