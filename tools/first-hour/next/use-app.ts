import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { card, newestJob, order, type Scene, signIn, type Visit, visit } from "./visit-app.ts";

/** Lets a person order ads, wait for them, and reload in the middle. */
const orderAndWait = async (scene: Scene, { page, context }: Visit): Promise<string> => {
  const { check, service, account } = scene;
  await check("a server action submits a job, once", async () => {
    await page.getByText("Your ads will be here.").waitFor();
    await order(page, "Lemonade on a summer evening", 2);
    await page.locator("[data-job]").waitFor();
    assert.equal(account.charges.length, 1);
  });
  const jobId = newestJob(scene);
  await check("the browser's client waits for it, and finds it again after a reload", async () => {
    await card(page, jobId).getByText("Being made").waitFor();
    const answer = await context.request.get(`/adgen/v1/jobs/${jobId}`);
    assert.equal(answer.status(), 200);
    await page.reload();
    await card(page, jobId).getByText("Being made").waitFor();
    assert.equal(await page.locator("[data-job]").count(), 1);
  });
  await check("the pictures appear without a reload", async () => {
    service.jobs.complete(jobId);
    const pictures = card(page, jobId).getByRole("img");
    await pictures.nth(1).waitFor();
    await page.waitForFunction(() =>
      [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0),
    );
    assert.equal(await pictures.count(), 2);
  });
  await check("server components show the pictures and the usage", async () => {
    const html = await (await context.request.get("/")).text();
    assert.equal(html.match(/<img /g)?.length, 2);
    assert.match(html.replaceAll("<!-- -->", ""), /2 of 12 pictures used today/);
  });
  return jobId;
};

/** Cuts the connection under a server action: the browser sends it again by itself. */
const repeatActions = async (scene: Scene, { page }: Visit): Promise<void> => {
  const { check, relay, service, account } = scene;
  const repeat = async (afterMs: number): Promise<void> => {
    service.faults.play({ kind: "latency", ms: 400 }, { operation: "jobs.submit", times: 1 });
    const [charges, actions] = [account.charges.length, relay.actions()];
    const cards = page.locator("[data-job]");
    const shown = await cards.count();
    // The connection has to be a used one.
    await page.evaluate(async () => (await fetch("/adgen/v1/jobs")).text());
    relay.cutNextAction(afterMs);
    await order(page, `Cut after ${afterMs} ms`, 1);
    await cards.nth(shown).waitFor();
    assert.equal(relay.actions() - actions, 2, "Chromium has sent the action twice");
    assert.equal(account.charges.length - charges, 1);
    assert.equal(await cards.count(), shown + 1);
  };
  const action = "a server action that Chromium sends again";
  await check(`${action} while the first is under way is charged once`, () => repeat(150));
  await check(`${action} later is charged once`, () => repeat(700));
};

/** Looks at the first person's job with the eyes of others. */
const lookFromOutside = async (scene: Scene, other: Visit, jobId: string): Promise<void> => {
  await scene.check("the other person sees nothing of it", async () => {
    await signIn(other.page, "Grace");
    await other.page.getByText("Your ads will be here.").waitFor();
    assert.equal((await other.page.content()).includes(jobId), false);
    const get = async (id: string) => {
      const answer = await other.context.request.get(`/adgen/v1/jobs/${id}`);
      return { status: answer.status(), text: await answer.text() };
    };
    const foreign = await get(jobId);
    assert.equal(foreign.status, 404);
    assert.deepEqual(foreign, await get("job_unknown"));
  });
  await scene.check("without a session, or with a forged one, nothing is answered", async () => {
    const stranger = await scene.browser.newContext({ baseURL: scene.relay.url });
    const path = `/adgen/v1/jobs/${jobId}`;
    const headers = { cookie: "session=person-1.forged" };
    const data = { action: "generate-ad", prompt: "Free ads" };
    for (const answer of [
      await stranger.request.get(path),
      await stranger.request.get(path, { headers }),
      await stranger.request.post("/adgen/v1/jobs", { data }),
    ]) {
      assert.equal(answer.status(), 401);
    }
    await stranger.close();
  });
};

const meetTheLimit = ({ check, account }: Scene, { page }: Visit): Promise<void> =>
  check("an order beyond the limit is refused in words, and not charged", async () => {
    const charges = account.charges.length;
    for (const used of [8, 12]) {
      await order(page, "Four more", 4);
      await page.getByText(`${used} of 12 pictures`).waitFor();
    }
    await order(page, "One too many", 4);
    await page
      .getByText(/more than your limit allows until .* UTC\. Nothing was ordered\./)
      .waitFor();
    assert.equal(account.charges.length - charges, 2);
    assert.equal(await page.getByLabel("Your ad").inputValue(), "One too many");
  });

const orderWithoutJavaScript = async (scene: Scene, waitingPath: string): Promise<void> => {
  const { check, service, account } = scene;
  const { page, context } = await visit(scene, { javaScriptEnabled: false });
  await check("the form orders without JavaScript, too", async () => {
    const charges = account.charges.length;
    await signIn(page, "Grace");
    await order(page, "Without a script", 1);
    await card(page, newestJob(scene)).waitFor();
    assert.equal(account.charges.length - charges, 1);
  });
  await check("a wait in a server component sees how its job gets on", async () => {
    const jobId = newestJob(scene);
    const shown = context.request.get(`/${waitingPath}?job=${jobId}`);
    // A job that is finished at the first poll would show nothing.
    const countPolls = () => service.journal.find({ operation: "jobs.get" }).length;
    const before = countPolls();
    for (let tries = 0; tries < 200 && countPolls() === before; tries++) await pause(50);
    service.jobs.complete(jobId);
    assert.match(await (await shown).text(), /seen: completed/);
  });
  await context.close();
};

const leave = ({ check, account }: Scene, visits: readonly Visit[]): Promise<void> =>
  check("the browsers got the key in no answer, and no page had an error", async () => {
    for (const { traffic, context } of visits) {
      const texts = await traffic.texts();
      assert(texts.length > 5);
      assert(!texts.some((text) => text.includes(account.key)));
      const usual = /ERR_CONNECTION_RESET|status of 404/;
      for (const error of traffic.errors) assert.match(error, usual);
      await context.close();
    }
  });

const enter = async (scene: Scene): Promise<Visit> => {
  const ada = await visit(scene);
  await scene.check("signs in", () => signIn(ada.page, "Ada"));
  return ada;
};

/** Uses the built app as two people do. */
export const useApp = async (scene: Scene, waitingPath: string): Promise<void> => {
  const ada = await enter(scene);
  const jobId = await orderAndWait(scene, ada);
  const grace = await visit(scene);
  await lookFromOutside(scene, grace, jobId);
  await repeatActions(scene, ada);
  await meetTheLimit(scene, ada);
  await orderWithoutJavaScript(scene, waitingPath);
  await leave(scene, [ada, grace]);
};

/** Uses the app in development, for as long as it takes to load all of its parts. */
export const tryApp = async (scene: Scene): Promise<void> => {
  const ada = await enter(scene);
  await orderAndWait(scene, ada);
  await leave(scene, [ada]);
};
