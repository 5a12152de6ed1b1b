/**
 * The submission journal in a file, for Node, Bun and Deno.
 *
 * @module adgen-sdk/journal/file
 */

export { type FileJournal, openFileJournal } from "./journal/file/open-file-journal.ts";
