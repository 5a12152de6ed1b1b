// What can go wrong with a paid job, and what each error tells you to do.
//
//   npm run example examples/handle-errors.ts   with the mock: some of these jobs would cost credits
import { BadRequestError, createClient, isAdGenError, toResult } from "adgen-sdk";

const client = createClient(); // reads ADGEN_BASE_URL and ADGEN_API_KEY

// By class, where one kind of error has something to say of its own.
try {
  // A misspelt action does not compile; this one comes from elsewhere.
  await client.jobs.submit(JSON.parse('{ "action": "generate-poster" }'));
} catch (error) {
  if (!(error instanceof BadRequestError)) throw error;
  console.log(`${error.code}: choose one of ${error.supportedActions?.join(", ")}`);
}

// As a value, where an error is nothing out of the ordinary.
const film = await toResult(client.jobs.submit({ action: "video-a-2-pro", duration: 60 }));
if (film.ok) console.log(`submitted ${film.data.job_id}`);
else if (film.error.code === "payment_required") console.log(`${film.error.code}: buy credits`);
else throw film.error;

// By outcome, where it is about the money: was a job made, or not?
const submitCarefully = async (through: typeof client): Promise<void> => {
  try {
    const job = await through.jobs.submit({ action: "generate-ad", prompt: "Lemonade" });
    console.log(`submitted ${job.job_id}`);
  } catch (error) {
    if (!isAdGenError(error)) throw error;
    if (error.outcome !== "unknown") {
      console.log(`${error.code}: ${error.outcome}, so it is safe to submit again`);
      return;
    }
    const { items } = await client.jobs.list({ limit: 5 });
    const recent = items.map(({ job_id }) => job_id).join(", ");
    console.log(`${error.code}: ${error.outcome}, so look first: ${recent}`);
  }
};

// Nobody listens there: the request provably never left.
await submitCarefully(createClient({ baseUrl: "http://127.0.0.1:2", maxRetries: 0 }));

// The service makes the job, then its answer is lost on the way.
const loseAnswers = async (request: Request): Promise<Response> => {
  await fetch(request);
  throw new TypeError("connection reset");
};
await submitCarefully(createClient({ fetch: loseAnswers }));
