import { html } from "hono/html";
import type { Html } from "../markup.ts";
import type { Made, Picture } from "./made.ts";
import type { JobOverview } from "./show-job.ts";

/** Pictures of one job that a card has room for. */
const mostOfCard = 4;

const nameOf = (job: JobOverview, { seconds }: Picture, index: number): string =>
  `${seconds === undefined ? "Picture" : "Video"} ${index + 1} of ${job.job_id}`;

/** Address of a picture that stands still. The time tells the jobs before and after a reset apart. */
const stillOf = (job: JobOverview, src: string): string =>
  `${src}?at=${encodeURIComponent(job.created_at)}&still`;

/** Shows a picture, which never moves. */
const picture = (job: JobOverview, piece: Picture, index: number): Html => {
  const { src, elsewhere, seconds } = piece;
  if (src === undefined) return html`<span class="elsewhere" dir="auto">${elsewhere}</span>`;
  return html`<span class="piece"><img src="${stillOf(job, src)}" alt="${nameOf(job, piece, index)}" loading="lazy">${
    seconds !== undefined && html`<span class="length">▶ ${seconds} s</span>`
  }</span>`;
};

const copyText = ({
  headline,
  primary_text,
  description,
  call_to_action: call,
}: Readonly<Record<string, string>>): Html => html`
  <li dir="auto">
    <strong>${headline}</strong>
    <p>${primary_text}</p>
    <p class="quiet">${description}</p>
    ${call !== undefined && html`<span class="status">${call}</span>`}
  </li>`;

/** Shows what a job made, cut to the square of its card. */
export const madeOnCard = (job: JobOverview, made: Made): Html => {
  const { images, videos, copy, other } = made;
  const pictures = images ?? videos;
  if (pictures !== undefined) {
    const shown = pictures.slice(0, mostOfCard);
    const rest = pictures.length - shown.length;
    return html`<div class="made pictures ${videos === undefined ? "" : "videos"}">
      ${shown.map((piece, index) => picture(job, piece, index))}
      ${rest > 0 && html`<span class="more">+${rest}</span>`}
    </div>`;
  }
  return copy === undefined
    ? html`<pre class="made" dir="auto">${other}</pre>`
    : html`<ul class="made copy">${copy.slice(0, 3).map(copyText)}</ul>`;
};

/** Shows one picture or video in full. A video is fetched when it is played. */
const wholePiece = (job: JobOverview, piece: Picture, index: number): Html => {
  const { src, video, elsewhere, seconds } = piece;
  if (src === undefined) return html`<li class="elsewhere" dir="auto">${elsewhere}</li>`;
  const still = stillOf(job, src);
  const name = nameOf(job, piece, index);
  return video === undefined
    ? html`<li><a href="${still}" target="_blank" rel="noopener">${picture(job, piece, index)}</a></li>`
    : html`<li><video src="${video}" poster="${still}" controls preload="none" aria-label="${name}, ${seconds} s"></video></li>`;
};

/** Shows everything that a job made. */
export const madeInFull = (job: JobOverview, { images, videos, copy, other }: Made): Html => {
  const pictures = images ?? videos;
  if (pictures !== undefined) {
    return html`<ul class="gallery">${pictures.map((piece, index) => wholePiece(job, piece, index))}</ul>`;
  }
  return copy === undefined
    ? html`<pre dir="auto" tabindex="0" role="region" aria-label="Result">${other}</pre>`
    : html`<ul class="copy">${copy.map(copyText)}</ul>`;
};

/** Shows the first picture of a job, small. */
export const madeInRow = (job: JobOverview, { images, videos }: Made): Html | false => {
  const piece = (images ?? videos)?.[0];
  return (
    piece?.src !== undefined &&
    html`<div class="thumb">${picture(job, { src: piece.src }, 0)}</div>`
  );
};
