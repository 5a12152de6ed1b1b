import { createClient } from "adgen-sdk";
import { teachUsualDurations } from "./usual-durations.ts";

/** The service, through the proxy of the page's own server. The key stays there. */
export const client = createClient({ baseUrl: "/adgen", apiKey: null });

// With these, the first job of a page has an estimate, too.
teachUsualDurations(client.jobs.durations);
