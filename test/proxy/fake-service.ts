import { type Answer, listen } from "../helpers/http-server.ts";

/** The key that the proxy adds. */
export const secretKey = "test-proxy-secret-4711";

/**
 * One thing that was made and charged. The mark is the prompt of a job, or the name of a brand or
 * ad.
 */
interface Charge {
  readonly kind: "jobs" | "brands" | "ads";
  readonly mark: unknown;
  readonly id: string;
}

type Fields = Readonly<Record<string, unknown>>;

const good = (status: number, data: Fields) => ({ status, data, error: null });
const missing = { status: 404, data: null, error: "The service has no such thing" };

/** Fields of a list whose values would reveal other people's things. */
const gossip = { total: 4711, next_cursor: "job-4711", owners: ["eve"] };

/** Creates the state of a service that charges for each POST and has a single tenant. */
export const createServiceState = () => {
  const open = () => new Map<string, Fields>();
  const things = { jobs: open(), brands: open(), ads: open() };
  const charges: Charge[] = [];

  const make = (kind: Charge["kind"], mark: unknown, fields: Fields): Fields => {
    const id = `${kind.slice(0, -1)}-${charges.length + 1}`;
    const thing = { ...(kind === "jobs" ? { job_id: id } : { id }), ...fields };
    things[kind].set(id, thing);
    charges.push({ kind, mark, id });
    return thing;
  };

  const post = (path: string, body: Fields) => {
    const { prompt, name, brand_id: brandId } = body;
    if (brandId !== undefined && !things.brands.has(String(brandId))) return missing;
    if (path === "/v1/jobs") return good(202, make("jobs", prompt, { status: "queued", ...body }));
    if (path === "/v1/brands") return good(201, make("brands", name, { name }));
    return good(201, make("ads", name, { name, brand_id: brandId }));
  };

  const listOf = (kind: Charge["kind"], limit: number, isListed = (_: Fields) => true) =>
    good(200, {
      [kind]: [...things[kind].values()].filter(isListed).reverse().slice(0, limit),
      ...gossip,
    });

  /** Carries out one request, and returns the answer. */
  const handle = (method: string, target: string, body: string) => {
    const { pathname, searchParams } = new URL(target, "http://service.test");
    const [, , kind = "", id = "", rest] = pathname.split("/").map(decodeURIComponent);
    if (method === "POST") return post(pathname, JSON.parse(body));
    const group = kind === "saved-ads" ? "ads" : kind;
    if (group !== "jobs" && group !== "brands" && group !== "ads") return missing;
    if (id === "") return listOf(group, Number(searchParams.get("limit") ?? 100));
    const thing = things[group].get(id);
    if (thing === undefined) return missing;
    if (rest === "ads") return listOf("ads", 100, (ad) => ad["brand_id"] === id);
    if (method === "DELETE") {
      things[group].delete(id);
      return good(200, { id, deleted: true });
    }
    const changed = method === "PATCH" ? { ...thing, ...JSON.parse(body) } : thing;
    things[group].set(id, changed);
    return good(200, changed);
  };

  return { handle, charges, things };
};

type ServiceState = ReturnType<typeof createServiceState>;

/** Writes an answer in the service's envelope. */
export const envelopeOf = ({ data, error }: ReturnType<ServiceState["handle"]>): string =>
  JSON.stringify({ success: error === null, data, error });

/** A way in which the service fails at one request. */
export interface Fault {
  /** Whether the service carries the request out. Default: only if the fault has no `answer`. */
  readonly charges?: boolean;
  /** Runs after the request was carried out. The service answers when this ends. */
  readonly work?: () => Promise<unknown>;
  /** Answer that replaces the service's own. */
  readonly answer?: Answer;
  /** Changes the service's own answer. */
  readonly edit?: (envelope: string) => string;
  /** Headers that are added to those of the service's own answer. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** Starts a service on loopback that charges for what it has read, and plays faults. */
export const openService = async () => {
  const state = createServiceState();
  const faults: Fault[] = [];
  const answer = async (...[response, request]: Parameters<Answer>): Promise<void> => {
    const { method, url, body } = request;
    const fault = faults.shift() ?? {};
    const carriesOut = fault.charges ?? fault.answer === undefined;
    const own = carriesOut ? state.handle(method, url, body) : undefined;
    await fault.work?.();
    if (fault.answer || !own) return fault.answer?.(response, request);
    response.writeHead(own.status, { "content-type": "application/json", ...fault.headers });
    response.end((fault.edit ?? String)(envelopeOf(own)));
  };
  const { url, received, close } = await listen((...asked) => void answer(...asked));
  /** Plays a fault for each of the next requests. */
  const play = (...next: readonly Fault[]) => void faults.push(...next);
  return {
    ...{ url, received, close, state, play },
    /** Things that were made and charged. */
    charges: state.charges,
    /** Holds the answer to the next request back until `open`. `begun` resolves when it was carried out. */
    hold(fault: Fault = {}) {
      const begun = Promise.withResolvers<void>();
      const end = Promise.withResolvers<void>();
      const work = () => {
        begun.resolve();
        return end.promise;
      };
      play({ ...fault, work });
      return { begun: begun.promise, open: () => end.resolve() };
    },
    /** Returns the requests with a method that the service has read. */
    sent: (wanted: string) => received.filter(({ method }) => method === wanted),
  };
};
