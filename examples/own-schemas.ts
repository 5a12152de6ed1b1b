// Gives types to what the API's document leaves open: results, brands, saved ads.
// Any Standard Schema will do: zod, valibot, arktype.
//
//   npm run example examples/own-schemas.ts                             with the mock
//   ADGEN_BASE_URL=… ADGEN_API_KEY=… npx node examples/own-schemas.ts   with the service
import { createClient, DecodeError } from "adgen-sdk";
import { z } from "zod";

const client = createClient({
  schemas: {
    brand: z.object({
      id: z.string(),
      name: z.string(),
      created_at: z.iso.datetime().transform((text) => new Date(text)),
    }),
    results: {
      "generate-ad": z.object({
        images: z.array(z.object({ url: z.url(), width: z.number(), height: z.number() })),
      }),
      // Asks for more than the service gives, to show what becomes of a paid result then.
      "generate-ad-copy": z.object({ poem: z.string() }),
    },
  },
});

const brand = await client.brands.create({ name: "Acme Lemonade" });
console.log(`brand     ${brand.name}, since ${brand.created_at.getFullYear()}`);

const ad = await client.jobs.submitAndPoll({ action: "generate-ad", prompt: "Lemonade" });
if (ad.status === "completed") {
  const [image] = ad.result.images;
  console.log(`picture   ${image?.width} × ${image?.height}`);
}

try {
  await client.jobs.submitAndPoll({ action: "generate-ad-copy", prompt: "Lemonade" });
} catch (error) {
  if (!(error instanceof DecodeError)) throw error;
  const [issue] = error.issues;
  console.log(`misfit    ${issue?.path.join(".")}: ${issue?.message}`);
  // Nothing is lost: the error has the job as it came.
  console.log(`received  ${Object.keys(error.lastJob?.["result"] ?? {})}`);
}
