/** Headers of a request, by their names in lower case. */
type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Headers by which a browser app of another origin may read every answer of the service. */
export const corsHeaders: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "x-request-id, retry-after",
};

/** Tells whether a browser asks before its request what it may send. */
export const isPreflight = (method: string | undefined, headers: RequestHeaders): boolean =>
  method === "OPTIONS" &&
  headers["origin"] !== undefined &&
  headers["access-control-request-method"] !== undefined;

const headerName = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;

/** Makes the answer to a preflight; a star would cover every header except `Authorization`. */
export const preflightHeaders = (headers: RequestHeaders): Record<string, string> => {
  const asked = `${headers["access-control-request-headers"] ?? ""}`.toLowerCase().split(",");
  const names = asked.map((name) => name.trim()).filter((name) => headerName.test(name));
  const allowed = new Set(["authorization", "content-type", ...names]);
  return {
    ...corsHeaders,
    "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers": [...allowed].join(", "),
    "access-control-max-age": "600",
    vary: "access-control-request-headers, access-control-request-private-network",
    ...(headers["access-control-request-private-network"] === "true" && {
      "access-control-allow-private-network": "true",
    }),
  };
};
