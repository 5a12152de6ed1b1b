// Draws a bar for a video of about ten minutes. It moves by a timer, between the polls as well.
//
//   npm run example examples/tasks/a-progress-bar.ts
import { createClient, watchJob } from "adgen-sdk";

const client = createClient();
const job = await client.jobs.submit({ action: "video-b-3-0", prompt: "A calm sea" });

const usualMs = 600_000;
const polls = watchJob(client, job);
const bar = (percent = 0) => `\r${"█".repeat(percent / 5).padEnd(20, "░")} ${percent} %`;
const elapsedMs = () => polls.progress?.elapsedMs ?? 0;
const draw = () =>
  process.stdout.write(bar(Math.min(99, Math.floor((100 * elapsedMs()) / usualMs))));
const timer = setInterval(draw, 500);
const follow = async () => {
  for await (const _ of polls) draw();
};
await follow().finally(() => clearInterval(timer));
console.log("\nThe video has ended.");
