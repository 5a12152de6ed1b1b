import { createClient, createLearnedDurations } from "adgen-sdk";
import { teachUsualDurations } from "./usual-durations.ts";

const durations = createLearnedDurations();
// With these, the first job of a page has an estimate, too.
teachUsualDurations(durations);

/** The service, through the proxy of the page's own server. The key stays there. */
export const client = createClient({ baseUrl: "/adgen", apiKey: null, durations });
