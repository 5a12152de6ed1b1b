import type { EndpointName } from "../../../src/contract/endpoint.ts";
import { type AskService, isRecord, type Question, type Reply, readAnswer } from "../exchange.ts";

/** The things that a run of the script has made on an account. */
export interface CleanUp {
  /** Notes an exchange; without a reply, a request that got no answer. */
  note(operation: EndpointName | undefined, question: Question, reply?: Reply): void;
  /** Deletes what is left of it, and returns the paths of what could not be deleted. */
  run(ask: AskService): Promise<string[]>;
}

const pathOf = (collection: string, id: string): string =>
  `${collection}/${encodeURIComponent(id)}`;

/** `label` is what the names of the script's brands begin with. */
export const createCleanUp = (label: string): CleanUp => {
  const made = new Map<string, string>();
  const uncertain = new Set<string>();

  const remove = async (ask: AskService, path: string, authorization: string) => {
    const question = { method: "DELETE", path, headers: { authorization } };
    const reply = await ask(question).catch(() => undefined);
    return reply !== undefined && (reply.status < 300 || reply.status === 404);
  };

  /** Brands whose creation had no answer may be there all the same: their names tell. */
  const findUncertain = async (ask: AskService, authorization: string): Promise<string[]> => {
    const question = { method: "GET", path: "/v1/brands", headers: { authorization } };
    const reply = await ask(question).catch(() => undefined);
    const data = reply && readAnswer(reply).data;
    const lists = isRecord(data) ? Object.values(data).filter(Array.isArray) : [];
    return lists
      .flat()
      .filter((brand) => isRecord(brand) && String(brand["name"]).startsWith(label))
      .map(({ id }) => pathOf("/v1/brands", String(id)));
  };

  return {
    note: (operation, { method, path, headers }, reply) => {
      const { authorization = "" } = headers;
      const creates = operation === "brands.create" || operation === "savedAds.create";
      if (creates && reply === undefined) uncertain.add(authorization);
      if (reply === undefined || reply.status >= 300) return;
      if (method === "DELETE") made.delete(path);
      const { data } = readAnswer(reply);
      // Whatever was expected: a service that creates where the mock refuses has created.
      if (creates && isRecord(data) && typeof data["id"] === "string") {
        made.set(pathOf(path, data["id"]), authorization);
      }
    },
    run: async (ask) => {
      for (const authorization of uncertain) {
        for (const path of await findUncertain(ask, authorization)) made.set(path, authorization);
      }
      const left: string[] = [];
      for (const [path, authorization] of [...made].reverse()) {
        if (!(await remove(ask, path, authorization))) left.push(path);
      }
      return left;
    },
  };
};
