/** Serves with a state file, says where, and waits for its end. */
import { startMockServer } from "../../../mocks/server.ts";

const [stateFile = "", options = "{}"] = process.argv.slice(2);
const server = await startMockServer({ stateFile, ...JSON.parse(options) });
process.stdout.write(`${server.url}\n`);
