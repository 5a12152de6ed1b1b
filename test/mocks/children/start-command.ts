/** Starts a command in a shell, as npm does, or apart, in a process group of its own. */
import { spawn } from "node:child_process";

const [how = "", ...command] = process.argv.slice(2);
const stdio = "inherit";
// The second command, `:`, keeps the shell alive, which would otherwise become the command.
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

// The test needs the id to end a command that outlives this process.
console.log(`pid ${child.pid}`);
