// Draws a bar for a video of about ten minutes. It moves by a timer, between the polls as well.
//
//   npm run example examples/tasks/a-progress-bar.ts
import { createClient, watchJob } from "adgen-sdk";

const client = createClient();
const job = await client.jobs.submit({ action: "video-b-3-0", prompt: "A calm sea" });

// What the first video probably takes. The client learns from each that it has seen.
const polls = watchJob(client, job, { expectedMs: 600_000 });
const bar = (percent = 0) => `\r${"█".repeat(percent / 5).padEnd(20, "░")} ${percent} %`;
const draw = () => process.stdout.write(bar(polls.progress?.estimate?.percent));
const timer = setInterval(draw, 500);
const follow = async () => {
  for await (const _ of polls) draw();
};
await follow().finally(() => clearInterval(timer));
console.log("\nThe video has ended.");
