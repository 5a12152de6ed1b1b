import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { success } from "../helpers/answers.ts";
import { pause } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
import { runNode } from "../helpers/run-node.ts";

const script = new URL("waiting-process.ts", import.meta.url);
const queued = success({ status: "queued" });

describe("a process that only waits", () => {
  test("stays alive until its jobs have finished, and ends soon after an abort", async () => {
    const { url, received } = await listen(queued, success({ status: "completed" }), queued);
    const waits = [{ intervalMs: 100 }, { intervalMs: 60_000, abortAfterMs: 20 }];
    const args = [url, ...waits.map((options) => JSON.stringify(options))];
    const { code, lines, errors, lingeredMs } = await runNode(script, args);
    expect([errors, code]).toEqual(["", 0]);
    expect(lines.slice(0, 3)).toEqual(["saw queued", "saw completed", "resolved completed"]);
    expect(lines.slice(3)).toEqual(["saw queued", "rejected AbortError"]);
    expect(received).toHaveLength(3);
    expect(lingeredMs).toBeLessThan(2_000);
  });

  test("counts the time in which it was stopped", async () => {
    const { url, received } = await listen(queued);
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
    expect(printed).toBe("saw queued\nsaw queued\nrejected PollTimeoutError\n");
    expect(received).toHaveLength(2);
  });
});
