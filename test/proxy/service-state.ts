/** One thing that the service has made, and charged for. */
export interface Charge {
  readonly kind: "jobs" | "brands" | "ads";
  /** The prompt of a job, or the name of a brand or an ad: it names the POST. */
  readonly mark: unknown;
  readonly id: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** One answer of the service, before it is written. */
export interface ServiceAnswer {
  readonly status: number;
  readonly data: Fields | null;
  readonly error: string | null;
}

const good = (status: number, data: Fields): ServiceAnswer => ({ status, data, error: null });
const bad = (status: number, error: string): ServiceAnswer => ({ status, data: null, error });
const missing = bad(404, "The service has no such thing");

/** Fields of a list that would tell about other people. */
const gossip = { total: 4711, next_cursor: "job-4711", owners: ["eve"] };

/** The service's memory: it charges for every POST, and knows one tenant only. */
export const createServiceState = () => {
  const things = {
    jobs: new Map<string, Fields>(),
    brands: new Map<string, Fields>(),
    ads: new Map<string, Fields>(),
  };
  const charges: Charge[] = [];
  let count = 0;

  const make = (kind: Charge["kind"], mark: unknown, fields: Fields): Fields => {
    const id = `${kind.slice(0, -1)}-${++count}`;
    const thing = { ...(kind === "jobs" ? { job_id: id } : { id }), ...fields };
    things[kind].set(id, thing);
    charges.push({ kind, mark, id });
    return thing;
  };

  const post = (path: string, body: Fields): ServiceAnswer => {
    const { prompt, name, brand_id: brandId } = body;
    if (brandId !== undefined && !things.brands.has(String(brandId))) return missing;
    if (path === "/v1/jobs") {
      return good(202, make("jobs", prompt, { status: "queued", ...body }));
    }
    if (path === "/v1/brands") return good(201, make("brands", name, { name }));
    return good(201, make("ads", name, { name, brand_id: brandId }));
  };

  const listOf = (kind: Charge["kind"], limit: number, isListed = (_: Fields) => true): Fields => ({
    [kind]: [...things[kind].values()].filter(isListed).reverse().slice(0, limit),
    ...gossip,
  });

  /** Carries out one request, and says what is answered. */
  const handle = (method: string, target: string, body: string): ServiceAnswer => {
    const { pathname, searchParams } = new URL(target, "http://service.test");
    const [, , kind = "", id = "", rest] = pathname.split("/").map(decodeURIComponent);
    if (method === "POST") return post(pathname, JSON.parse(body));
    const group = kind === "saved-ads" ? "ads" : kind;
    if (group !== "jobs" && group !== "brands" && group !== "ads") return missing;
    if (id === "") return good(200, listOf(group, Number(searchParams.get("limit") ?? 100)));
    const thing = things[group].get(id);
    if (thing === undefined) return missing;
    if (rest === "ads")
      return good(
        200,
        listOf("ads", 100, (ad) => ad["brand_id"] === id),
      );
    if (method === "PATCH") {
      const changed = { ...thing, ...JSON.parse(body) };
      things[group].set(id, changed);
      return good(200, changed);
    }
    if (method === "DELETE") {
      things[group].delete(id);
      return good(200, { id, deleted: true });
    }
    return good(200, thing);
  };

  return { handle, charges, things };
};

/** Writes an answer in the service's envelope. */
export const envelopeOf = ({ data, error }: ServiceAnswer): string =>
  JSON.stringify({ success: error === null, data, error });
