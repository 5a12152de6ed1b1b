// Entry for Node, Bun and Deno: reads the scenes from the arguments, prints the ends as JSON.
import { play } from "./play.ts";

const [scenes = ""] = process.argv.slice(2);
console.log(JSON.stringify(await play(JSON.parse(scenes))));
// Connections that a fault has left half open would keep the process.
process.exit();
