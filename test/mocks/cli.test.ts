import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../../mocks/faces/server/cli/run-cli.ts";
import { writeSeedFile } from "../../mocks/faces/server/cli/seed-file.ts";
import { createAsk, globalFetch } from "./ask.ts";
import { useStateFolders } from "./state-folders.ts";

const folder = useStateFolders();

/** Starts the command in this process, for streams that can be read. */
const start = (args: readonly string[], stopping: AbortSignal) => {
  const never = (): Promise<void> => new Promise(() => {});
  let [out, error] = ["", ""];
  const ended = runCli(args, {
    stdout: { write: (part) => (out += part) },
    stderr: { write: (part) => (error += part) },
    version: "1.2.3",
    stdinEnded: never,
    starterEnded: never,
    stopping,
  });
  return { ended, out: () => out, error: () => error };
};

/** Runs the command to its end: what would serve for ever, serves for a moment. */
const run = async (...args: string[]) => {
  const { ended, out, error } = start(args, AbortSignal.abort());
  return { code: await ended, out: out(), error: error() };
};

/** Runs the command until the test ends, or stops it. */
const serve = async (...args: string[]) => {
  const controller = new AbortController();
  const { ended, out, error } = start(["--port", "0", ...args], controller.signal);
  const stop = async (): Promise<number> => {
    controller.abort();
    return ended;
  };
  onTestFinished(async () => void (await stop()));
  await expect.poll(out).toContain("ADGEN_API_KEY");
  const url = /ADGEN_BASE_URL=(\S+)/.exec(out())?.[1] ?? "";
  return { url, ask: createAsk(globalFetch, "test-key", url), stop, out, error };
};

const ad = { action: "generate-ad", prompt: "Summer sale" };
const video = { action: "video-a-2", duration: 5 };

describe("adgen-mock", () => {
  it("explains itself", async () => {
    const { code, out, error } = await run("--help");
    expect([code, error]).toEqual([0, ""]);
    for (const option of ["--port", "--key", "--image-credits", "--state", "--timeline", "4471"]) {
      expect(out).toContain(option);
    }
    expect(Math.max(...out.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(100);
    expect(await run("-h")).toEqual({ code, out, error });
  });

  it.each([
    ...["--port=70000", "--port=-1", "--port=1e3", "--port=", "--port", "--host="],
    ...["--key=", "--image-credits=many", "--video-credits=1.5", "--timeline=slow"],
    ...["--image-credits=9999999999", "--timeline=1000", "--timeline=-1,2", "--state="],
    ...["--seed=", "--prot=4471", "--journal-limit=10", "--public-url=ads.test", "4471"],
    ...["--quiet=yes", "--key=sk-secret secret", "--a\u001bb"],
  ])("refuses %j in one line", async (argument) => {
    const { code, out, error } = await run(argument);
    expect([code, out]).toEqual([2, ""]);
    expect(error).toMatch(/^adgen-mock: [ -~]{1,200}\n$/);
    expect(error).toContain(argument.split("=")[0]?.replace("\u001b", "?"));
    // It never repeats a key.
    expect(error).not.toContain("secret");
  });

  it("starts with the accounts and options of a seed file, and its flags for the rest", async () => {
    const path = `${folder.path}/seed.json`;
    const brands = [{ id: "brand_acme", name: "Acme" }];
    await writeFile(path, JSON.stringify({ accounts: { "test-key": { brands } }, strict: true }));
    const { ask } = await serve("--seed-file", path, "--timeline", "0,0");
    expect((await ask("GET", "/v1/brands")).data.brands).toMatchObject(brands);
    expect(await ask("POST", "/v1/jobs", { ...ad, promt: "x" })).toMatchObject({ status: 400 });
    const { job_id } = (await ask("POST", "/v1/jobs", ad)).data;
    expect((await ask("GET", `/v1/jobs/${job_id}`)).data.status).toBe("completed");
  });

  it("starts from the seed file that init writes, and overwrites none", async () => {
    const path = `${folder.path}/adgen-seed.json`;
    const said: string[] = [];
    const surroundings = {
      print: (text: string) => void said.push(text),
      printError: (text: string) => void said.push(text),
    };
    expect(writeSeedFile([path], surroundings)).toBe(0);
    const text = await readFile(path, "utf8");
    const { ask } = await serve("--seed-file", path);
    expect((await ask("GET", "/v1/brands")).data.brands).toMatchObject([{ id: "brand_acme" }]);
    const { data } = await ask("GET", "/v1/jobs");
    expect(data.jobs).toMatchObject([
      { job_id: "job_refused", status: "failed", error: "moderation" },
      { job_id: "job_spring", status: "completed" },
    ]);
    expect(writeSeedFile([path], surroundings)).toBe(1);
    expect(writeSeedFile(["--help"], surroundings)).toBe(0);
    expect(writeSeedFile([path, "b.json"], surroundings)).toBe(2);
    expect(said).toEqual([
      `${path} is written. Start the mock: npx -p adgen-sdk adgen-mock --seed-file ${path}`,
      expect.stringMatching(
        /^adgen-mock: \S+adgen-seed\.json cannot be written: it is there already; name another file$/,
      ),
      expect.stringMatching(/^Usage: adgen-mock init \[file\]/),
      expect.stringMatching(/^Usage: adgen-mock init \[file\]/),
    ]);
    expect(await readFile(path, "utf8")).toBe(text);
    expect(text).toContain(`npx -p adgen-sdk adgen-mock --seed-file ${path}`);
  });

  it("reads a seed file with a byte order mark, comments, and what only looks like one", async () => {
    const path = `${folder.path}/seed.json`;
    const name = "https://acme.example\u2028// Acme";
    const accounts = { "test-key": { brands: [{ name }] } };
    await writeFile(path, `\uFEFF// a comment\r\n${JSON.stringify({ accounts })}\n  // another\n`);
    const { ask } = await serve("--seed-file", path);
    expect((await ask("GET", "/v1/brands")).data.brands).toMatchObject([{ name }]);
  });

  it.each([
    ["{", [], /seed\.json cannot be read: .*JSON/],
    ["[]", [], /seed\.json must be a JSON object/],
    [
      '{"account":{}}',
      [],
      /options in \S+seed\.json have no field "account"; they have accounts, /,
    ],
    ['{"accounts":{"k":{"brands":[{}]}}}', [], /accounts\.k\.brands\[0\]\.name must be text/],
    ['{"port":1}', [], /have no field "port"/],
    ['{"accounts":{}}', ["--key=a"], /--key and "accounts" in \S+seed\.json say the same/],
    [
      '{"timeline":"per-poll"}',
      ["--timeline=1,2"],
      /--timeline and "timeline" in \S+ say the same/,
    ],
  ])("refuses the seed file %j with %j", async (text, others, message) => {
    const path = `${folder.path}/seed.json`;
    await writeFile(path, text);
    const { code, error } = await run("--seed-file", path, ...others);
    expect([code, error]).toEqual([2, expect.stringMatching(message)]);
  });

  it("names a seed file that is not there", async () => {
    const { code, error } = await run("--seed-file", "none.json");
    expect([code, error]).toEqual([2, expect.stringContaining("none.json cannot be read: ENOENT")]);
  });

  it("prints its URL, its keys and the lines to paste, then a line for each request", async () => {
    const { url, ask, out, error, stop } = await serve("--key", "test-key", "--key", "two$2");
    expect(out()).toBe(
      `adgen-mock 1.2.3 listens on ${url}\nPage   ${url}/__mock/\nKeys   test-key  two$2\n\n` +
        `export ADGEN_BASE_URL=${url}\nexport ADGEN_API_KEY=test-key\n\n`,
    );
    await ask("POST", "/v1/jobs", ad);
    await expect.poll(out).toMatch(/POST {4}\/v1\/jobs {2}202/);
    expect(error()).toBe("");
    expect(await stop()).toBe(0);
  });

  it("gives each account its credits, and names its public URL", async () => {
    const { url } = await serve(
      ...["--image-credits", "2", "--video-credits", "5", "--key", "a", "--key", "b"],
      ...["--timeline", "0,0", "--public-url", "https://ads.test/mock/"],
    );
    for (const key of ["a", "b"]) {
      const ask = createAsk(globalFetch, key, url);
      const statuses: number[] = [];
      for (const body of [ad, ad, ad, video, video]) {
        statuses.push((await ask("POST", "/v1/jobs", body)).status);
      }
      expect(statuses).toEqual([202, 202, 402, 202, 402]);
      const { text } = await ask("GET", "/v1/jobs");
      expect(text).toContain('"url":"https://ads.test/mock/__mock/artwork/');
    }
  });

  it("makes ids by its seed, and lets jobs take their time, unless it was told otherwise", async () => {
    const ids: string[] = [];
    for (const [seed = "", ...more] of [
      ["demo"],
      ["demo", "--timeline", "0,0"],
      ["other", "--timeline", "per-poll"],
    ]) {
      const { ask } = await serve("--seed", seed, ...more);
      const id = (await ask("POST", "/v1/jobs", ad)).data.job_id;
      ids.push(id);
      const { status } = (await ask("GET", `/v1/jobs/${id}`)).data;
      expect(status === "completed").toBe(more.includes("0,0"));
    }
    expect(ids[0]).toBe(ids[1]);
    expect(ids[0]).not.toBe(ids[2]);
  });

  it("keeps its state in a file, says on stderr when it cannot, and starts on no file in use", async () => {
    const [home, file] = [folder.at("home"), folder.at("home/state.json")];
    await mkdir(home);
    const { ask, out, error, stop } = await serve("--quiet", "--state", file);
    const greeting = out();
    expect(greeting).toContain(`State  ${file}\n`);
    expect(await run("--port", "0", "--state", file)).toEqual({
      code: 1,
      out: "",
      error:
        `adgen-mock: The state file ${file} is in use by another server: ` +
        "stop that one, or give this one a file of its own\n",
    });
    await rm(home, { recursive: true });
    await ask("POST", "/v1/jobs", ad);
    await expect.poll(error).toMatch(/^adgen-mock: The state could not be saved: .*ENOENT.*\n$/);
    await mkdir(home);
    const { data } = await ask("POST", "/v1/jobs", ad);
    await expect.poll(error).toMatch(/\nadgen-mock: The state is saved again: .*state\.json\n$/);
    await stop();
    expect(out()).toBe(greeting);
    expect(await readFile(file, "utf8")).toContain(data.job_id);
    await writeFile(file, "{");
    const refused = await run("--port", "0", "--state", file);
    expect(refused.code).toBe(1);
    expect(refused.error).toMatch(/^adgen-mock: .*state\.json.*\n$/);
  });

  it("says so when the port is in use, or when the host is none of this machine", async () => {
    const { port } = new URL((await serve()).url);
    const inUse = `Port ${port} is in use (127.0.0.1:${port}): choose another one with --port`;
    const elsewhere = "listen EADDRNOTAVAIL: address not available 192.0.2.1";
    const refused = (words: string) => ({ code: 1, out: "", error: `adgen-mock: ${words}\n` });
    expect(await run("--port", port)).toEqual(refused(inUse));
    expect(await run("--port", "0", "--host", "192.0.2.1")).toEqual(refused(elsewhere));
  });

  it("warns when everybody can reach it", async () => {
    const { code, out, error } = await run("--port", "0", "--host", "0.0.0.0");
    expect(code).toBe(0);
    expect(out).toMatch(/http:\/\/127\.0\.0\.1:\d+/);
    expect(error).toMatch(/^adgen-mock: warning: --host 0\.0\.0\.0 .*\n.*__mock.*\n$/);
    expect((await run("--port", "0", "--host", "localhost")).error).toBe("");
  });
});
