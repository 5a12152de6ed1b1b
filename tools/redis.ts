import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"];
const places = folders.map((folder) => join(folder, "redis-server"));

/** The system's Redis, for the tests of a fleet; REDIS_SERVER_PATH decides when it is set. */
export const redisPath: string | undefined = [
  ...(process.env["REDIS_SERVER_PATH"] ? [process.env["REDIS_SERVER_PATH"]] : places),
].find((path) => existsSync(path));

/** Reason why the tests of a fleet cannot run, and the way to run them. */
export const redisMissing =
  "There is no redis-server: install Redis, or set REDIS_SERVER_PATH, for the tests of a fleet.";
