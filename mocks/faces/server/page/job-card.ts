import { html } from "hono/html";
import { isFinished } from "../../../../src/contract/jobs.ts";
import type { MockJobDetail } from "../../../domain/inspect-job.ts";
import { picturePath } from "../../../http/picture-url.ts";
import { command } from "./forms.ts";
import { type Html, inBrief, plural, textBox, timeOfDay, userText } from "./markup.ts";
import type { Place } from "./place.ts";

const mostPieces = 10;

/** Characters of a text that a card cuts by its style. */
const longestText = 1_000;

const drawnInline = /^data:(?:image\/(?:svg\+xml|png)|video\/mp4)[;,]/;

const isDrawnHere = (url: string): boolean =>
  drawnInline.test(url) ||
  (URL.canParse(url) ? new URL(url).pathname : url).startsWith(`${picturePath}/`);

/** Reads the fields of a value that clients or tests chose freely. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => ({
  ...Object(value),
});

const textOf = (value: unknown): string =>
  (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).slice(0, longestText);

/** Shows a picture or a video that this server draws. The page fetches nothing from other servers. */
const pictureOf = ({ job }: MockJobDetail, piece: unknown, index: number, isWhole: boolean) => {
  const url = textOf(fieldsOf(piece)["url"]);
  if (!isDrawnHere(url)) return html`<span class="quiet" dir="auto">${url}</span>`;
  const place = `${picturePath}/${encodeURIComponent(job.job_id)}/${index + 1}`;
  // The time tells the jobs before and after a reset apart.
  const still = `${place}.svg?at=${encodeURIComponent(job.created_at)}`;
  const name = `${index + 1} of ${job.job_id}`;
  return /^data:video\/|\.mp4$/.test(url)
    ? html`<video src="${place}.mp4" poster="${still}" preload="none" ${isWhole && "controls"} aria-label="Video ${name}"></video>`
    : html`<img src="${still}" alt="Picture ${name}" loading="lazy">`;
};

const copyOf = (piece: unknown): Html => {
  const { headline, primary_text, description, call_to_action } = fieldsOf(piece);
  return html`
    <strong>${textOf(headline)}</strong>
    <p>${textOf(primary_text)}</p>
    <p class="quiet">${textOf(description)}</p>
    ${call_to_action !== undefined && html`<span class="status">${textOf(call_to_action)}</span>`}`;
};

/** Shows what a job has made; a card cuts it to a square. */
export const madeBy = (detail: MockJobDetail, isWhole = false): Html => {
  const { images, videos, copy } = fieldsOf(detail.job.result);
  const items = (list: readonly unknown[], show: (piece: unknown, index: number) => Html) =>
    list
      .slice(0, mostPieces)
      .map((piece, index) => html`<li dir="auto">${show(piece, index)}</li>`);
  if (Array.isArray(copy)) return html`<ul class="made copy">${items(copy, copyOf)}</ul>`;
  const pictures = [images, videos].find(Array.isArray);
  return pictures === undefined
    ? html`<div class="made">${textBox("Result", detail.job.result)}</div>`
    : html`<ul class="made pictures">${items(pictures, (piece, index) => pictureOf(detail, piece, index, isWhole))}</ul>`;
};

/** Buttons that end an unfinished job. */
export const endButtons = ({ job: { job_id: id, status } }: MockJobDetail): Html | false => {
  const end = { of: id, id, look: "" };
  return (
    !isFinished(status) &&
    html`<div class="line ends">
      ${command("Complete", "jobs.complete", end)} ${command("Fail", "jobs.fail", end)}
      ${command("Expire", "jobs.expire", end)}
    </div>`
  );
};

/** Says what a job cost, and what was sent beside its action and its prompt. */
export const factsOf = ({ cost, brand, request }: MockJobDetail): string => {
  const { action: _, prompt: __, brand_id: ___, ...others } = request;
  const price = cost && plural(cost.amount, `${cost.credit} credit`);
  const paid = `${price ?? "free"}${cost?.refunded ? ", paid back" : ""}`;
  return [paid, inBrief(others), brand ?? ""].filter((text) => text !== "").join(" · ");
};

/** Shows a job in brief; its name and its picture lead to all about it. */
export const card = (detail: MockJobDetail, { linkTo }: Place): Html => {
  const { job, account, request } = detail;
  const { job_id: id, status, action, error } = job;
  const { prompt = html`<span class="quiet">no prompt</span>` } = request;
  const href = linkTo("jobs", { job: id });
  return html`
  <li id="job-${id}" class="card ${status}" tabindex="-1">
    <div class="bar"><a href="${href}" aria-label="${action} ${id}"><strong>${action}</strong></a> ${timeOfDay(job.created_at)}</div>
    ${job.result !== undefined && html`<a href="${href}" tabindex="-1">${madeBy(detail)}</a>`}
    ${error !== undefined && html`<p class="reason bad" dir="auto">${textOf(error)}</p>`}
    <p class="prompt" dir="auto">${typeof prompt === "string" ? textOf(prompt) : prompt}</p>
    <p class="quiet sent" dir="auto">${factsOf(detail)}</p>
    <p class="quiet bar"><code>${id}</code> ${userText(account)}</p>
    ${endButtons(detail)}
  </li>`;
};
