import { answer } from "@/lib/adgen";

// The browser's client calls this: createClient({ baseUrl: "/adgen", apiKey: null }).
export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
};
