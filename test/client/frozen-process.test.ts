import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { queued, success } from "../helpers/answers.ts";
import { pause } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

const rounds = Number(process.env["FROZEN_ROUNDS"] ?? 4);
const script = fileURLToPath(new URL("children/frozen-submits.ts", import.meta.url));

const reset = { "a reset": "resetAndDestroy", "an orderly end": "destroy" } as const;

// Windows has no signal that stops a process.
test.skipIf(process.platform === "win32").concurrent.each(Object.entries(reset))(
  "a submission after a thaw isn't written into a connection that met %s meanwhile",
  async (_, end) => {
    const server = await listen((response, request) => {
      const answer = request.method === "POST" ? queued() : success({ jobs: [] });
      answer(response, request);
    });
    const child = spawn(process.execPath, [script, server.url, String(rounds)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ends: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      if (line !== "idle") {
        ends.push(line);
        continue;
      }
      child.kill("SIGSTOP");
      await pause(50);
      for (const socket of server.sockets) socket[end]();
      await pause(300);
      child.kill("SIGCONT");
    }
    expect(ends).toEqual(Array(rounds).fill("queued"));
  },
);
