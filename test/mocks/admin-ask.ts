import { type Admin, createAdmin } from "../../mocks/faces/server/admin/admin.ts";
import { createMockService, type MockService, type MockServiceOptions } from "../../mocks/index.ts";
import { type Ask, createAsk, read } from "./ask.ts";

export const origin = "http://127.0.0.1:4010";

export interface Administered {
  readonly service: MockService;
  readonly admin: Admin;
  /** Asks the admin, below `/__mock`. */
  readonly order: Ask;
  /** Asks the service, with "test-key". */
  readonly ask: Ask;
}

export const createAdministered = (options: MockServiceOptions = {}): Administered => {
  const service = createMockService(options);
  const admin = createAdmin(service);
  const order: Ask = async (method, path, body) => {
    const needsBody = method === "POST" || method === "PUT";
    const request = new Request(`${origin}/__mock${path}`, {
      method,
      headers: needsBody ? { "content-type": "application/json" } : {},
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return read(await admin.fetch(request));
  };
  return { service, admin, order, ask: createAsk(service) };
};
