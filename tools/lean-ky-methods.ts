import { createHash } from "node:crypto";
import ts from "typescript";

/** Methods of ky's class that only `create` calls, for features that the client switches off. */
const unused = [
  // Retries (`retry: 0`).
  ...["#calculateDelay", "#calculateRetryDelay", "#retry", "#retryFromError"],
  // Hooks: there are none.
  ...["#runBeforeRequestHooks", "#runAfterResponseHooks", "#throwProcessedError"],
  ...["#consumeReturnedResponseFromBeforeRetryHook", "#assignRequest", "#getNormalizedOptions"],
  // `totalTimeout: false`
  ...["#raceWithTotalTimeout", "#throwIfTotalTimeoutExhausted"],
  // Reading bodies: the client reads them itself, in pieces, and `throwHttpErrors` is `false`.
  ...["#getResponseData", "#getErrorDataTimeout", "#getBodyReadTimeout", "#raceBodyRead"],
  ...["#isJsonContentType", "#readResponseText", "#parseJson", "#decorateResponse"],
  ...["#cancelResponseBody", "#cancelReturnedBody", "#getResponseRequest"],
];

/**
 * The way of a request through ky, without retries, hooks, errors for statuses, and shortcuts that
 * read a body. One microtask passes before `fetch`, as in ky.
 */
const create = `{
  const ky = new Ky(input, options);
  return (async () => {
    await Promise.resolve();
    try {
      return await ky.#fetch();
    } finally {
      const originalRequest = ky.#originalRequest;
      ky.#cancelBody(originalRequest?.body ?? undefined);
      if (ky.request !== originalRequest) ky.#cancelBody(ky.request.body ?? undefined);
    }
  })();
}`;

/** Digest of the `create` that was read when its stand-in was written. */
const createThatWasRead = "683527d6cd92a91a88c32babad11a593dbfc7e3cea446b561f5469fb285b49af";

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/**
 * Leaves out of ky's class file what the client never reaches. The build fails where ky has no such
 * method any more, and where another method needs it. It also fails where `create` is not the one
 * that was read.
 */
export const leaveOutMethods = (source: string): { text: string; problems: readonly string[] } => {
  const missing = new Set([...unused, "create"]);
  const problems: string[] = [];
  const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (!ts.isMethodDeclaration(node) || node.body === undefined) {
      ts.forEachChild(node, visit);
      return;
    }
    const name = node.name.getText();
    if (!missing.delete(name)) return;
    if (name !== "create") {
      edits.push({ start: node.getStart(), end: node.getEnd(), text: "" });
      return;
    }
    const digest = digestOf(node.body.getText());
    if (digest !== createThatWasRead) problems.push(`has another create (${digest})`);
    edits.push({ start: node.body.getStart(), end: node.body.getEnd(), text: create });
  };
  visit(ts.createSourceFile("Ky.js", source, ts.ScriptTarget.Latest, true));
  if (missing.size > 0) problems.push(`has no ${[...missing].join(", ")} any more`);
  let text = source;
  for (const edit of edits.reverse()) {
    text = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
  }
  return { text, problems };
};
