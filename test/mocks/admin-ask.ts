import { createAdmin } from "../../mocks/faces/server/admin/admin.ts";
import { createMockService, type MockServiceOptions } from "../../mocks/index.ts";
import { type Ask, createAsk, read } from "./ask.ts";

export const origin = "http://127.0.0.1:4010";

export const createAdministered = (options: MockServiceOptions = {}) => {
  const service = createMockService(options);
  /** Troubles of the server, which its page shows. */
  const troubles: string[] = [];
  const admin = createAdmin(service, () => [...troubles]);
  /** Asks the admin, below `/__mock`. */
  const order: Ask = async (method, path, body) => {
    const needsBody = method === "POST" || method === "PUT";
    const request = new Request(`${origin}/__mock${path}`, {
      method,
      headers: needsBody ? { "content-type": "application/json" } : {},
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return read(await admin.fetch(request));
  };
  /** Asks the service, with "test-key". */
  const ask = createAsk(service);
  return { service, admin, troubles, order, ask };
};
