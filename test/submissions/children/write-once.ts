/** A process that writes a record, and keeps its store open until it is killed. */
import { openFileStore } from "../../../src/submissions/file.ts";

const [path = ""] = process.argv.slice(2);

const store = await openFileStore(path);
await store.swap("of the child", "", { rev: "1", text: "text of 1", list: "open" });
process.stdout.write("written\n");
setInterval(() => {}, 1_000_000);
