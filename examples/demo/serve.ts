import type { MockAccount } from "adgen-sdk/mocks";
import { connectMock } from "adgen-sdk/mocks/connect";
import { startMockServer } from "adgen-sdk/mocks/server";

/** The part of an account that the demo shows. */
type Account = Pick<MockAccount, "credits" | "ledger">;

/** A mock service that is reached over HTTP. */
export interface Service {
  readonly url: string;
  readonly apiKey: string;
  /** The account as it is now. */
  readonly readAccount: () => Promise<Account>;
  readonly close: () => Promise<void>;
}

/** Starts a mock on a free port of this machine. */
export const startService = async (): Promise<Service> => {
  const apiKey = "demo-key";
  const image = { monthly: 15, purchased: 50 };
  const video = { monthly: 20, purchased: 0 };
  const { url, service, close } = await startMockServer({
    accounts: { [apiKey]: { credits: { image, video } } },
    timeline: {
      "generate-ad": { queuedMs: 300, processingMs: { min: 1_200, max: 1_400 } },
      "generate-ad-copy": { queuedMs: 200, processingMs: { min: 700, max: 900 } },
      "video-a-2": { queuedMs: 400, processingMs: { min: 1_700, max: 2_000 } },
    },
  });
  return { url, apiKey, readAccount: async () => service.account(apiKey), close };
};

/** Takes an `adgen-mock` that runs elsewhere. The demo spends credits: nothing else will do. */
export const findService = async (url: string, apiKey: string): Promise<Service> => {
  const readAccount = async (): Promise<Account> => {
    const account = connectMock(url).account(apiKey);
    try {
      return { credits: await account.credits(), ledger: await account.ledger() };
    } catch (cause) {
      throw new Error(`${url} is not an adgen-mock with the key ${apiKey}`, { cause });
    }
  };
  await readAccount();
  return { url, apiKey, readAccount, close: async () => {} };
};

/** Sends a request, and leaves the wait out that its answer asks for. */
export const fetchWithoutRetryAfter = async (request: Request): Promise<Response> => {
  const { status, headers: received, body } = await fetch(request);
  const headers = new Headers(received);
  headers.delete("retry-after");
  return new Response(body, { status, headers });
};
