import type { ClientConfig } from "../options/client-options.ts";
import { parseUrl } from "../parse-url.ts";
import type { OwnAccount } from "../submissions/account.ts";

/** Whose submissions a client makes, for the store that keeps them. */
export const ownAccount = ({ baseUrl: { url }, account, readKey }: ClientConfig): OwnAccount => ({
  origin: parseUrl(url ?? "")?.origin,
  baseUrl: url,
  account,
  readKey,
});
