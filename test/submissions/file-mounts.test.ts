import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSubmissions } from "../../src/submissions/create-submissions.ts";
import { queued } from "../helpers/answers.ts";
import { clientOf } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
import {
  idsOf,
  nextRecord,
  openStore,
  revsOf,
  storeFolder,
  storePath,
  useFolders,
} from "./file-stores.ts";
import { bundleChild } from "./killed-processes.ts";

useFolders();

/** Tells whether this user may mount in a namespace that ends with its process. */
const mayMount = spawnSync("unshare", ["-m", "true"]).status === 0;

/** Runs a child that writes, after commands that prepare its mounts. */
const runMounted = async (commands: string, at: string, maxRecords = 3) => {
  const child = await bundleChild("submissions/children/write-records");
  const script = `set -e; cd "$0"; ${commands}; "$1" "$2" "$3" "$4"`;
  const words = [storeFolder, process.execPath, child, at, String(maxRecords)];
  return JSON.parse(
    execFileSync("unshare", ["-m", "sh", "-c", script, ...words], { encoding: "utf8" }),
  );
};

describe.skipIf(!mayMount)("a store in a file, where this user may mount", () => {
  test.each([
    ["that is mounted by itself", "touch host 'my file'; mount --bind host 'my file'", "my file"],
    [
      "that a link names, and that is mounted by itself",
      "touch host there; mount --bind host there; ln -s there link",
      "link",
    ],
    [
      "that is mounted by itself from another device",
      "mkdir disk; mount -t tmpfs tmpfs disk; touch disk/host there; mount --bind disk/host there",
      "there",
    ],
  ])("openFileStore refuses a file %s", async (_, commands, name) => {
    expect(await runMounted(commands, join(storeFolder, name))).toEqual({
      count: 0,
      name: "StoreError",
      code: "store",
      message: expect.stringMatching(
        /: the file is mounted by itself, .+: mount its folder instead$/,
      ),
    });
  });

  test.each([
    ["in a folder that is mounted", "mkdir host there; mount --bind host there", "there/store"],
    [
      "that a link to a mounted folder names",
      "mkdir disk; mount -t tmpfs tmpfs disk; ln -s disk/store link",
      "link",
    ],
    ["beside another file that is mounted", "touch a b; mount --bind a b", "store"],
  ])("openFileStore opens a file %s", async (_, commands, name) => {
    expect(await runMounted(commands, join(storeFolder, name))).toEqual({ count: 3 });
  });

  test.each([
    ["in a read-only folder", "EROFS: ", ""],
    ["of a read-only disk", "unable to open database file: ", "there/store"],
  ])("openFileStore refuses a file %s, and says what to do", async (_, words, existing) => {
    fs.mkdirSync(join(storeFolder, "there"));
    if (existing) await (await openStore(join(storeFolder, existing))).close();
    const mount = "mount --bind there there; mount -o remount,bind,ro there";
    const { count, name, message } = await runMounted(mount, join(storeFolder, "there/store"));
    expect([count, name]).toEqual([0, "StoreError"]);
    expect(message).toContain(words);
    expect(message).toContain("let this process write to the file and to its folder");
  });

  test.each([
    ["to open", 64, 0],
    ["for all records", 512, 1],
  ])(
    "a store says that its disk is full when the disk has no space %s",
    async (_, kilobytes, minCount) => {
      const mount = `mkdir disk; mount -t tmpfs -o size=${kilobytes}k tmpfs disk`;
      const { count, name, code, message } = await runMounted(
        mount,
        join(storeFolder, "disk/store"),
        1_000,
      );
      expect({ name, code }).toEqual({ name: "StoreError", code: "store" });
      expect(message).toMatch(/full: free some space on its disk, and call again$/);
      expect(count).toBeGreaterThanOrEqual(minCount);
      if (minCount === 0) expect(count).toBe(0);
    },
  );
});

test("the file alone has every record after all processes have closed the store", async () => {
  const [one, other] = [await openStore(), await openStore()];
  await one.swap("a", "", nextRecord("1"));
  await other.swap("b", "", nextRecord("1"));
  await Promise.all([one.close(), other.close()]);
  fs.renameSync(storePath, `${storePath}-moved`);
  expect(await revsOf(await openStore(`${storePath}-moved`), "a", "b")).toEqual(["1", "1"]);
});

test("the file alone has every record once no write waits, without a close", async () => {
  const store = await openStore();
  for (let count = 0; count < 2; count++)
    await store.swap(`${count}`, "", nextRecord("1", { list: "l" }));
  await new Promise((resolve) => setTimeout(resolve, 20));
  fs.copyFileSync(storePath, `${storePath}-copy`);
  expect(await idsOf(await openStore(`${storePath}-copy`), "l")).toHaveLength(2);
});

test.each([1, 8])(
  "a copy after a kill pays again for fewer than the %i orders that were under way",
  { timeout: 60_000 },
  async (atOnce) => {
    const program = await bundleChild("submissions/children/submit-and-die");
    const paid: string[] = [];
    const service = await listen((response, request) => {
      paid.push(JSON.parse(request.body).prompt);
      queued(`job-${paid.length}`)(response, request);
    });
    const words = [program, storePath, service.url, "20", String(atOnce)];
    const child = spawn(process.execPath, words, { stdio: "inherit" });
    expect(await once(child, "close")).toEqual([null, "SIGKILL"]);
    const before = paid.length;
    expect(before).toBeGreaterThanOrEqual(20);
    fs.copyFileSync(storePath, `${storePath}-copy`);

    const submissions = createSubmissions(await openStore(`${storePath}-copy`));
    const client = clientOf(service, { submissions });
    const submit = (id: string) =>
      client.jobs.submit({ action: "generate-ad", prompt: id }, { once: id });
    const again = await Promise.allSettled([...paid].map(submit));
    // In a burst, the file lags behind its log by a few writes.
    expect(paid.slice(before).length).toBeLessThan(atOnce);
    const codes = again.map((one) => (one.status === "rejected" ? one.reason.code : "job"));
    // The answers of the last orders may not be in the file yet. They are in doubt.
    expect(codes.filter((code) => code === "in_doubt").length).toBeLessThanOrEqual(atOnce);
    expect(codes.filter((code) => code !== "in_doubt" && code !== "job")).toEqual([]);
  },
);
