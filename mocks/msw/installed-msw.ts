// Not imported by name: MSW 1 and early versions of 2 lack some, and loading would fail unexplained.
import * as msw from "msw";
import { requireTool } from "../../src/client/internal/require-tool.ts";

const tool = { name: "msw", lowest: "2.14", install: "npm install --save-dev msw" };

const user = "To answer through MSW, adgen-sdk/mocks";
requireTool(user, tool, "reset" in (msw.RequestHandler?.prototype ?? {}));

export const mswHttp = msw.http;
export const passthrough = msw.passthrough;
export const getResponse = msw.getResponse;
export const bypass = msw.bypass;

/** Tells whether an answer is MSW's `passthrough()`, whose request is to be sent. */
export const isPassthrough = ({ headers }: Response): boolean =>
  headers.get("x-msw-intention") === "passthrough";
