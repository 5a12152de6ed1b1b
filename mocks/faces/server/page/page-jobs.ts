// This file's function is sent to the browser as text: nothing in it may come from outside.
import type { Content, Dom, Spec } from "./page-dom.ts";
import type { Link, Seen } from "./page-link.ts";

type Job = Seen["jobs"]["items"][number];
type Made = NonNullable<Job["made"]>;

/** Jobs as cards that move through their states. */
export const createJobsView = ({ element, fill, show, byId, timeOfDay }: Dom, link: Link) => {
  const motion = matchMedia("(prefers-reduced-motion: reduce)");

  const picture = (
    job: Job,
    { src, elsewhere, seconds }: { [key: string]: unknown },
    index: number,
  ) => {
    const name = `${seconds === undefined ? "Picture" : "Video"} ${index + 1} of ${job.job_id}`;
    if (typeof src !== "string") return element("span", { class: "elsewhere" }, String(elsewhere));
    // A picture moves by itself: no style sheet of this page could stop it.
    const still = motion.matches ? "&still" : "";
    const url = `${src}?at=${encodeURIComponent(job.created_at)}${still}`;
    return element(
      "a",
      { href: url, target: "_blank", rel: "noopener" },
      element("img", { src: url, alt: name, loading: "lazy" }),
      seconds !== undefined && element("span", { class: "length" }, `${Number(seconds)} s`),
    );
  };

  const text = (entry: unknown): Spec => {
    const { headline, primary_text, description, call_to_action } = (entry ?? {}) as Record<
      string,
      unknown
    >;
    return element(
      "li",
      {},
      element("strong", {}, String(headline ?? "")),
      element("p", {}, String(primary_text ?? "")),
      element("p", { class: "quiet" }, String(description ?? "")),
      call_to_action !== undefined && element("span", { class: "call" }, String(call_to_action)),
    );
  };

  const artwork = (job: Job, { images, videos, copy, other }: Made): Content => {
    const pictures = images ?? videos;
    if (pictures) {
      const shape = `${videos ? "videos" : "images"} of-${Math.min(pictures.length, 5)}`;
      return element(
        "div",
        { class: `artwork ${shape}` },
        pictures.map((one, index) => picture(job, { ...one }, index)),
      );
    }
    if (copy)
      return element("ul", { class: "copy", tabindex: 0, "aria-label": "Texts" }, copy.map(text));
    return element("pre", { tabindex: 0 }, other);
  };

  const end = (job: Job, label: string, path: string, done: string): Spec =>
    element(
      "button",
      {
        type: "button",
        "aria-label": `${label} ${job.job_id}`,
        onclick: () =>
          link.order(done, "POST", `/__mock/jobs/${encodeURIComponent(job.job_id)}/${path}`, {}),
      },
      label,
    );

  const card = (job: Job): Spec => {
    const isOpen = job.status === "queued" || job.status === "processing";
    return element(
      "li",
      { key: job.job_id, id: `job-${job.job_id}`, class: `card ${job.status}`, tabindex: -1 },
      element(
        "div",
        { class: "head" },
        element("strong", {}, job.action),
        timeOfDay(job.created_at),
      ),
      job.made && artwork(job, job.made),
      job.error !== undefined && element("p", { class: "reason" }, job.error),
      element(
        "p",
        { class: "quiet foot" },
        element("code", {}, job.job_id),
        element("span", {}, job.account),
      ),
      isOpen &&
        element(
          "div",
          { class: "buttons" },
          end(job, "Complete", "complete", `${job.job_id} has completed`),
          end(job, "Fail", "fail", `${job.job_id} has failed`),
          end(job, "Expire", "expire", `${job.job_id} has expired`),
        ),
    );
  };

  const lane = (id: string, jobs: readonly Job[]): void => {
    fill(id, jobs.map(card));
    fill(`${id}-count`, String(jobs.length));
  };

  link.onSubmit("new-job", ({ account = "", action, prompt, variations, duration }) =>
    link.order(
      "The job is submitted",
      "POST",
      "/v1/jobs",
      {
        action,
        prompt,
        ...(variations && { variations: Number(variations) }),
        ...(duration && { duration: Number(duration) }),
      },
      { authorization: `Bearer ${account}` },
    ),
  );
  const action = byId<HTMLSelectElement>("new-job-action");
  const adapt = (): void => {
    const isVideo = action.value.startsWith("video");
    show("new-job-duration", isVideo);
  };
  action.onchange = adapt;
  adapt();
  for (const place of document.querySelectorAll(".origin")) place.textContent = location.origin;

  let isFirst = true;

  return ({ jobs, accounts }: Seen): void => {
    const isEmpty = jobs.total === 0;
    // Where there is nothing to look at, there is something to do; later it is the user's.
    if (isFirst) byId<HTMLDetailsElement>("compose").open = isEmpty;
    isFirst = false;
    show("no-jobs", isEmpty);
    show("lanes", !isEmpty);
    const key = accounts.items[0]?.key;
    if (key !== undefined) {
      for (const place of document.querySelectorAll(".first-key")) {
        if (place.textContent !== key) place.textContent = key;
      }
    }
    const hidden = jobs.total - jobs.items.length;
    fill("jobs-count", String(jobs.total));
    fill(
      "jobs-more",
      hidden > 0 && `The newest ${jobs.items.length}; ${hidden} older ones are not shown.`,
    );
    lane(
      "queued",
      jobs.items.filter(({ status }) => status === "queued"),
    );
    lane(
      "processing",
      jobs.items.filter(({ status }) => status === "processing"),
    );
    lane(
      "finished",
      jobs.items.filter(({ status }) => status === "completed" || status === "failed"),
    );
  };
};
