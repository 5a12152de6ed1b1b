import ts from "typescript";

const refuse = '{ throw new Error("adgen-sdk is built without this of ky"); }';

/**
 * Methods and functions of ky's class file for features that the client switches off, and what
 * takes the place of their bodies.
 */
export const standInBodies: Readonly<Record<string, string>> = {
  // Retries (`retry: 0`): the error goes on.
  "#retryFromError": "{ throw error; }",
  "#calculateDelay": refuse,
  "#calculateRetryDelay": refuse,
  // Hooks: there are none.
  "#runBeforeRequestHooks": "{ return undefined; }",
  "#runAfterResponseHooks": "{ return response; }",
  "#throwProcessedError": "{ throw error; }",
  cloneInitHookOptions: refuse,
  cloneRetryOptions: refuse,
  // `totalTimeout: false`
  "#raceWithTotalTimeout": "{ return operation(); }",
  // Reading bodies: the client reads them itself, in pieces, and `throwHttpErrors` is `false`.
  "#getResponseData": refuse,
  "#getErrorDataTimeout": refuse,
  "#getBodyReadTimeout": refuse,
  "#raceBodyRead": refuse,
  "#isJsonContentType": refuse,
  "#readResponseText": refuse,
  "#parseJson": refuse,
  validateJsonWithSchema: refuse,
};

/** Gives the source with the bodies of these functions replaced, and the names it did not find. */
export const replaceBodies = (
  source: string,
  bodies: Readonly<Record<string, string>>,
): { readonly text: string; readonly missing: readonly string[] } => {
  const missing = new Set(Object.keys(bodies));
  const edits: { readonly start: number; readonly end: number; readonly body: string }[] = [];
  const visit = (node: ts.Node): void => {
    const isNamed = ts.isMethodDeclaration(node) || ts.isFunctionDeclaration(node);
    // const name = () => {}
    const holder = ts.isArrowFunction(node) && ts.isVariableDeclaration(node.parent) && node.parent;
    const name = (isNamed ? node.name : holder ? holder.name : undefined)?.getText() ?? "";
    const body = bodies[name];
    if (body !== undefined && (isNamed || ts.isArrowFunction(node)) && node.body !== undefined) {
      missing.delete(name);
      edits.push({ start: node.body.getStart(), end: node.body.getEnd(), body });
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("Ky.js", source, ts.ScriptTarget.Latest, true));
  let text = source;
  for (const { start, end, body } of edits.reverse()) {
    text = text.slice(0, start) + body + text.slice(end);
  }
  return { text, missing: [...missing] };
};
