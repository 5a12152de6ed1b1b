import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { pause } from "../helpers/client.ts";
import { runNode } from "../helpers/run-node.ts";
import { job, startJobService } from "./job-service.ts";

const script = new URL("waiting-process.ts", import.meta.url);

describe("a process that only waits", () => {
  test("stays alive until the job has finished, and ends then", async () => {
    const { url, polls } = await startJobService(
      job("queued"),
      job("processing"),
      job("completed"),
    );
    const options = JSON.stringify({ intervalMs: 100 });
    const { code, lines, errors, lingeredMs } = await runNode(script, [url, options]);
    expect(errors).toBe("");
    expect(lines).toEqual(["saw queued", "saw processing", "saw completed", "resolved completed"]);
    expect(code).toBe(0);
    expect(polls).toHaveLength(3);
    expect(lingeredMs).toBeLessThan(2_000);
  });

  test("ends soon after an abort during a long sleep", async () => {
    const { url } = await startJobService(job("queued"));
    const options = JSON.stringify({ intervalMs: 60_000 });
    const { code, lines, lingeredMs } = await runNode(script, [url, options, "20"]);
    expect(lines).toEqual(["saw queued", "rejected AbortError"]);
    expect(code).toBe(0);
    expect(lingeredMs).toBeLessThan(2_000);
  });

  test("counts the time in which it was stopped", async () => {
    const { url, polls } = await startJobService(job("processing"));
    const options = JSON.stringify({ intervalMs: 800, timeoutMs: 1_000 });
    const child = spawn(process.execPath, [fileURLToPath(script), url, options], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      printed += text;
    });
    const ended = once(child, "close");
    await once(child.stdout, "data");
    child.kill("SIGSTOP");
    await pause(1_200);
    child.kill("SIGCONT");
    expect(await ended).toEqual([0, null]);
    // Without the 1.2 s it would have slept on, and polled twice more before its deadline.
    expect(printed).toBe("saw processing\nsaw processing\nrejected PollTimeoutError\n");
    expect(polls).toHaveLength(2);
  });
});
