import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../../mocks/faces/server/cli/run-cli.ts";
import { authorized } from "./server-sockets.ts";

const createStream = () => {
  let text = "";
  return { write: (part: string) => (text += part), text: () => text };
};

const never = (): Promise<void> => new Promise(() => {});
const lasting = { version: "1.2.3", stdinEnded: never, starterEnded: never };

/** Runs the command to its end. */
const run = async (...args: string[]) => {
  const stdout = createStream();
  const stderr = createStream();
  // Already stopping: what would serve for ever, serves for a moment.
  const code = await runCli(args, {
    stdout,
    stderr,
    ...lasting,
    stopping: AbortSignal.abort(),
  });
  return { code, out: stdout.text(), error: stderr.text() };
};

/** Runs the command until the test ends, or stops it. */
const serve = async (...args: string[]) => {
  const stdout = createStream();
  const stderr = createStream();
  const controller = new AbortController();
  const stopping = controller.signal;
  const parts = { stdout, stderr, ...lasting, stopping };
  const ended = runCli(["--port", "0", ...args], parts);
  const stop = async (): Promise<number> => {
    controller.abort();
    return ended;
  };
  onTestFinished(async () => void (await stop()));
  await expect.poll(() => stdout.text()).toContain("ADGEN_API_KEY");
  const url = /ADGEN_BASE_URL=(\S+)/.exec(stdout.text())?.[1] ?? "";
  return { url, stop, out: stdout.text, error: stderr.text };
};

const submit = async (url: string, action = "generate-ad", key = "test-key") => {
  const headers = { authorization: `Bearer ${key}` };
  const body = JSON.stringify({ action, prompt: "Summer sale", duration: 5 });
  const response = await fetch(`${url}/v1/jobs`, { method: "POST", headers, body });
  return { status: response.status, text: await response.text() };
};

describe("adgen-mock", () => {
  it.each(["--help", "-h"])("explains itself with %s", async (flag) => {
    const { code, out, error } = await run(flag);
    expect([code, error]).toEqual([0, ""]);
    for (const option of ["--port", "--key", "--image-credits", "--state", "--timeline", "4471"]) {
      expect(out).toContain(option);
    }
    expect(Math.max(...out.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(100);
  });

  it.each([
    ["--port", ["--port", "70000"]],
    ["--port", ["--port", "-1"]],
    ["--port", ["--port", "1e3"]],
    ["--port", ["--port="]],
    ["--port", ["--port"]],
    ["--host", ["--host", ""]],
    ["--key", ["--key", "two words"]],
    ["--key", ["--key", ""]],
    ["--image-credits", ["--image-credits", "many"]],
    ["--video-credits", ["--video-credits", "1.5"]],
    ["--purchased-image-credits", ["--purchased-image-credits", "9999999999"]],
    ["--timeline", ["--timeline", "slow"]],
    ["--timeline", ["--timeline", "1000"]],
    ["--timeline", ["--timeline", "-1,2"]],
    ["--expiry", ["--expiry", "never"]],
    ["--state", ["--state", ""]],
    ["--seed", ["--seed", ""]],
    ["--prot", ["--prot", "4471"]],
    ["--journal-limit", ["--journal-limit", "1000001"]],
    ["--public-url", ["--public-url", "ads.test"]],
    ["--quiet", ["--quiet=yes"]],
    ["4471", ["4471"]],
    ["--a?b", ["--a\u001bb"]],
  ])("refuses a wrong %s in one line: %j", async (name, args) => {
    const { code, out, error } = await run(...args);
    expect([code, out]).toEqual([2, ""]);
    expect(error).toMatch(/^adgen-mock: [ -~]{1,200}\n$/);
    expect(error).toContain(name);
  });

  it("never repeats a key that it refuses", async () => {
    expect((await run("--key", "sk-secret secret")).error).not.toContain("secret");
  });

  it("prints its URL, its keys and the lines to paste", async () => {
    const { url, out, error, stop } = await serve("--key", "one", "--key", "two$2");
    expect(out()).toContain(`adgen-mock 1.2.3 listens on ${url}\n`);
    expect(out()).toContain(`${url}/__mock/\n`);
    expect(out()).toMatch(/one {2}two\$2/);
    expect(out()).toContain(`export ADGEN_BASE_URL=${url}\nexport ADGEN_API_KEY=one\n`);
    expect(error()).toBe("");
    expect(await stop()).toBe(0);
  });

  it("gives each account the credits that it was told", async () => {
    const { url } = await serve(
      ...["--image-credits", "1", "--purchased-image-credits", "1"],
      ...["--video-credits", "0", "--purchased-video-credits", "5", "--key", "a", "--key", "b"],
    );
    for (const key of ["a", "b"]) {
      const statuses = [];
      for (let job = 0; job < 3; job += 1)
        statuses.push((await submit(url, "generate-ad", key)).status);
      statuses.push((await submit(url, "video-a-2", key)).status);
      statuses.push((await submit(url, "video-a-2", key)).status);
      expect(statuses).toEqual([202, 202, 402, 202, 402]);
    }
  });

  it("lets jobs take their time, unless it was told otherwise", async () => {
    const realistic = await submit((await serve()).url);
    expect(realistic.text).toContain("queued");
    const { url } = await serve("--timeline", "0,0");
    const { data } = JSON.parse((await submit(url)).text);
    const job = await fetch(`${url}/v1/jobs/${data.job_id}`, { headers: authorized });
    expect(await job.text()).toContain('"status":"completed"');
  });

  it("makes the same ids from the same seed", async () => {
    const ids = [];
    for (const seed of ["demo", "demo", "other"]) {
      const { url } = await serve("--seed", seed);
      ids.push(JSON.parse((await submit(url)).text).data.job_id);
    }
    expect(ids[0]).toBe(ids[1]);
    expect(ids[0]).not.toBe(ids[2]);
  });

  it("logs a line for each request, unless it is to be quiet", async () => {
    const loud = await serve();
    await submit(loud.url);
    await expect.poll(() => loud.out()).toMatch(/POST {4}\/v1\/jobs {2}202/);
    const quiet = await serve("--quiet");
    await submit(quiet.url);
    await quiet.stop();
    expect(quiet.out()).not.toContain("POST");
  });

  it("keeps its state in a file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "adgen-cli-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, "state.json");
    const first = await serve("--state", file);
    expect(first.out()).toContain(`State  ${file}\n`);
    const { data } = JSON.parse((await submit(first.url)).text);
    await first.stop();
    expect(await readFile(file, "utf8")).toContain(data.job_id);
    const second = await serve("--state", file);
    const job = await fetch(`${second.url}/v1/jobs/${data.job_id}`, { headers: authorized });
    expect(job.status).toBe(200);
    await second.stop();
    await writeFile(file, "{");
    const { code, error } = await run("--port", "0", "--state", file);
    expect([code, error]).toEqual([1, expect.stringMatching(/^adgen-mock: .*state\.json.*\n$/)]);
  });

  it("tells on stderr that the state cannot be saved, when it is quiet too", async () => {
    const folder = await mkdtemp(join(tmpdir(), "adgen-cli-"));
    const home = join(folder, "home");
    await mkdir(home);
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const { url, out, error, stop } = await serve("--quiet", "--state", join(home, "state.json"));
    const greeting = out();
    await rm(home, { recursive: true });
    await submit(url);
    expect(error()).toMatch(/^adgen-mock: The state could not be saved: .*ENOENT.*\n$/);
    await mkdir(home);
    await submit(url);
    expect(error()).toMatch(/\nadgen-mock: The state is saved again: .*state\.json\n$/);
    await stop();
    expect(out()).toBe(greeting);
  });

  it("does not start on the state file of another one, and names it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "adgen-cli-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, "state.json");
    const { url } = await serve("--state", file);
    const { code, out, error } = await run("--port", "0", "--state", file);
    expect([code, out]).toEqual([1, ""]);
    expect(error).toBe(
      `adgen-mock: The state file ${file} is in use by another server ` +
        `(process ${process.pid}, ${url}): stop that one, or give this one a file of its own\n`,
    );
  });

  it("remembers as many requests as it was told, and names its public URL", async () => {
    const limits = ["--journal-limit", "2", "--timeline", "0,0"];
    const { url } = await serve(...limits, "--public-url", "https://ads.test/mock/");
    const { data } = JSON.parse((await submit(url)).text);
    const job = await fetch(`${url}/v1/jobs/${data.job_id}`, { headers: authorized });
    expect(await job.text()).toContain('"url":"https://ads.test/mock/__mock/artwork/');
    await submit(url);
    const journal = await fetch(`${url}/__mock/journal`);
    expect((await journal.json()).data.entries).toHaveLength(2);
  });

  it("says so when the port is in use", async () => {
    const other = createServer();
    await new Promise<void>((listening) => other.listen(0, "127.0.0.1", listening));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const { code, error } = await run("--port", String(port));
    expect(code).toBe(1);
    expect(error).toBe(
      `adgen-mock: Port ${port} is in use (127.0.0.1:${port}): choose another one with --port\n`,
    );
  });

  it("says so when the host is none of this machine", async () => {
    const { code, error } = await run("--port", "0", "--host", "192.0.2.1");
    expect([code, error]).toEqual([
      1,
      expect.stringMatching(/^adgen-mock: --host 192\.0\.2\.1 .*\n$/),
    ]);
  });

  it("warns when everybody can reach it", async () => {
    const { code, out, error } = await run("--port", "0", "--host", "0.0.0.0");
    expect(code).toBe(0);
    expect(out).toMatch(/http:\/\/127\.0\.0\.1:\d+/);
    expect(error).toMatch(/^adgen-mock: warning: --host 0\.0\.0\.0 .*\n.*__mock.*\n$/);
    expect((await run("--port", "0", "--host", "localhost")).error).toBe("");
  });
});
