/** A user of the orders of a page. */
import { createClient } from "adgen-sdk";
import { assumedSchemas } from "adgen-sdk/assumed";
import { createPageOrders, type PageOrder } from "adgen-sdk/page";

const client = createClient({ baseUrl: "/adgen", apiKey: null, schemas: assumedSchemas });
const orders = createPageOrders({ client, user: "anna" });

export const use = async (): Promise<string> => {
  const order = await orders.start("hero", { action: "generate-ad", prompt: "Lemonade" });
  if (order.state === "completed") {
    const url: string | undefined = order.job.result.images[0]?.url;
    return String(url);
  }
  const typed = orders.snapshot<"edit-ad">("edit");
  if (typed.state === "completed") return String(typed.job.result.images[0]?.url);
  const plain: PageOrder = orders.snapshot("hero");
  // @ts-expect-error: no action knows this parameter
  await orders.start("hero", { action: "generate-ad", promt: "Lemonade" });
  return plain.state === "error" && plain.canResume ? plain.error.code : plain.state;
};
