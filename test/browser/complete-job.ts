import { createMockService, type MockServiceOptions } from "../../mocks/index.ts";

/** Submits a job to a service of its own, completes it, and reads its result as a client does. */
export const completeJob = async (body: object, options: MockServiceOptions = {}) => {
  const service = createMockService(options);
  const send = async (path: string, init: RequestInit) => {
    const headers = { authorization: "Bearer test-key", "content-type": "application/json" };
    return (await (await service.fetch(`https://ads.test${path}`, { ...init, headers })).json())
      .data;
  };
  const { job_id: id } = await send("/v1/jobs", { method: "POST", body: JSON.stringify(body) });
  service.jobs.complete(id);
  return { id, service, result: (await send(`/v1/jobs/${id}`, {})).result };
};
