/** Longest body that is worth a place on a command line. */
const longestBody = 20_000;

/** Request that a user may want to send again. */
interface Resendable {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  /** API key that was sent: in full, or masked when it is the key of no account. */
  readonly key: string | undefined;
  /** Body as JSON, or text that is no JSON. */
  readonly body: unknown;
}

/** Quotes a text for a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Writes a request as a curl command. Gives `undefined` when its body is too long for one. */
export const asCurl = ({ origin, method, path, key, body }: Resendable): string | undefined => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  if (text !== undefined && text.length > longestBody) return undefined;
  const parts = [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quote(origin + path)}`,
    ...(key === undefined ? [] : [`-H ${quote(`Authorization: Bearer ${key}`)}`]),
    ...(text === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quote(text)}`]),
  ];
  return parts.join(" \\\n  ");
};
