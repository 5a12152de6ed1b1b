import { oneLine } from "../../client/errors/text.ts";
import type { Job } from "../../contract/jobs.ts";
import type { OpenDoubt, OpenDoubts } from "./open-doubts.ts";

/** Maximum number of candidates that are shown for one submission. */
const maxCandidates = 10;

/** Quotes a word for a shell if the word needs quotes. */
const quoteForShell = (word: string): string =>
  /^[\w./:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

const timeOf = (time: string | number): string =>
  new Date(time)
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, " UTC");

const describeCandidate = ({ job_id, ...facts }: Job): string =>
  `    ${oneLine(job_id, 100)}  ${oneLine(JSON.stringify(facts), 300)}`;

const describeCandidates = (candidates: readonly Job[] | undefined): string[] => {
  if (candidates === undefined) return ["  candidates: unknown, because the service was not asked"];
  if (candidates.length === 0) return ["  candidates: none in the service's list of recent jobs"];
  const left = candidates.length - maxCandidates;
  return [
    "  candidates, the likeliest first; compare prompt and picture:",
    ...candidates.slice(0, maxCandidates).map(describeCandidate),
    ...(left > 0 ? [`    and ${left} more`] : []),
  ];
};

const describeDoubt = (path: string, { name, owner, doubt }: OpenDoubt): string => {
  const { submittedAt, why, request, mayStillArrive, settlesAt, candidates } = doubt;
  const command = `adgen-submissions ${quoteForShell(path)}`;
  const id = quoteForShell(oneLine(name, 2_000));
  const decisions = [
    `    ${command} --adopt ${id} ${quoteForShell(candidates?.[0]?.job_id ?? "JOB")}`,
    `    ${command} --drop ${id}`,
    mayStillArrive
      ? `    (--resubmit from ${timeOf(settlesAt)} on: until then, the service may still carry it out)`
      : `    ${command} --resubmit ${id}`,
  ];
  return [
    oneLine(name, 200),
    ...(owner === undefined ? [] : [`  ordered by the user ${oneLine(owner, 200)}, in a page`]),
    `  submitted ${timeOf(submittedAt)}, without an answer (${oneLine(why, 100)})`,
    `  request ${oneLine(JSON.stringify(request), 500)}`,
    ...describeCandidates(candidates),
    "  when you know whether it made a job, decide by one of these commands (see --help):",
    ...decisions,
  ].join("\n");
};

const formatCount = (number: number, one: string, many: string): string =>
  `${number} ${number === 1 ? one : many}`;

/** Describes the open submissions for the person who has to decide about them. */
export const describeDoubts = (
  path: string,
  { doubts, underWay, unreadable }: OpenDoubts,
): string =>
  [
    `${formatCount(doubts.length, "submission is", "submissions are")} in doubt, ` +
      `${formatCount(underWay, "is", "are")} under way.`,
    ...doubts.map((one) => describeDoubt(path, one)),
    ...unreadable.map(
      (id) =>
        `${oneLine(id, 200)}\n  its record cannot be read: look for its job in jobs.list() before you submit again`,
    ),
  ].join("\n\n");
