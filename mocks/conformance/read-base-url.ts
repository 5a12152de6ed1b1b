/** Reads the address of a service, as the client takes it. @throws Error that names the option */
export const readBaseUrl = (option: string, text: string | undefined): URL => {
  if (!text) throw new Error(`--${option} is missing`);
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new Error(`--${option} must be an absolute http(s) URL without query, fragment or user`);
  }
  if (/\/v1\/*$/.test(url.pathname)) {
    throw new Error(`--${option} must not end in /v1: each request adds it`);
  }
  return url;
};
