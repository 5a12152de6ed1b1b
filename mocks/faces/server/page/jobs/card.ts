import { html } from "hono/html";
import { isFinished } from "../../../../../src/contract/jobs.ts";
import type { Place } from "../choice.ts";
import { type Html, plural, textBox, timeOfDay, userText } from "../markup.ts";
import type { JobOverview } from "./job-look.ts";
import type { Made, Picture } from "./made.ts";

/** Pictures of one job, and texts, that a card has room for. */
const mostOfCard = { pictures: 4, texts: 3 };

/** Address of a picture. The time tells the jobs before and after a reset apart. */
const stillOf = (job: JobOverview, src: string): string =>
  `${src}?at=${encodeURIComponent(job.created_at)}`;

/** Makes the function that shows a picture of a job, which never moves. */
const pictureOf =
  (job: JobOverview) =>
  ({ src, elsewhere, seconds }: Picture, index: number): Html => {
    if (src === undefined) return html`<span class="quiet" dir="auto">${elsewhere}</span>`;
    const name = `${seconds === undefined ? "Picture" : "Video"} ${index + 1} of ${job.job_id}`;
    const length = seconds !== undefined && html`<span class="badge">▶ ${seconds} s</span>`;
    return html`<span class="piece"><img src="${stillOf(job, src)}" alt="${name}" loading="lazy">${length}</span>`;
  };

const copyText = (texts: Readonly<Record<string, string>>): Html => {
  const { headline, primary_text: text, description, call_to_action: call } = texts;
  return html`<li dir="auto">
    <strong>${headline}</strong>
    <p>${text}</p>
    <p class="quiet">${description}</p>
    ${call !== undefined && html`<span class="status">${call}</span>`}
  </li>`;
};

/** Shows what a job made, cut to the square of its card. */
const madeOnCard = (job: JobOverview, { images, videos, copy, other }: Made): Html => {
  if (copy)
    return html`<ul class="made copy">${copy.slice(0, mostOfCard.texts).map(copyText)}</ul>`;
  const pictures = images ?? videos;
  if (!pictures) return html`<pre class="made" dir="auto">${other}</pre>`;
  const rest = pictures.length - mostOfCard.pictures;
  return html`<div class="made pictures ${videos && "videos"}">
    ${pictures.slice(0, mostOfCard.pictures).map(pictureOf(job))}
    ${rest > 0 && html`<span class="badge">+${rest}</span>`}
  </div>`;
};

/** Shows everything that a job made. A video is fetched when it is played. */
export const madeInFull = (job: JobOverview, { images, videos, copy, other }: Made): Html => {
  if (copy) return html`<ul class="copy">${copy.map(copyText)}</ul>`;
  const pictures = images ?? videos;
  if (!pictures) return textBox("Result", other);
  const picture = pictureOf(job);
  return html`<ul class="cards gallery">${pictures.map((piece, index) => {
    const { src, video, seconds } = piece;
    if (src === undefined) return html`<li>${picture(piece, index)}</li>`;
    const still = stillOf(job, src);
    return video === undefined
      ? html`<li><a href="${still}" target="_blank" rel="noopener">${picture(piece, index)}</a></li>`
      : html`<li><video src="${video}" poster="${still}" controls preload="none" aria-label="Video ${index + 1} of ${job.job_id}, ${seconds} s"></video></li>`;
  })}</ul>`;
};

/** Makes the buttons that end an unfinished job. */
export const endButtons = ({ job_id: id, status }: JobOverview): Html | false => {
  const button = (label: string, method: string, done: string): Html => html`
    <form action="/__mock/jobs.${method}" data-done="${id} ${done}">
      <button name="id" value="${id}" aria-label="${label} ${id}">${label}</button></form>`;
  return (
    !isFinished(status) &&
    html`<div class="line ends">
      ${button("Complete", "complete", "has completed")}
      ${button("Fail", "fail", "has failed")}
      ${button("Expire", "expire", "has expired")}
    </div>`
  );
};

/** Says what a job cost. */
export const costOf = ({ cost }: Pick<JobOverview, "cost">): string =>
  cost === undefined
    ? "free"
    : `${plural(cost.amount, `${cost.credit} credit`)}${cost.refunded ? ", paid back" : ""}`;

const head = ({ job_id: id, action, created_at: at }: JobOverview, { linkTo }: Place): Html =>
  html`<a href="${linkTo({ job: id })}#jobs" aria-label="${action} ${id}"><strong>${action}</strong></a> ${timeOfDay(at)}`;

const promptOf = ({ prompt }: JobOverview): Html =>
  html`<p class="prompt" dir="auto">${prompt ?? html`<span class="quiet">no prompt</span>`}</p>`;

/** Shows what was sent beside the prompt, what that cost, and who paid. */
const facts = ({ parameters, brand, ...job }: JobOverview): Html => {
  const sent = brand === undefined ? parameters : [...parameters, brand];
  return html`
    <p class="quiet sent">${costOf(job)}${sent.map((text) => html` · ${userText(text)}`)}</p>
    <p class="quiet bar foot"><code>${job.job_id}</code> ${userText(job.account)}</p>`;
};

/** Shows a job in brief; its name and its picture lead to all about it. */
export const card = (job: JobOverview, place: Place): Html => {
  const { job_id: id, status, error, made } = job;
  return html`
  <li id="job-${id}" class="card ${status}" tabindex="-1">
    <div class="bar">${head(job, place)}</div>
    ${made && html`<a class="look" href="${place.linkTo({ job: id })}#jobs" tabindex="-1">${madeOnCard(job, made)}</a>`}
    ${error !== undefined && html`<div class="reason bad made"><strong>Failed</strong><p dir="auto">${error}</p></div>`}
    ${promptOf(job)} ${facts(job)} ${endButtons(job)}
  </li>`;
};

/** Shows a job as a row of a list. */
export const row = (job: JobOverview, place: Place): Html => {
  const { job_id: id, error, made } = job;
  const [picture] = made?.images ?? made?.videos ?? [];
  return html`
  <li id="job-${id}" class="row" tabindex="-1">
    ${picture?.src !== undefined && pictureOf(job)({ src: picture.src }, 0)}
    <div>${head(job, place)} ${promptOf(job)} ${error !== undefined && html`<p class="error bad" dir="auto">${error}</p>`}</div>
    <div>${facts(job)} ${endButtons(job)}</div>
  </li>`;
};
