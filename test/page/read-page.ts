import { Hono } from "hono";
import { mountPage } from "../../mocks/faces/server/page/page.ts";
import { createMockService, type MockService, type MockServiceOptions } from "../../mocks/index.ts";

const unescapeHtml = (text: string): string =>
  text
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");

/** The page of a service, without a browser. */
export interface ReadPage {
  readonly service: MockService;
  /** Gives the words of a section at an address, without those of its forms. */
  readonly read: (section: string, query?: string) => Promise<string>;
}

/** Makes a service, and reads its page as the server writes it. */
export const readPage = async (
  options: MockServiceOptions = {},
  prepare: (service: MockService) => unknown = () => {},
): Promise<ReadPage> => {
  const service = createMockService({ artwork: "served", ...options });
  await prepare(service);
  const app = new Hono();
  mountPage(app, service, () => []);
  return {
    service,
    read: async (section, query = "") => {
      const html = await (await app.request(`http://127.0.0.1/__mock/${query}`)).text();
      const parts = html.split(/(?=<section id=)/);
      const part = parts.find((one) => one.startsWith(`<section id="${section}"`)) ?? "";
      const words = part.replace(/<form.*?<\/form>/gs, "").replace(/<[^>]*>/g, " ");
      return unescapeHtml(words).replace(/\s+/g, " ").trim();
    },
  };
};
