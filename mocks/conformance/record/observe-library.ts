import { isRecord } from "../exchange.ts";
import type { Seen } from "./seen.ts";
import { isSuccess, lacks, names, type Observers, quote, refusedWith400 } from "./sight.ts";

const listsOf = { "jobs.list": "jobs", "brands.list": "brands", "brands.listAds": "ads" } as const;

const isNewestFirst = (items: readonly unknown[]): boolean => {
  const times = items.map((item) =>
    isRecord(item) ? Date.parse(String(item["created_at"])) : NaN,
  );
  // NaN is neither before nor after another time.
  return times.every((time, index) => !(time > (times[index - 1] ?? time)));
};

/** Jobs that a list holds when it is asked without a limit. */
const jobsWithoutLimit = 100;

/** Gives the kind of an id, the thing of that id, and whether another account made it. */
const thingOf = ({ call, memory, account }: Seen) => {
  const kind = call?.endpoint.names;
  if (kind === undefined) return undefined;
  const known = memory[kind].get(call?.id ?? "");
  return known && { kind, known, isAnothers: known.account !== account };
};

/** Assumptions about lists, brands, ads, and whose they are. */
export const libraryObservers: Observers = {
  A4: (seen) => {
    const { call, data, url } = seen;
    const asked = url.searchParams.get("limit");
    const name = listsOf[call?.name as keyof typeof listsOf];
    if (name === undefined) return undefined;
    const isLimit = asked === null || /^[1-9]\d*$/.test(asked);
    if (!isLimit) return refusedWith400(seen, `\`limit=${asked.slice(0, 20)}\``);
    if (!isSuccess(seen)) {
      return seen.status === 400 && asked !== null ? `\`limit=${asked}\` is refused` : undefined;
    }
    const list = data[name];
    if (!Array.isArray(list)) {
      const other = Object.entries(data).find(([, value]) => Array.isArray(value));
      return Array.isArray(data)
        ? `a list is the data itself, not in \`${name}\``
        : `a list is in ${other ? `\`${other[0]}\`` : names(Object.keys(data))}, not in \`${name}\``;
    }
    if (!isNewestFirst(list)) return `\`${name}\` are not the newest first`;
    if (asked !== null && list.length > Number(asked)) {
      return `\`limit=${asked}\` lists ${list.length}`;
    }
    return asked === null && name === "jobs" && list.length > jobsWithoutLimit
      ? `${list.length} jobs are listed without a limit`
      : true;
  },

  A5: (seen) => {
    const { call, data, sent = {} } = seen;
    if (call?.name !== "brands.create") return undefined;
    if (typeof sent["name"] !== "string") return refusedWith400(seen, "a brand without `name`");
    if (!isSuccess(seen)) {
      return seen.status === 400 ? `a brand is refused: ${quote(seen.error)}` : undefined;
    }
    const own = ["id", "created_at", "updated_at"];
    return lacks("a brand", data, [...own, ...Object.keys(sent)]);
  },

  A6: (seen) => {
    const { call, data, sent = {}, memory } = seen;
    if (call?.name !== "savedAds.create") return undefined;
    if (typeof sent["brand_id"] !== "string")
      return refusedWith400(seen, "an ad without `brand_id`");
    if (!isSuccess(seen)) {
      return seen.status === 400 ? `an ad is refused: ${quote(seen.error)}` : undefined;
    }
    if (memory.brand.get(sent["brand_id"])?.isOver) return "an ad for a deleted brand is taken";
    return lacks("a saved ad", data, ["id", "created_at", ...Object.keys(sent)]);
  },

  A7: (seen) => {
    const { call, data, status } = seen;
    if (call === undefined || !isSuccess(seen)) return undefined;
    if (seen.method === "PATCH") {
      if (status !== 200) return `PATCH answers ${status}`;
      return data["id"] === call.id || "PATCH answers without the brand";
    }
    if (seen.method !== "DELETE") return undefined;
    if (status !== 200) return `DELETE answers ${status}`;
    return (
      (data["id"] === call.id && data["deleted"] === true) ||
      `DELETE answers with ${names(Object.keys(data))}, not with \`id\` and \`deleted: true\``
    );
  },

  A16: (seen) => {
    const found = thingOf(seen);
    if (!found?.isAnothers || seen.status === 401) return undefined;
    if (seen.status === 404) return true;
    return seen.status < 500 ? `another account's ${found.kind} is a ${seen.status}` : undefined;
  },

  A17: (seen) => {
    const { call, memory, status } = seen;
    const found = thingOf(seen);
    if (found === undefined || found.isAnothers) return undefined;
    if (call?.name === "brands.listAds" && found.known.isOver) {
      if (status === 404) return true;
      return isSuccess(seen) ? "the ads of a deleted brand are listed" : undefined;
    }
    const brand = memory.brand.get(String(found.known.sent["brand_id"]));
    if (call?.name !== "savedAds.delete" || found.known.isOver || !brand?.isOver) return undefined;
    if (isSuccess(seen)) return true;
    return status === 404 ? "an ad of a deleted brand cannot be deleted" : undefined;
  },
};
