import type { MockService } from "../../../service/mock-service.ts";
import { createInputReader, type Input, type InputSchemas } from "./read-input.ts";

/** A server, as far as its admin shows and steers it. */
interface Administered {
  readonly service: MockService;
  /** Reads what goes wrong at this moment, in words. */
  readonly problems: () => readonly string[];
}

interface Asked extends Administered {
  readonly request: Request;
}

/** One row of the table, as it is written. */
interface Row<Schemas extends InputSchemas, Answer> {
  /** One line that begins with a verb, for the help. */
  readonly summary: string;
  /** Schemas of the path's parts, the query and the JSON body. @default nothing is read */
  readonly input?: Schemas;
  /** Does the work. A `Response` is sent as it is, anything else as the `data` of an envelope. */
  readonly run: (call: Input<Schemas> & Asked) => Answer | Response;
}

/** One route, as the router and the help read it. */
export interface AdminRoute<Answer = unknown> {
  readonly summary: string;
  readonly input: InputSchemas;
  /** Checks the request by the row's schemas, and does the work. */
  readonly answer: (
    asked: Asked,
    parts: Readonly<Record<string, string>>,
  ) => Promise<Answer | Response>;
}

/** Headers of every answer in JSON. */
export const jsonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** Makes a route of a row. The types of `run` follow from the row's schemas. */
export const defineRoute = <Answer, const Schemas extends InputSchemas = Record<never, never>>({
  summary,
  input,
  run,
}: Row<Schemas, Answer>): AdminRoute<Answer> => {
  const readInput = createInputReader<Schemas>(input);
  return {
    summary,
    input: input ?? {},
    answer: async (asked, parts) => run({ ...asked, ...(await readInput(asked.request, parts)) }),
  };
};
