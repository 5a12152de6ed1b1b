/**
 * The store of submissions in a file, for Node, Bun and Deno.
 *
 * @module adgen-sdk/submissions/file
 */

export { type FileStore, openFileStore } from "./submissions/file/open-file-store.ts";
