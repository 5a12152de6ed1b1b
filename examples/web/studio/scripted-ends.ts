import type { MockService } from "adgen-sdk/mocks";

/** Prompt of the order that fails. */
export const failingPrompt = "A lemon that juggles";

/** Lets the mock fail each job with that prompt. */
export const scriptEnds = ({ jobs }: MockService): void => {
  jobs.next(
    { fail: "The picture shows too many lemons" },
    { body: { prompt: failingPrompt }, times: Number.POSITIVE_INFINITY },
  );
};
