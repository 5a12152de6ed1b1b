import type * as z from "zod/mini";
import { successEnvelope } from "../../../../src/contract/envelope.ts";
import type { MockService } from "../../../service/mock-service.ts";
import { createInputReader, type Input, type InputSchemas } from "./read-input.ts";

/** The service's arrays are read-only, and those of a schema's type are not. */
type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value;

/** Facts about a route that the help and the OpenAPI document tell. */
interface RouteFacts {
  /** One line that begins with a verb. */
  readonly summary: string;
  /** Reasons of other statuses than 200 that the route itself answers. */
  readonly otherAnswers?: Readonly<Record<number, string>>;
  /** Type of an answer that has no envelope. @default "application/json", in an envelope */
  readonly mediaType?: "image/svg+xml" | "application/json";
  /** Types of answers that are the bytes of a file. */
  readonly otherMediaTypes?: readonly string[];
}

/** A server, as far as its admin shows and steers it. */
interface Administered {
  readonly service: MockService;
  /** Reads what goes wrong at this moment, in words. */
  readonly problems: () => readonly string[];
}

interface Asked extends Administered {
  readonly request: Request;
}

/** One call of a route, its input checked by the row's schemas. */
type AdminCall<Schemas extends InputSchemas> = Input<Schemas> & Asked;

/** One row of the table, as it is written. */
interface Row<Schemas extends InputSchemas, Answer extends z.ZodMiniType> extends RouteFacts {
  /** Schemas of the path's parts, the query and the JSON body. @default nothing is read */
  readonly input?: Schemas;
  /** Schema of the `data` in the answer's envelope. */
  readonly answer: Answer;
  /** Does the work. A `Response` is sent as it is. */
  readonly run: (call: AdminCall<Schemas>) => DeepReadonly<z.output<Answer>> | Response;
}

/** One route, as the router, the help and the OpenAPI document read it. */
export interface AdminRoute extends RouteFacts {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly input: InputSchemas;
  readonly answer: z.ZodMiniType;
  readonly respond: (
    administered: Administered,
    request: Request,
    parts: Readonly<Record<string, string>>,
  ) => Promise<Response>;
}

/** Headers of every answer in JSON. */
export const jsonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/**
 * Makes a route of a row. The types of `run` follow from the row's schemas.
 *
 * @param id - Name of the function in generated clients: the `operationId` of the OpenAPI document
 * @param place - Method and path, the path as hono writes it, with `:name` for a part
 */
export const defineRoute = <
  const Answer extends z.ZodMiniType,
  const Schemas extends InputSchemas = Record<never, never>,
>(
  id: string,
  place: `${"GET" | "POST" | "PUT" | "DELETE"} /__mock/${string}`,
  row: Row<Schemas, Answer>,
): AdminRoute => {
  const [method = "", path = ""] = place.split(" ");
  const { input = {}, run } = row;
  const readInput = createInputReader<Schemas>(row.input);
  return {
    ...row,
    id,
    method,
    path,
    input,
    respond: async (administered, request, parts) => {
      const answer = run({ ...administered, request, ...(await readInput(request, parts)) });
      if (answer instanceof Response) return answer;
      return Response.json(successEnvelope(answer), { headers: jsonHeaders });
    },
  };
};
