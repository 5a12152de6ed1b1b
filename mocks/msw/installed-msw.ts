// This is a namespace import, because MSW 1 and early versions of 2 lack some of these names, and importing
// a missing name fails without an explanation.
import * as msw from "msw";
import { requireTool } from "../../src/client/internal/require-tool.ts";

const tool = { name: "msw", lowest: "2.14", install: "npm install --save-dev msw" };

const user = "To answer through MSW, adgen-sdk/mocks";
requireTool(user, tool, "reset" in (msw.RequestHandler?.prototype ?? {}));

export const mswHttp = msw.http;
export const passthrough = msw.passthrough;
export const getResponse = msw.getResponse;
export const bypass = msw.bypass;

/** Returns whether an answer is MSW's `passthrough()`, which lets its request out. */
export const isPassthrough = ({ headers }: Response): boolean =>
  headers.get("x-msw-intention") === "passthrough";
