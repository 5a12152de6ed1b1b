/**
 * Method, path and summary of each route of the admin, by the route's name. A name after a colon is
 * a part of the path. The server's router, `GET /__mock/help` and `connectMock` read this table.
 */
export const places = {
  listAccounts: "GET /__mock/accounts Lists all accounts with their credits",
  openAccount: "POST /__mock/accounts Opens an account",
  showAccount:
    "GET /__mock/accounts/:key Shows one account: whole ledger, charges, brands, saved ads",
  grantCredits:
    "POST /__mock/accounts/:key/credits Adds credits of one kind; a pot left out does not change",
  setCredits:
    "PUT /__mock/accounts/:key/credits Sets the credits of one kind; a pot left out becomes empty",
  resetAccount: "POST /__mock/accounts/:key/reset Makes one account as new",
  removeAccount:
    "DELETE /__mock/accounts/:key Closes one account, forgets all it holds, and lists the others; its key is then a wrong one",
  readAccountClock: "GET /__mock/accounts/:key/clock Shows the time of one account",
  moveAccountClock: "POST /__mock/accounts/:key/clock Moves the time of one account forward",
  readClock: "GET /__mock/clock Shows the service's time",
  moveClock: "POST /__mock/clock Moves the time of every account forward",
  // Before the jobs: "next" is no job's id.
  listOutcomes: "GET /__mock/jobs/next Lists the outcomes that wait for their jobs",
  planJobs: "POST /__mock/jobs/next Decides how the next jobs end",
  assertOutcomes:
    "POST /__mock/jobs/next/assert Answers 200 when no outcome waits, and 409 with those not taken as often as planned",
  clearOutcomes:
    "DELETE /__mock/jobs/next Takes all outcomes back that wait, or those for one account alone",
  removeOutcome: "DELETE /__mock/jobs/next/:id Takes one outcome back",
  listJobs:
    "GET /__mock/jobs Lists the newest jobs that fit, 100 unless a limit is given, and counts all",
  showJob:
    "GET /__mock/jobs/:id Shows all about one job: request, cost, times, its journal entries",
  completeJob: "POST /__mock/jobs/:id/complete Completes an unfinished job",
  failJob: "POST /__mock/jobs/:id/fail Makes an unfinished job fail",
  expireJob: "POST /__mock/jobs/:id/expire Makes an unfinished job expire",
  listFaults: "GET /__mock/faults Lists the faults that wait for their requests",
  playFault: "POST /__mock/faults Plays a fault to the next requests",
  assertFaults:
    "POST /__mock/faults/assert Answers 200 when no fault waits, and 409 with those not played as often as planned",
  clearFaults: "DELETE /__mock/faults Takes all faults back, or those for one account alone",
  removeFault: "DELETE /__mock/faults/:id Takes one fault back",
  listRequests:
    "GET /__mock/journal Lists the latest requests, oldest first, 100 unless a limit is given",
  findRequests:
    "POST /__mock/journal/find Finds the latest requests by their bodies too, 100 unless a limit is given",
  showRequest: "GET /__mock/journal/:number Shows one request with its body and answer",
  assertRequests:
    "POST /__mock/journal/assert Gives the requests that fit when there are so many; answers 409 with those seen otherwise",
  clearJournal:
    "DELETE /__mock/journal Clears the journal of the requests so far, or of those of one account alone",
  showOverview:
    "GET /__mock/state Shows the newest of everything, as the page does; the time is in x-mock-now",
  takeSnapshot: "GET /__mock/snapshot Gives everything as JSON",
  restoreSnapshot:
    "PUT /__mock/snapshot Makes everything as it was in a snapshot, given with its envelope or without",
  reset: "POST /__mock/reset Makes everything as new",
  showPicture:
    "GET /__mock/artwork/:jobId/:file Shows the picture of a job's variation, from 1.svg or 1.png, or its video, from 1.mp4",
  showOpenApi:
    "GET /__mock/openapi.json Gives the OpenAPI document of the service, with this server as its address",
  help: "GET /__mock/help Lists these routes",
} as const;

/** Name of a route. */
export type RouteId = keyof typeof places;

/** Reads the row of a route. */
export const placeOf = (id: RouteId) => {
  const [method = "", path = "", ...summary] = places[id].split(" ");
  return { method, path, summary: summary.join(" ") };
};

/** Names of all routes, in the order in which the router tries them. */
export const routeIds = Object.keys(places) as readonly RouteId[];
