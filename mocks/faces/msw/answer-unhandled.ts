import { passthrough } from "msw";
import { failingAnswer } from "./deliver.ts";

/** MSW's answer to a request that nothing handles: it fails, or is sent when there is no error. */
export const answerUnhandled = (error: Error | undefined): Response =>
  error === undefined ? passthrough() : failingAnswer(error);
