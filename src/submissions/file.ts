/**
 * The store of submissions in a file, for Node, Bun and Deno. This entry and `file-store/` may
 * import modules of Node, the interface of a record store, and the client by the package's name.
 *
 * @module adgen-sdk/submissions/file
 */

export { type FileStore, openFileStore } from "./file-store/open-file-store.ts";
