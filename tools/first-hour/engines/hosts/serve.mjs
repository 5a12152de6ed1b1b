// Lets the test begin a run and look at it.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/**
 * @param {(body: string) => Promise<string>} begin - Begins a run, and gives its id
 * @param {(id: string) => Promise<object>} look - Gives the state of a run
 * @param {Record<string, (request: Request) => Promise<Response>>} routes - Routes of the engine
 */
export const serve = (begin, look, routes = {}) =>
  new Promise((resolve) => {
    const answer = async ({ url = "", method, headers }, body) => {
      const route = routes[url];
      if (route !== undefined) {
        return route(new Request(`http://localhost${url}`, { method, headers, body }));
      }
      return Response.json(
        method === "POST" ? { id: await begin(body) } : await look(url.slice(1)),
      );
    };
    const server = createServer(async (request, response) => {
      const body = await text(request);
      const given = await answer(request, body).catch((error) => {
        console.error(error);
        return new Response(String(error), { status: 500 });
      });
      response.writeHead(given.status, Object.fromEntries(given.headers));
      response.end(Buffer.from(await given.arrayBuffer()));
    });
    server.listen(Number(process.env.PORT), "127.0.0.1", () => resolve(server));
  });
