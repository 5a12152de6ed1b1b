import { describe, expect, it } from "vitest";
import { failure, success } from "../helpers/answers.ts";
import { clientOf, rejection, timed } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

const found = success({ status: "queued" });

// Their waits last whole seconds, so they wait at the same time.
describe.concurrent("a wait that the service asks for", () => {
  it.each([429, 500, 503])("in seconds is not shortened after %i", async (status) => {
    const server = await listen(failure(status, "wait", { "retry-after": "1" }), found);

    const { ms } = await timed(() => clientOf(server).jobs.get("j"));

    expect(server.received).toHaveLength(2);
    expect(ms).toBeGreaterThanOrEqual(1_000);
    expect(ms).toBeLessThan(20_000);
  });

  it("as a date is not shortened", async () => {
    // The service's clock runs an hour ahead of ours: its own Date says what it means.
    const now = Date.now() + 3_600_000;
    const date = new Date(now).toUTCString();
    const until = new Date(now + 1_000).toUTCString();
    const server = await listen(failure(503, "wait", { date, "retry-after": until }), found);

    const { ms } = await timed(() => clientOf(server).jobs.get("j"));

    expect(server.received).toHaveLength(2);
    expect(ms).toBeGreaterThanOrEqual(1_000);
    expect(ms).toBeLessThan(20_000);
  });

  /** The three forms of a date in HTTP. */
  const forms: [string, (date: Date) => string][] = [
    ["as in emails", (date) => date.toUTCString()],
    [
      "with a year of two digits",
      (date) => {
        const [, day, month, year, time] = date.toUTCString().split(" ");
        return `Sunday, ${day}-${month}-${year?.slice(2)} ${time} GMT`;
      },
    ],
    [
      "of C's asctime",
      (date) => {
        const [, day = "", month, year, time] = date.toUTCString().split(" ");
        return `Sun ${month} ${day.replace(/^0/, " ")} ${time} ${year}`;
      },
    ],
  ];

  it.each(forms)("as a date %s is kept to", async (_, format) => {
    const now = Math.floor(Date.now() / 1000) * 1000;
    const date = new Date(now).toUTCString();
    const until = format(new Date(now + 1_000));
    const server = await listen(failure(503, "wait", { date, "retry-after": until }), found);
    const waits: number[] = [];
    const client = clientOf(server, { hooks: { onRetry: ({ waitMs }) => waits.push(waitMs) } });

    const { ms } = await timed(() => client.jobs.get("j"));

    expect(waits).toEqual([1_000]);
    expect(ms).toBeGreaterThanOrEqual(1_000);
  });

  it("as a date in the past is over after the shortest wait", async () => {
    const date = new Date().toUTCString();
    const until = "Sun, 06 Nov 1994 08:49:37 GMT";
    const server = await listen(failure(503, "wait", { date, "retry-after": until }), found);
    const waits: number[] = [];
    const client = clientOf(server, { hooks: { onRetry: ({ waitMs }) => waits.push(waitMs) } });

    await client.jobs.get("j");

    expect(waits).toEqual([50]);
  });

  const tooLong: [string, string, number][] = [
    ["an hour", "3600", 3_600_000],
    ["a minute, with the default time of twice 30 seconds", "60", 60_000],
    ["a fraction of a second too much", "59.9", 59_900],
    ["centuries", "9999999999", 9_999_999_999_000],
    ["more than a number can say", "9".repeat(400), 2 ** 53],
  ];

  it.each(tooLong)("of %s is not slept out", async (_, retryAfter, retryAfterMs) => {
    const server = await listen(failure(503, "wait", { "retry-after": retryAfter }), found);

    const { value: error, ms } = await timed(() => rejection(clientOf(server).jobs.get("j")));

    expect(server.received).toHaveLength(1);
    expect(error).toMatchObject({ code: "server_error", status: 503, retryAfterMs, attempts: 1 });
    expect(ms).toBeLessThan(20_000);
  });

  it("until a date far away is not slept out", async () => {
    const date = "Sat, 21 Nov 2026 12:00:00 GMT";
    const until = "Fri, 31 Dec 9999 23:59:59 GMT";
    const server = await listen(failure(429, "wait", { date, "retry-after": until }), found);

    const { value: error, ms } = await timed(() => rejection(clientOf(server).brands.list()));

    expect(server.received).toHaveLength(1);
    expect(error.code).toBe("rate_limited");
    expect(error.retryAfterMs).toBe(Date.parse(until) - Date.parse(date));
    expect(ms).toBeLessThan(20_000);
  });

  it("is in the error of any answer, but only some statuses wait for it", async () => {
    const server = await listen(failure(404, "no", { "retry-after": "0" }), found);

    const error = await rejection(clientOf(server).jobs.get("j"));

    expect(server.received).toHaveLength(1);
    expect(error).toMatchObject({ code: "not_found", retryAfterMs: 0 });
  });

  it.each(["soon", "-1", "5, 10", "", " ", "NaN", "0x10", "1e3"])(
    "that makes no sense (%j) is none",
    async (retryAfter) => {
      const server = await listen(failure(503, "wait", { "retry-after": retryAfter }));

      const error = await rejection(clientOf(server).jobs.get("j", { maxRetries: 0 }));

      expect(error.retryAfterMs).toBeUndefined();
    },
  );
});
