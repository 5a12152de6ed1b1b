/**
 * The store of submissions in a file, for Node, Bun and Deno.
 *
 * @module adgen-sdk/submissions/file
 */

export { type FileStore, openFileStore } from "./file-store/open-file-store.ts";
