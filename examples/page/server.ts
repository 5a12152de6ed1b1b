// A page that orders an ad, and its server: the key stays here, and each user sees only their own.
//
//   npm install adgen-sdk hono @hono/node-server react react-dom vite
//   npx vite build && node server.ts       ADGEN_BASE_URL and ADGEN_API_KEY name the service
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { createProxy } from "adgen-sdk/proxy";
import { createMemoryStore, type RecordStore } from "adgen-sdk/submissions";
import { Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";

/** Serves the page's files in `root`. A memory store serves one process; several share Redis. */
export const createApp = (root: string, store: RecordStore = createMemoryStore()): Hono => {
  const users = new Map<string, string>(); // yours: the sessions of your users
  const app = new Hono();
  app.post("/sign-in/:user", (context) => {
    const session = crypto.randomUUID();
    users.set(session, context.req.param("user"));
    setCookie(context, "session", session, { httpOnly: true, sameSite: "Lax", path: "/" });
    return context.body(null, 204);
  });
  const proxy = createProxy({
    authorize: ({ headers }) => {
      const [, session = ""] = /(?:^|; )session=([^;]+)/.exec(headers.get("cookie") ?? "") ?? [];
      return users.get(session);
    },
    store,
    limits: { day: { imageCredits: 5 } }, // of each user
  });
  app.all("/adgen/*", ({ req }) => proxy(req.raw));
  app.get("/me", (context) => {
    const user = users.get(getCookie(context, "session") ?? "");
    return user === undefined ? context.json(null) : context.json(user);
  });
  app.use(serveStatic({ root }));
  return app;
};

if (process.argv[1] === import.meta.filename) {
  serve({ fetch: createApp("dist").fetch, port: 3000 }, ({ port }) =>
    console.log(`http://localhost:${port}`),
  );
}
