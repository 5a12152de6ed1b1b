import { describe, expect, it } from "vitest";
import type { AdGenClient } from "../../src/index.ts";
import { type Exchange, failures, successes } from "../contract/exchanges.ts";
import { raw } from "../helpers/answers.ts";
import { clientOf, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

/** The call that a recorded request comes from. */
const call = ({ jobs, brands, savedAds }: AdGenClient, { endpoint, request }: Exchange) => {
  const id = request.path.split("/")[3] ?? "";
  // What was recorded is what a JavaScript user would say.
  const body = request.body as never;
  switch (endpoint) {
    case "jobs.submit":
      return jobs.submit(body);
    case "jobs.get":
      return jobs.get(id);
    case "jobs.list":
      return jobs.list();
    case "brands.list":
      return brands.list();
    case "brands.create":
      return brands.create(body);
    case "brands.update":
      return brands.update(id, body);
    case "brands.delete":
      return brands.delete(id);
    case "brands.listAds":
      return brands.listAds(id);
    case "savedAds.create":
      return savedAds.create(body);
    case "savedAds.delete":
      return savedAds.delete(id);
  }
};

/** A server that answers as recorded. */
const replay = ({ response }: Exchange) =>
  listen(raw(response.status, JSON.stringify(response.body)));

describe.each(successes.map((exchange) => [exchange.name, exchange] as const))(
  "recorded: %s",
  (_, exchange) => {
    it("is the client's request, and the client gives its data", async () => {
      const server = await replay(exchange);
      const { method, path, body } = exchange.request;
      const { data } = exchange.response.body;
      const given = await call(clientOf(server), exchange);
      expect(server.received).toMatchObject([
        { method, url: path, body: body ? JSON.stringify(body) : "" },
      ]);
      const list = /list/.test(exchange.endpoint);
      expect(given).toEqual(list ? { items: Object.values(data as object)[0], meta: {} } : data);
    });
  },
);

describe.each(failures.map((exchange) => [exchange.name, exchange] as const))(
  "recorded: %s",
  (_, exchange) => {
    it("is a typed error that quotes the service", async () => {
      const server = await replay(exchange);
      const { status, body } = exchange.response;
      const codes = new Map([
        [400, "bad_request"],
        [401, "unauthorized"],
        [402, "payment_required"],
        [404, "not_found"],
      ]);
      const error = await rejection(call(clientOf(server), exchange));
      expect(error).toMatchObject({ status, code: codes.get(status) });
      expect(error.message).toMatch(new RegExp(`answered ${status}: ${body.error}$`));
    });
  },
);
