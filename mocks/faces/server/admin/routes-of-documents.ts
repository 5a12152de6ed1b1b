import { answerUnlessKnown, etagOf } from "../page/answer-unless-known.ts";
import { serviceDocument } from "./documents.ts";
import { defineRoute, jsonHeaders } from "./route.ts";

export const documentRoutes = {
  showOpenApi: defineRoute({
    summary: "Gives the OpenAPI document of the service, with this server as its address",
    run: ({ request }) => {
      const servers = [{ url: new URL(request.url).origin, description: "This mock." }];
      const body = JSON.stringify({ ...JSON.parse(serviceDocument), servers });
      const headers = { ...jsonHeaders, "content-type": "application/json" };
      return answerUnlessKnown(request, etagOf(body), headers, () => body);
    },
  }),
};
