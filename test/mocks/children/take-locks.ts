/** Takes the locks of files from a given time on, prints which it got, and holds them. */
import { lockFile } from "../../../mocks/faces/server/state/lock-file.ts";

const [begin = "0", ...files] = process.argv.slice(2);
const held: (() => void)[] = [];
const won: string[] = [];
// All of the processes at the same moment.
while (Date.now() < Number(begin));
for (const file of files) {
  await lockFile(file).then(
    (release) => {
      held.push(release);
      won.push(file);
    },
    () => {},
  );
}
process.stdout.write(`${JSON.stringify(won)}\n`);
process.stdin.resume().on("end", () => {
  for (const release of held) release();
  process.exit();
});
