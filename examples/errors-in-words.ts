// Tells visitors what went wrong, in words for them: error messages are for developers.
//
//   node errors-in-words.ts
import { createClient, type ErrorCode, isAdGenError } from "adgen-sdk";

const words: Partial<Record<ErrorCode, string>> = {
  payment_required: "You have no credits left. Buy some to make this video.",
  bad_request: "We cannot make this. Please change your description.",
  rate_limited: "Many people are making ads right now. Please try again in a minute.",
};
export const inWords = (error: unknown): string => {
  if (!isAdGenError(error)) return "Something went wrong.";
  if (error.outcome === "unknown") return "We are checking whether your ad is being made.";
  return words[error.code] ?? "We could not reach the studio. Nothing was charged.";
};

try {
  const film = { action: "video-a-2-pro", prompt: "A calm sea", duration: 60 } as const;
  console.log("Ordered:", (await createClient().jobs.submit(film)).job_id);
} catch (error) {
  console.log(inWords(error));
}
