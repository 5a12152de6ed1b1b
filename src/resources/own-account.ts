import type { ClientConfig } from "../options/client-options.ts";
import { parseUrl } from "../parse-url.ts";
import type { OwnAccount } from "../submissions/account.ts";

/** Tells whose submissions a client makes, for the store that keeps them. */
export const ownAccount = ({
  baseUrl: { url },
  account,
  readKey,
  hasFixedKey,
}: ClientConfig): OwnAccount => ({
  origin: parseUrl(url ?? "")?.origin,
  baseUrl: url,
  account,
  // A function may give another key each time, and all of them for one account.
  readKey: hasFixedKey ? readKey : undefined,
});
