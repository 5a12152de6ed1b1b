/** A process that writes records until its store takes no more, and prints how many it has written. */
import { openFileStore } from "../../../src/submissions-file.ts";

const [path = ""] = process.argv.slice(2);

const store = await openFileStore(path);
const text = "x".repeat(8_192);
for (let count = 0; ; count++) {
  try {
    await store.swap(`${count}`, "", { rev: "1", text, list: "l" });
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    console.log(JSON.stringify({ count, code, message }));
    process.exit();
  }
}
