/** A consumer that starts the server: type-checked against the packed package, never run. */
import { startMockServer } from "adgen-sdk/mocks/server";

export const urlOf = async (): Promise<string> => {
  const server = await startMockServer({ port: 0, seed: "types" });
  server.service.faults.play({ kind: "reset", accepted: true });
  await server.close();
  return server.url;
};
