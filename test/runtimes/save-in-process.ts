/** Saves the files of a job in any runtime, and tells what became of each file. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { openFile, saveFiles, toDataUrl } from "adgen-sdk/files";

/** What became of one file. */
export interface Saved {
  /** Size in bytes, or the code of the error. */
  readonly end: number | string;
  /** Names in the folder afterwards. */
  readonly names: readonly string[];
  /** All that a program can print of an error. */
  readonly printed: string;
}

const print = (error: unknown): string => {
  const texts: string[] = [];
  for (let link = error; link instanceof Error; link = link.cause) {
    const own = JSON.stringify(link, Object.getOwnPropertyNames(link));
    texts.push(String(link), link.stack ?? "", own, JSON.stringify(link));
  }
  return [inspect(error, { depth: 9, showHidden: true }), ...texts].join("\n");
};

const save = async (url: string): Promise<Saved> => {
  const folder = mkdtempSync(join(tmpdir(), "save-in-process-"));
  try {
    const [path = ""] = await saveFiles({ job_id: "j", status: "completed", result: url }, folder);
    const { body } = await openFile(url);
    const { byteLength } = await new Response(body).arrayBuffer();
    return { end: byteLength, names: readdirSync(folder), printed: path };
  } catch (error) {
    const { code } = error as { readonly code: string };
    return { end: code, names: readdirSync(folder), printed: print(error) };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const told: Record<string, Saved> = {};
const [, , base = "", ...paths] = process.argv;
for (const path of paths) told[path] = await save(base + path);
told["nobody"] = await save("http://127.0.0.1:1/f?X-Signature=s3cret");
told["refused"] = await save("http://127.0.0.1:2999/f?X-Signature=s3cret");
const device = await toDataUrl("/dev/zero").catch((error: unknown) => error);
console.log(JSON.stringify({ told, device: String(device) }));
process.exit();
