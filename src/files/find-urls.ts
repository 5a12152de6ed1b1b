/** Fields with the address of a page for visitors of an ad: `call_to_action_url`, `landingPage`. */
const isPageLink = (field: string): boolean =>
  /^(cta|calltoaction|click|clickthrough|landing|landingpage|destination|website)(url|link|href)?s?$/.test(
    field.toLowerCase().replaceAll(/[_-]/g, ""),
  );

const isFileUrl = (text: string): boolean =>
  /^(https?:\/\/[^\s/]\S*|data:([\w.+-]+\/[\w.+-]+)?(;[^,]*)?,.*)$/is.test(text);

/**
 * Finds the URLs of files in a result, each once, in the order of the result. Its shape is not
 * documented, so any text that is an http:, https: or data URL as a whole counts.
 *
 * @assumed A9
 */
export const findUrls = (result: unknown): string[] => {
  const found = new Set<string>();
  const look = (value: unknown): void => {
    if (value instanceof URL) look(value.href);
    if (typeof value === "string" && isFileUrl(value.trim())) found.add(value.trim());
    if (typeof value !== "object" || value === null) return;
    for (const [field, inner] of Object.entries(value)) if (!isPageLink(field)) look(inner);
  };
  look(result);
  return [...found];
};
