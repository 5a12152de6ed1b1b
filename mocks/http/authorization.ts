/**
 * Reads the API key from an `Authorization` header; `undefined` when it holds none.
 *
 * @see API v1, section 5 "Authentication"
 */
export const keyOf = (authorization: string | null): string | undefined =>
  /^Bearer (.+)$/s.exec(authorization ?? "")?.[1];
