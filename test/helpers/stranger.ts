/** End of the message of an answer that is not the service's; `url` is where it came from. */
export const checkBaseUrl = (url: string): string => ` (check baseUrl: ${new URL(url).host})`;
