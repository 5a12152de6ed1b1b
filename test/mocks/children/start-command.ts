/** Starts a command as npm does, in a shell; or apart, in a group of its own. */
import { spawn } from "node:child_process";

const [how = "", ...command] = process.argv.slice(2);
const stdio = "inherit";
// The second command keeps the shell, which would become the first one otherwise.
const shell = '"$@"; :';
const child =
  how === "apart"
    ? spawn(command[0] ?? "", command.slice(1), { detached: true, stdio })
    : spawn("sh", ["-c", shell, "sh", ...command], { stdio });

// npm hands the signal on to the shell, which ends without its command.
process.on("SIGTERM", () => {
  child.kill("SIGTERM");
  process.exit(143);
});

// A command that outlives this process is ended by its id.
console.log(`pid ${child.pid}`);
