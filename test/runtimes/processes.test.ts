// The client, the proxy and the mock in Node, Bun and Deno: one process of each plays all cases.

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MockServer, startMockServer } from "../../mocks/server/index.ts";
import { denoPath } from "../../tools/runtimes.ts";
import { readBlocks } from "../helpers/doc-blocks.ts";
import { guides } from "../helpers/documents.ts";
import { listen } from "../helpers/http-server.ts";
import { expectWhole, startChargingService } from "./charging-service.ts";
import { faultsOver } from "./faults.ts";
import { closeServers, type Protocol } from "./loopback-server.ts";
import type { Cases, Told } from "./play-in-process.ts";
import { bundleProgram, readPrinted, runProgram, runtimes, runtimesFolder } from "./programs.ts";

const senders = ["its default fetch", "a caller's wrapper", "a plain text body"] as const;

/** The POST of the second prompt uses an earlier request's connection, and meets the fault. */
const prompts = ["Summer sale 1 ☀", "Summer sale 2 ☀"];

/** Starts a service for each client and each fault. */
const startAll = (protocols: readonly Protocol[]) =>
  Promise.all(
    protocols
      .flatMap((protocol) => faultsOver[protocol].map((fault) => ({ protocol, fault })))
      .flatMap((setting) => senders.map((sender) => ({ ...setting, sender })))
      .map(async (setting) => {
        const { protocol, fault } = setting;
        const faultOf = (prompt: string, number: number) =>
          prompt === prompts[1] && number === 1 ? fault.fault : undefined;
        return { ...setting, service: await startChargingService(faultOf, protocol) };
      }),
  );

const bundle = (name: string): Promise<string> =>
  bundleProgram(`${import.meta.dirname}/${name}.ts`, `${runtimesFolder}/${name}.mjs`);
const program = await bundle("play-in-process");
const listenProgram = await bundle("listen-in-process");
afterAll(closeServers);

describe.each(runtimes)("$name", ({ name, path, run, runWithPackages }) => {
  const protocols: readonly Protocol[] = name === "Deno" ? ["HTTP/1.1", "HTTP/2"] : ["HTTP/1.1"];
  let played: Awaited<ReturnType<typeof startAll>>;
  let told: Told;
  let proxied: MockServer;

  beforeAll(async () => {
    proxied = await startMockServer({ timeline: { queuedMs: 0, processingMs: 0 } });
    played = await startAll(protocols);
    const cases: Cases = {
      prompts,
      scenes: played.map(({ sender, service }) => ({ sender, url: service.url })),
      proxied: proxied.url,
    };
    told = readPrinted(await runProgram(path, [...run, program, JSON.stringify(cases)])) as Told;
  });
  afterAll(() => proxied.close());

  describe.each(protocols)("over %s", (protocol) => {
    test.each(faultsOver[protocol])("the client makes one POST when the service $name", (fault) => {
      for (const [index, { sender, service, ...setting }] of played.entries()) {
        if (setting.fault !== fault || setting.protocol !== protocol) continue;
        const ownBody = sender !== "a plain text body";
        // A plain text body shows what the client's own bodies prevent: the runtime may repeat it.
        const isRepeated = !ownBody && fault.repeatedBy.some((one) => one === name);
        const change = isRepeated ? "no longer repeats" : "now repeats";
        const hint = `${name} ${change} the POST of ${sender}: correct the table of faults.`;
        expect(service.posts, hint).toHaveLength(isRepeated ? 3 : 2);
        expect(told.ends[index]).toEqual([
          "job-1",
          isRepeated ? "job-3" : expect.stringMatching(/\/unknown$/),
        ]);
        if (!ownBody) continue;
        expect(service.posts[1]).toMatchObject({ reused: true });
        for (const post of service.posts) {
          expectWhole(post, { protocol, keepsLength: name !== "Deno" });
        }
      }
    });
  });

  test("a proxy keeps owners apart, and counts each call once", () => {
    expect(told.proxied).toEqual({
      isRepeated: true,
      seconds: 5,
      failures: ["payment_required", "not_found"],
      listed: [2, 0],
      used: 2,
    });
    const { ledger } = proxied.service.account("test-key");
    expect(ledger.filter(({ reason }) => reason === "charge")).toHaveLength(2);
  });

  test("only the mock is paid after listen, or listen says why it can't intercept", async () => {
    const real = await listen((response) => response.end("{}"));
    const flags = [...runWithPackages, listenProgram, real.url];
    const said = readPrinted(await runProgram(path, flags)) as Record<string, string>;
    expect(real.received).toEqual([]);
    expect(said["before"]).toMatch("it does not listen yet");
    if (name === "Node") {
      expect(said).toMatchObject({ listening: "listens", after: "202" });
      return;
    }
    // MSW intercepts nothing in that runtime.
    expect(said["listening"]).toMatch("The mock does not listen, because MSW cannot intercept");
    expect(said["listening"]).toMatch(name);
    expect(said["listening"]).toMatch("docs/testing/in-node.md");
    expect(said["after"]).toMatch(/cannot intercept|it does not listen yet/);
  });
});

describe.each(runtimes.filter(({ name }) => name !== "Node"))("the guide for $name", (runtime) => {
  const { name, path } = runtime;
  const blocks = guides.flatMap(readBlocks).filter(({ info }) => info.startsWith("js "));

  test("the guide's test and program for the runtime pass", async () => {
    const own = blocks.filter(({ info }) => info.split(" ").includes(name.toLowerCase()));
    expect(own.map(({ code }) => code.includes("test("))).toEqual([true, false]);
    for (const { place, code } of own) {
      const file = `${runtimesFolder}/${name}-${place.replace(/\W+/g, "-")}`;
      writeFileSync(`${file}.source.mjs`, code);
      const isTest = code.includes("test(");
      const flags = isTest ? runtime.test : runtime.runWithPackages;
      const bundled = await bundleProgram(`${file}.source.mjs`, `${file}.test.mjs`);
      expect(await runProgram(path, [...flags, bundled])).toMatch(isTest ? /1 pass(ed)?/ : /^$/);
    }
  });
});

const clientProgram = `
  import { createClient } from "adgen-sdk";
  createClient({ baseUrl: "https://ads.test", apiKey: "test-key" });
  console.log("The client is made.");
`;

/** Runs a command in a pseudo terminal, because Deno asks for permissions only there. */
const runInTerminal = async (command: string): Promise<string> => {
  const child = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
    stdio: ["pipe", "pipe", "inherit"],
    timeout: 60_000,
  });
  let output = "";
  for await (const chunk of child.stdout) {
    output += chunk;
    if (output.includes("Allow?")) child.kill();
  }
  return output;
};

// Only Linux has the command `script` with these options.
test.skipIf(denoPath === undefined || process.platform !== "linux")(
  "createClient asks Deno's user for no permission when every needed option is given",
  async () => {
    const source = `${runtimesFolder}/deno-terminal.source.mjs`;
    writeFileSync(source, clientProgram);
    const bundled = await bundleProgram(source, `${runtimesFolder}/deno-terminal.mjs`);
    const output = await runInTerminal(`${denoPath} run --no-config ${bundled}`);
    expect(output).toContain("The client is made.");
    expect(output).not.toContain("requests");
  },
);
