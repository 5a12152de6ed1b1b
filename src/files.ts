/**
 * Files in and out: saves the pictures and videos of a job, opens one as a stream, and turns a
 * local picture into a data URL for a request.
 *
 * @module adgen-sdk/files
 */

export type { FileOptions } from "./files/file-options.ts";
export { type OpenedFile, openFile } from "./files/open-file.ts";
export { type FileFacts, type SaveFilesOptions, saveFiles } from "./files/save-files.ts";
export { type DataUrlOptions, toDataUrl } from "./files/to-data-url.ts";
