import { createClient } from "adgen-sdk";

/** The service, through the proxy of the page's own server. The key stays there. */
export const client = createClient({ baseUrl: "/adgen", apiKey: null });
