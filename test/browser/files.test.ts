import { openFile, saveFiles, toDataUrl } from "adgen-sdk/files";
import { expect, test } from "vitest";

test("toDataUrl and openFile work in a browser, where saveFiles is refused", async () => {
  const url = await toDataUrl(new File(["<svg/>"], "a.svg", { type: "image/svg+xml" }));
  const { body, type, extension } = await openFile(url);
  expect([type, extension, await new Response(body).text()]).toEqual([
    ...["image/svg+xml", ".svg", "<svg/>"],
  ]);
  const job = { job_id: "job_1", status: "completed", result: { images: [{ url }] } } as const;
  await expect(saveFiles(job, "ads")).rejects.toMatchObject({ code: "config" });
});

test("the error of a failed file contains no query of its URL", async () => {
  const error: unknown = await openFile("http://127.0.0.1:1/1.png?X-Signature=s3cret").catch(
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: "connection", cause: { message: "Failed to fetch" } });
  const { stack, cause } = error as Error;
  const texts = [
    String(error),
    stack,
    JSON.stringify(error),
    String(cause),
    (cause as Error).stack,
  ];
  expect(texts.join()).not.toContain("s3cret");
});
