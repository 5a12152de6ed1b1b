import type { CompletedJob } from "../contract/jobs.ts";
import { isAdGenError } from "../errors/errors.ts";
import { makeError } from "../errors/make-error.ts";
import { describeValue } from "../errors/text.ts";
import { isObject, refuseArgument } from "../options/rules.ts";
import { type FileOptions, resolveFileConfig } from "./file-options.ts";
import { requireFileSystem } from "./file-system.ts";
import { endings } from "./media-types.ts";
import { openWith } from "./open-file.ts";

/** URLs of a result: of each entry of each list in it. @assumed A9 */
const urlsOf = (result: unknown): string[] => {
  const lists = isObject(result) ? Object.values(result).filter(Array.isArray) : [];
  return lists
    .flat()
    .map((entry: unknown) => (isObject(entry) ? entry["url"] : undefined))
    .filter((url) => typeof url === "string");
};

const readJob = (job: Partial<CompletedJob>) => {
  const { job_id: jobId, status, result }: typeof job = isObject(job) ? job : {};
  if (status !== "completed" || typeof jobId !== "string" || jobId === "") {
    const isJob = isObject(job) && "status" in job;
    const given = isJob ? `one that is ${describeValue(status)}` : describeValue(job);
    return refuseArgument(`saveFiles takes a completed job, got ${given}`);
  }
  const urls = urlsOf(result);
  if (urls.length === 0) {
    const where = "result.images[].url or result.videos[].url";
    const message = `job ${describeValue(jobId)} is completed, and has no file at ${where}`;
    const todo = "look at job.result, and pass its URLs to openFile";
    const fields = { reason: "data", issues: [], jobId, lastJob: { ...job } } as const;
    throw makeError("decode", `${message}: ${todo}`, fields);
  }
  // The id is foreign: no slash of it may lead out of the folder.
  return { urls, stem: encodeURIComponent(jobId.replaceAll(/\p{Cs}/gu, "\uFFFD")) };
};

/**
 * Saves the files of a completed job into a folder, one after the other, as `<job_id>-1.png`,
 * `<job_id>-2.png` and so on. The content type decides about the ending. The folder is created where
 * there is none. A file that is there is not fetched again, so a call that failed can be repeated.
 *
 * Under its final name a file is whole, and safe on the disk (fsync). Until then it is a `.part`
 * beside it, which is removed when anything fails.
 *
 * For Node, Bun and Deno. Each file is fetched as `openFile` does: without your API key.
 *
 * @param job A completed job. Its files are `url` in the entries of the lists in `result`.
 * @param folder Path of the folder.
 * @returns The paths of all files, in the order of the result.
 * @throws `InvalidRequestError` (`invalid_request`) for a job that is not completed, a wrong folder or
 * option, and a URL that is not fetched.
 * @throws `DecodeError` (`decode`) when the result names no file. `lastJob` holds the job.
 * @throws `StoreError` (`store`) when the folder cannot be written; `cause` is the system's error.
 * @throws `ConfigError` (`config`) where there is no file system, as in a browser.
 * @throws Whatever `openFile` throws. Files that were saved before stay.
 * @see The guide "Saving results"
 * @example
 * const job = await client.jobs.submitAndPoll({ action: "generate-ad", prompt: "Lemonade" });
 * if (job.status === "completed") console.log(await saveFiles(job, "ads"));
 */
export const saveFiles = async (
  job: Pick<CompletedJob, "job_id" | "status" | "result">,
  folder: string,
  options: FileOptions = {},
): Promise<string[]> => {
  const config = resolveFileConfig("saveFiles", options);
  if (typeof folder !== "string" || folder === "") {
    return refuseArgument(`saveFiles takes the path of a folder, got ${describeValue(folder)}`);
  }
  const { urls, stem } = readJob(job);
  const fs = requireFileSystem("saveFiles", "use openFile");
  const pathOf = (name: string): string => `${folder.replace(/[/\\]+$/, "")}/${name}`;

  const save = async (url: string, name: string): Promise<string> => {
    const { body, ending } = await openWith(url, config);
    const path = pathOf(name + ending);
    // Another process may be saving the same file.
    const part = `${path}.${crypto.randomUUID()}.part`;
    try {
      await fs.writeFile(part, body, { flag: "wx", flush: true });
      await fs.rename(part, path);
      return path;
    } catch (error) {
      // A body that is locked is being cancelled by what reads it.
      await Promise.allSettled([body.cancel(), fs.rm(part, { force: true })]);
      throw error;
    }
  };

  try {
    await fs.mkdir(folder, { recursive: true });
    const there = new Set(await fs.readdir(folder));
    const paths: string[] = [];
    for (const [index, url] of urls.entries()) {
      const name = `${stem}-${index + 1}`;
      const saved = endings.find((ending) => there.has(name + ending));
      paths.push(saved === undefined ? await save(url, name) : pathOf(name + saved));
    }
    return paths;
  } catch (cause) {
    if (isAdGenError(cause)) throw cause;
    const words = cause instanceof Error ? cause.message : String(cause);
    const todo = "the folder must be writable, with room on its disk; what was saved stays";
    throw makeError("store", `saveFiles cannot write to ${folder}: ${words}: ${todo}`, { cause });
  }
};
