/**
 * Files in and out: saves the pictures and videos of a job, opens one as a stream, and turns a
 * local picture into a data URL for a request. Only saving, and reading a path, need a file system. It
 * may import `contract`, and from `client` only `errors`, `options` and `internal`.
 *
 * @module adgen-sdk/files
 */

export type { FileOptions } from "./file-options.ts";
export { type OpenedFile, openFile } from "./open-file.ts";
export { type FileFacts, type SaveFilesOptions, saveFiles } from "./save-files.ts";
export { type DataUrlOptions, toDataUrl } from "./to-data-url.ts";
