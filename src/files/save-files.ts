import { showCaller } from "../client/errors/adgen-error.ts";
import { isAdGenError } from "../client/errors/errors.ts";
import { makeError } from "../client/errors/make-error.ts";
import { describeValue } from "../client/errors/text.ts";
import { checkOptions, functionRule, isObject, refuseArgument } from "../client/options/rules.ts";
import type { CompletedJob } from "../contract/jobs.ts";
import { type FileOptions, fileDefaults, fileRules } from "./file-options.ts";
import { requireFileSystem } from "./file-system.ts";
import { openWith } from "./open-file.ts";

/**
 * Whether a field holds the address of a page for visitors: `call_to_action_url`, `landingPage`.
 */
const isPageLink = (field: string): boolean =>
  /^(cta|calltoaction|click|clickthrough|landing|landingpage|destination|website)(url|link|href)?s?$/.test(
    field.toLowerCase().replaceAll(/[_-]/g, ""),
  );

const isFileUrl = (text: string): boolean =>
  /^(https?:\/\/[^\s/]\S*|data:([\w.+-]+\/[\w.+-]+)?(;[^,]*)?,.*)$/is.test(text);

/**
 * Finds the URLs of files in a result, each once, in the order of the result. The API's document
 * does not show the shape of results, so every text counts that is an http:, https: or data URL as
 * a whole.
 *
 * @assumed A9
 */
export const findUrls = (result: unknown): string[] => {
  const found = new Set<string>();
  const look = (value: unknown): void => {
    if (value instanceof URL) look(value.href);
    if (typeof value === "string" && isFileUrl(value.trim())) found.add(value.trim());
    if (typeof value !== "object" || value === null) return;
    for (const [field, inner] of Object.entries(value)) if (!isPageLink(field)) look(inner);
  };
  look(result);
  return [...found];
};

/** Facts about a file that is about to be saved. */
export interface FileFacts {
  /** Id of the job, as received. */
  readonly jobId: string;
  /** Place of the file in the result: 1 for the first. */
  readonly index: number;
  /** Number of files in the result. */
  readonly count: number;
  /** Extension by the content of the file, with its dot, such as `.png`. */
  readonly extension: string;
  /** Content type of the file, such as `image/png`. */
  readonly type: string;
}

/** Options of `saveFiles`: limits of each file, and their names. */
export interface SaveFilesOptions extends FileOptions {
  /**
   * Names each file, such as `` ({ index, extension }) => `lemonade-${index}${extension}` ``. A
   * name is one part of a path. If a file of that name has other content, the call rejects.
   * @default <job_id>-<index><extension>
   */
  readonly name?: ((file: FileFacts) => string) | undefined;
}

const readJob = (job: Partial<CompletedJob>) => {
  const { job_id: jobId, status, result }: typeof job = isObject(job) ? job : {};
  if (status !== "completed" || typeof jobId !== "string" || jobId === "") {
    const isJob = isObject(job) && "status" in job;
    const given = isJob ? `one that is ${describeValue(status)}` : describeValue(job);
    return refuseArgument(`saveFiles takes a completed job, got ${given}`);
  }
  const urls = findUrls(result);
  if (urls.length === 0) {
    const message = `job ${describeValue(jobId)} is completed, and its result has no URL of a file`;
    const advice = "look at job.result, and pass what you find as { ...job, result: [url] }";
    const fields = { reason: "data", issues: [], jobId, lastJob: { ...job } } as const;
    throw makeError("decode", `${message}: ${advice}`, fields);
  }
  // The service chose the id, and a slash in it must not lead out of the folder.
  return { jobId, urls, stem: encodeURIComponent(jobId.replaceAll(/\p{Cs}/gu, "\uFFFD")) };
};

const checkName = (name: unknown): string => {
  const isName = typeof name === "string" && !/^\.{0,2}$|[/\\\p{Cc}\p{Cs}]/u.test(name);
  if (isName) return name;
  const kind = "a file name without slashes, such as lemonade-1.png";
  return refuseArgument(`name must return ${kind}, got ${describeValue(name)}`);
};

const save = async (
  job: Partial<CompletedJob>,
  folder: string,
  options: SaveFilesOptions,
): Promise<string[]> => {
  const rules = { ...fileRules(), name: functionRule<NonNullable<SaveFilesOptions["name"]>>() };
  const config = checkOptions("saveFiles", rules, options, refuseArgument, fileDefaults);
  if (typeof folder !== "string" || folder === "") {
    return refuseArgument(`saveFiles takes the path of a folder, got ${describeValue(folder)}`);
  }
  const { jobId, urls, stem } = readJob(job);
  const fs = requireFileSystem("saveFiles", "use openFile");
  const pathOf = (name: string): string => `${folder.replace(/[/\\]+$/, "")}/${name}`;

  const toError = (cause: unknown): unknown => {
    if (isAdGenError(cause)) return cause;
    const words = cause instanceof Error ? cause.message : String(cause);
    const advice = "the folder must be writable, with room on its disk; what was saved stays";
    return makeError("store", `saveFiles cannot write to ${folder}: ${words}: ${advice}`, {
      cause,
    });
  };
  const onDisk = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw toError(error);
    }
  };

  /**
   * Gives a complete file its final name. A name that the caller chose may be taken by another
   * file.
   */
  const publish = async (part: string, path: string): Promise<void> => {
    if (config.name === undefined) return fs.rename(part, path);
    const there = await fs.readFile(path).catch(() => undefined);
    if (there === undefined) return fs.rename(part, path);
    const isSame = there.equals(await fs.readFile(part));
    await fs.rm(part);
    if (isSame) return;
    const advice = "remove it, or put jobId and index into the name";
    refuseArgument(`${path} is there already, with other content: ${advice}`);
  };

  const fetchInto = async (url: string, index: number, taken: Set<string>): Promise<string> => {
    const { body, ...type } = await openWith(url, config);
    let part: string | undefined;
    try {
      const { name = () => `${stem}-${index}${type.extension}` } = config;
      const path = pathOf(checkName(name({ jobId, index, count: urls.length, ...type })));
      if (taken.has(path)) {
        refuseArgument(`name gives two files the name of ${path}: put index into it`);
      }
      // Another process may be saving the same file.
      part = `${path}.${crypto.randomUUID()}.part`;
      await onDisk(fs.writeFile(part, body, { flag: "wx", flush: true }));
      await onDisk(publish(part, path));
      return path;
    } catch (error) {
      // While `writeFile` reads the body, `cancel` rejects, and `writeFile` cancels the body
      // itself.
      await Promise.allSettled([body.cancel(), part && fs.rm(part, { force: true })]);
      throw error;
    }
  };

  await onDisk(fs.mkdir(folder, { recursive: true }));
  const there = await onDisk(fs.readdir(folder));
  const paths = new Set<string>();
  for (const [place, url] of urls.entries()) {
    const start = `${stem}-${place + 1}.`;
    // The name of a `.part` file has two more dots, so it does not count as saved.
    const isSaved = (name: string) =>
      name.startsWith(start) && /^[a-z0-9]+$/.test(name.slice(start.length));
    const saved = config.name === undefined ? there.find(isSaved) : undefined;
    paths.add(saved === undefined ? await fetchInto(url, place + 1, paths) : pathOf(saved));
  }
  return [...paths];
};

/**
 * Saves the files of a completed job into a folder, one after the other, as `<job_id>-1.png`,
 * `<job_id>-2.png` and so on. It fetches each http:, https: and data URL in `result` once, in any
 * field and at any depth, except the pages for visitors, such as `call_to_action_url`. The content
 * of a file decides about its extension. The folder is created if it does not exist.
 *
 * A file that already exists is not fetched again, so you can repeat a call that failed. With
 * `name`, every file is fetched again, and compared with an existing file of that name.
 *
 * A file with its final name is whole, and safe on the disk (fsync). Until then its name ends with
 * `.part`, and it is removed when anything fails.
 *
 * The function runs in Node, Bun and Deno. It fetches files as `openFile` does, without your API
 * key.
 *
 * @param job A completed job.
 * @param folder Path of the folder.
 * @returns The paths of all files, in the order of the result.
 * @throws `AdGenError`
 * - `invalid_request`: the job is not completed, the folder or an option makes no sense, a URL
 *   cannot be fetched, or a name is taken or is not a file name.
 * - `decode`: the result has no URL. `lastJob` holds the job.
 * - `store`: the folder cannot be written. `cause` is the system's error.
 * - `config`: the platform has no file system, as in a browser.
 * - The codes of `openFile`: a file cannot be fetched. Files that were saved before stay.
 * @see The guide "Saving results"
 * @example
 * const job = await client.jobs.submitAndPoll({ action: "generate-ad", prompt: "Lemonade" });
 * if (job.status === "completed") console.log(await saveFiles(job, "ads"));
 */
export const saveFiles = async (
  job: Pick<CompletedJob, "job_id" | "status" | "result">,
  folder: string,
  options: SaveFilesOptions = {},
): Promise<string[]> => {
  try {
    return await save(job, folder, options);
  } catch (error) {
    throw showCaller(error);
  }
};
