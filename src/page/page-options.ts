import type { SubmitClient } from "adgen-sdk";
import type { ClientSchemas } from "../options/client-options.ts";
import {
  checkOptions,
  milliseconds,
  object,
  type Rule,
  refuseOption,
  rule,
  withMethods,
} from "../options/rules.ts";
import type { PollOptions } from "../polling/poll-options.ts";

/** Options of `createPageOrders`. */
export interface PageOrdersOptions<S extends ClientSchemas = ClientSchemas> {
  /** Client of a page before a proxy of `adgen-sdk/proxy`: with `apiKey: null`, or it is refused. */
  readonly client: SubmitClient<S>;
  /** Id of the signed-in user. Nobody else gets this user's orders from the storage. */
  readonly user: string;
  /**
   * Storage that outlives a reload: three functions of a `Storage`, or of yours.
   * @default the page's `localStorage`
   */
  readonly storage?: Pick<Storage, "getItem" | "setItem" | "removeItem"> | undefined;
  /**
   * Time in milliseconds after which an order without an answer is not sent again, 1 to 2147483647.
   * It must be less than the proxy's `callWindowMs`: what the proxy has forgotten is paid again.
   * @default 82800000 (23 hours)
   */
  readonly resendMs?: number | undefined;
  /** Options of each wait, but `signal` and `onUpdate`. */
  readonly poll?: Omit<PollOptions, "signal" | "onUpdate"> | undefined;
}

/** Storage of a page. */
export type PageStorage = NonNullable<PageOrdersOptions["storage"]>;

/** Allows the names of slots and of users. */
export const nameRule: Rule<string> = rule(
  "text of 1 to 512 characters",
  (value) => typeof value === "string" && value !== "" && value.length <= 512,
);

const isClient = (value: unknown): boolean => {
  const { jobs } = (value ?? {}) as { jobs?: Partial<SubmitClient["jobs"]> };
  return typeof jobs?.submit === "function" && typeof jobs.get === "function";
};

export const resolvePageOptions = <S extends ClientSchemas>(options: PageOrdersOptions<S>) => {
  const rules = {
    client: rule<SubmitClient<S>>("a client: createClient({ baseUrl, apiKey: null })", isClient),
    user: nameRule,
    storage: withMethods<PageStorage>("a Storage", "getItem", "setItem", "removeItem"),
    resendMs: milliseconds(),
    poll: object as Rule<PollOptions>,
  };
  const defaults = { resendMs: 82_800_000 };
  const given = checkOptions("createPageOrders", rules, options, refuseOption, defaults);
  const { client, user } = given;
  if (client === undefined) return refuseOption("createPageOrders needs client");
  if (user === undefined)
    return refuseOption("createPageOrders needs user: the signed-in user's id");
  return { ...given, client, user };
};
