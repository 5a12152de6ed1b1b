/**
 * Reads the API key from an `Authorization` header; `undefined` when it holds none.
 *
 * @see API v1, section 5 "Authentication"
 * @assumed A20
 */
export const keyOf = (authorization: string | null): string | undefined =>
  /^Bearer[ \t]+(\S.*?)[ \t]*$/is.exec(authorization ?? "")?.[1];
