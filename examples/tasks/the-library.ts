// Prints all brands with their saved ads.
//
//   npm run example examples/tasks/the-library.ts
import { createClient } from "adgen-sdk";

const client = createClient();
const { items: brands } = await client.brands.list();
for (const { id, name } of brands) {
  const { items: ads } = await client.brands.listAds(id);
  console.log(`${name}: ${ads.map((ad) => ad["headline"] ?? ad.id).join(", ")}`);
}
