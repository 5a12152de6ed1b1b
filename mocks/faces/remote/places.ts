/**
 * Method and path of each route of the admin, by the route's name. A name after a colon is a part of
 * the path. The server's router and `connectMock` read this table.
 */
export const places = {
  listAccounts: "GET /__mock/accounts",
  openAccount: "POST /__mock/accounts",
  showAccount: "GET /__mock/accounts/:key",
  grantCredits: "POST /__mock/accounts/:key/credits",
  setCredits: "PUT /__mock/accounts/:key/credits",
  resetAccount: "POST /__mock/accounts/:key/reset",
  removeAccount: "DELETE /__mock/accounts/:key",
  readAccountClock: "GET /__mock/accounts/:key/clock",
  moveAccountClock: "POST /__mock/accounts/:key/clock",
  readClock: "GET /__mock/clock",
  moveClock: "POST /__mock/clock",
  setRealTime: "POST /__mock/clock/real",
  // Before the jobs: "next" is no job's id.
  listOutcomes: "GET /__mock/jobs/next",
  planJobs: "POST /__mock/jobs/next",
  assertOutcomes: "POST /__mock/jobs/next/assert",
  clearOutcomes: "DELETE /__mock/jobs/next",
  removeOutcome: "DELETE /__mock/jobs/next/:id",
  listJobs: "GET /__mock/jobs",
  showJob: "GET /__mock/jobs/:id",
  completeJob: "POST /__mock/jobs/:id/complete",
  failJob: "POST /__mock/jobs/:id/fail",
  expireJob: "POST /__mock/jobs/:id/expire",
  listFaults: "GET /__mock/faults",
  playFault: "POST /__mock/faults",
  assertFaults: "POST /__mock/faults/assert",
  clearFaults: "DELETE /__mock/faults",
  removeFault: "DELETE /__mock/faults/:id",
  listRequests: "GET /__mock/journal",
  findRequests: "POST /__mock/journal/find",
  showRequest: "GET /__mock/journal/:number",
  assertRequests: "POST /__mock/journal/assert",
  clearJournal: "DELETE /__mock/journal",
  showOverview: "GET /__mock/state",
  takeSnapshot: "GET /__mock/snapshot",
  restoreSnapshot: "PUT /__mock/snapshot",
  reset: "POST /__mock/reset",
  showPicture: "GET /__mock/artwork/:jobId/:file",
  showOpenApi: "GET /__mock/openapi.json",
  help: "GET /__mock/help",
} as const;

/** Name of a route. */
export type RouteId = keyof typeof places;

/** Reads the method and the path of a route. */
export const placeOf = (id: RouteId) => {
  const [method = "", path = ""] = places[id].split(" ");
  return { method, path };
};

/** Names of all routes, in the order in which the router tries them. */
export const routeIds = Object.keys(places) as readonly RouteId[];
