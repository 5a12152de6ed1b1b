/**
 * Files of jobs: saves the pictures and videos of a job, opens a file as a stream, and turns a
 * local picture into a data URL for a request. The folder imports the contract and, from the
 * client, errors, options and internal helpers.
 *
 * @module adgen-sdk/files
 */

export type { FileOptions } from "./file-options.ts";
export { type OpenedFile, openFile } from "./open-file.ts";
export { type FileFacts, type SaveFilesOptions, saveFiles } from "./save-files.ts";
export { type DataUrlOptions, toDataUrl } from "./to-data-url.ts";
