/**
 * The results of jobs: pictures, videos and texts, which depend only on the facts of a job. This
 * folder imports only the domain.
 */
import { creditOfAction } from "../../src/contract/actions.ts";
import { hashText } from "../domain/ids.ts";
import type { MadeFrom } from "../domain/job-timeline.ts";
import { recordedFilm } from "./recorded-film.ts";

/** Width and height of pictures, in pixels. @assumed A9 */
const size = { width: 1080, height: 1080 };

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Puts a text on one line, and removes characters that XML forbids. */
const lineOf = (text: string, maxLength: number): string =>
  text
    .replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF\s]+/gu, " ")
    .trim()
    .slice(0, maxLength)
    .replace(/\p{Cs}$/u, "");

/** Draws a picture as SVG: the prompt on a background whose colour depends on job and variation. */
const drawPicture = (
  { id, action, prompt, variations, brand }: MadeFrom,
  variation: number,
): string => {
  const escapeXml = (text: string) =>
    text.replace(/[&<>]/g, (character) => entities[character] ?? "");
  const words = lineOf(prompt, 30) || brand || "Something new";
  const footer = `${action} · ${variation} of ${variations}${brand ? ` · ${lineOf(brand, 30)}` : ""}`;
  const hue = (hashText(id) + variation * 67) % 360;
  return [
    `<svg xmlns='http://www.w3.org/2000/svg' width='${size.width}' height='${size.height}' viewBox='0 0 100 100' font-family='sans-serif' text-anchor='middle' fill='#fff'>`,
    `<rect width='100' height='100' fill='hsl(${hue},55%,35%)'/><circle cx='50' cy='30' r='14' fill='hsl(${hue},70%,65%)'/>`,
    `<text x='50' y='66' font-size='${Math.min(9, 150 / words.length)}' font-weight='700'>${escapeXml(words)}</text>`,
    `<text x='50' y='92' font-size='3.5'>${escapeXml(footer)}</text></svg>`,
  ].join("");
};

/** Writes an ad that quotes the prompt, so that a test can find its own words. */
const writeCopy = ({ prompt, brand }: MadeFrom, variation: number) => {
  const it = lineOf(prompt, 60) || "something new";
  const by = brand ? ` by ${lineOf(brand, 60)}` : "";
  return {
    headline: `${variation}. Meet “${it}”${by}`,
    primary_text: `“${it}”${by}: picked with care, ready when you are.`,
    description: "Free delivery and 30 days to change your mind.",
    call_to_action: "Shop now",
  };
};

/** A file that a result links to. */
export interface ResultFile {
  readonly type: "image/svg+xml" | "video/mp4";
  readonly content: string | Uint8Array<ArrayBuffer>;
}

/** Creates a file of a job by its name, such as "1.svg"; `undefined` if the job has no such file. */
export const makeFile = (job: MadeFrom, name: string): ResultFile | undefined => {
  const [, digits, ending] = /^([1-9]\d?)\.(svg|mp4)$/.exec(name) ?? [];
  const number = Number(digits);
  const kind = creditOfAction[job.action];
  if (!(number <= job.variations) || kind !== (ending === "svg" ? "image" : "video"))
    return undefined;
  if (kind === "image") return { type: "image/svg+xml", content: drawPicture(job, number) };
  const film = Uint8Array.from(atob(recordedFilm), (letter) => letter.charCodeAt(0));
  return { type: "video/mp4", content: film };
};

/**
 * Creates the result of a job, which depends only on the job's record.
 *
 * @assumed A9
 * @param folder - URL of the folder with all jobs' files. Without it, the result contains data URLs
 */
export const makeResult = (job: MadeFrom, folder?: string) => {
  const { id, action, variations, duration = 0 } = job;
  const urlOf = (name: string, inline: () => string): string =>
    folder === undefined ? inline() : `${folder}/${id}/${name}`;
  const pictureUrl = (variation: number): string =>
    urlOf(
      `${variation}.svg`,
      () => `data:image/svg+xml,${encodeURIComponent(drawPicture(job, variation))}`,
    );
  const filmUrl = (variation: number): string =>
    urlOf(`${variation}.mp4`, () => `data:video/mp4;base64,${recordedFilm}`);
  const oneEach = <Entry>(make: (variation: number) => Entry): Entry[] =>
    Array.from({ length: variations }, (_, place) => make(place + 1));
  switch (creditOfAction[action]) {
    case null:
      return { copy: oneEach((variation) => writeCopy(job, variation)) };
    case "image":
      return { images: oneEach((variation) => ({ url: pictureUrl(variation), ...size })) };
    case "video":
      return {
        videos: oneEach((variation) => ({ url: filmUrl(variation), duration })),
      };
  }
};
