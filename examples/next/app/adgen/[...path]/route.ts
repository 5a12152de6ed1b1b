import { after } from "next/server";
import { getProxy } from "@/lib/adgen";

/**
 * Answers the browser's client: `createClient({ baseUrl: "/adgen", apiKey: null })`. `after` lets a
 * submission finish and be recorded even when the page has gone.
 */
const answer = (request: Request): Promise<Response> => getProxy()(request, { waitUntil: after });

export { answer as DELETE, answer as GET, answer as HEAD, answer as PATCH, answer as POST };
