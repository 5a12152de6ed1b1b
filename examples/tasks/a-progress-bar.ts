// Draws a bar for a video of about ten minutes. It moves by a timer, between the polls as well.
//
//   npm run example examples/tasks/a-progress-bar.ts
import { createClient, createLearnedDurations, watchJob } from "adgen-sdk";

// What the first video is expected to take. The client learns from each that it has made.
const durations = createLearnedDurations();
durations.add("video-b-3-0", { afterMs: 540_000, byMs: 660_000 });
const client = createClient({ durations });
const job = await client.jobs.submit({ action: "video-b-3-0", prompt: "A calm sea" });

const polls = watchJob(client, job);
const bar = (percent = 0) => `\r${"█".repeat(percent / 5).padEnd(20, "░")} ${percent} %`;
const draw = () => process.stdout.write(bar(polls.progress?.estimate?.percent));
const timer = setInterval(draw, 500);
for await (const _ of polls) draw();
clearInterval(timer);
console.log("\nThe video has ended.");
