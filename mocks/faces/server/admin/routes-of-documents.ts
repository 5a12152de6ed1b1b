import * as z from "zod/mini";
import { answerUnlessKnown, etagOf } from "../page/answer-unless-known.ts";
import { adminDocument, serviceDocument } from "./documents.ts";
import { type AdminRoute, defineRoute, jsonHeaders } from "./route.ts";

const document = z.looseObject({ openapi: z.string() });

/** Answers a document, which names this server as the address of the API. */
const answerDocument = (request: Request, text: string): Response => {
  const { origin } = new URL(request.url);
  const servers = [{ url: origin, description: "This mock." }];
  const body = JSON.stringify({ ...JSON.parse(text), servers });
  const headers = { ...jsonHeaders, "content-type": "application/json" };
  return answerUnlessKnown(request, etagOf(body), headers, () => body);
};

const otherAnswers = { 304: "The document is the one that if-none-match names." };

export const documentRoutes: readonly AdminRoute[] = [
  defineRoute("showOpenApi", "GET /__mock/openapi.json", {
    summary: "Gives the OpenAPI document of the service",
    answer: document,
    otherAnswers,
    mediaType: "application/json",
    run: ({ request }) => answerDocument(request, serviceDocument),
  }),
  defineRoute("showAdminOpenApi", "GET /__mock/admin-openapi.json", {
    summary: "Gives the OpenAPI document of this admin",
    answer: document,
    otherAnswers,
    mediaType: "application/json",
    run: ({ request }) => answerDocument(request, adminDocument),
  }),
];
