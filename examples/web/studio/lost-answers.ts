import type { MiddlewareHandler } from "hono";
import type { Sessions } from "./sessions.ts";

/** A load balancer that loses answers, on a visitor's wish. */
export interface LostAnswers {
  /** Loses the answer to the next submission of a person. */
  readonly loseNext: (person: string) => void;
  readonly middleware: MiddlewareHandler;
}

/**
 * Makes what you would not build: it lets a submission through to the service, and then gives the
 * page a 504 instead of the answer. The job exists, and the page does not know.
 */
export const createLostAnswers = ({ personOf }: Sessions): LostAnswers => {
  const victims = new Set<string>();
  return {
    loseNext: (person) => void victims.add(person),
    middleware: async (context, next) => {
      await next();
      const { req } = context;
      if (req.method !== "POST" || !victims.delete(personOf(req.raw) ?? "")) return;
      context.res = new Response("<h1>504 Gateway Timeout</h1>", {
        status: 504,
        headers: { "content-type": "text/html" },
      });
    },
  };
};
