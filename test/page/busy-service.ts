import type { MockService } from "../../mocks/index.ts";
import { call, submit, timedJobs } from "./open-page.ts";

/** Makes 61 jobs of three accounts, of which a few have ended. */
const fill = async (service: MockService): Promise<void> => {
  const brand = await call(service, "POST", "/v1/brands", { name: "Zebra" }, "test-b");
  for (let count = 0; count < 60; count += 1) {
    const action = count % 2 ? "generate-ad" : "generate-ad-copy";
    const key = ["test-a", "test-b", "test-c"][count % 3] ?? "";
    const id = await submit(service, { action, prompt: `Coat ${count}` }, key);
    if (count === 3) service.jobs.fail(id, "Refused by moderation");
    if (count < 3) service.jobs.complete(id);
    service.clock.advance(1);
  }
  const special = {
    action: "image-a-2",
    prompt: "A lighthouse at night",
    variations: 3,
    brand_id: brand.id,
    images: ["https://a.example/1.png", "https://a.example/2.png"],
  };
  await submit(service, special, "test-b");
};

/** Options of a busy service, and what fills it. */
export const busy = () => ({
  service: { ...timedJobs(), accounts: { "test-a": {}, "test-b": {}, "test-c": {} } },
  prepare: fill,
});
