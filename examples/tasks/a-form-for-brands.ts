// Creates or changes a brand with what a form holds, and says what is wrong with it.
import { type Brand, createClient, isAdGenError } from "adgen-sdk";

const client = createClient();

export const saveBrand = async (form: FormData): Promise<Brand | { problem: string }> => {
  const name = String(form.get("name") ?? "").trim();
  if (name === "") return { problem: "Please give the brand a name." };
  const brand = { name, color: String(form.get("color") ?? "") };
  const id = form.get("id");
  try {
    if (typeof id === "string") return await client.brands.update(id, brand);
    return await client.brands.create(brand);
  } catch (error) {
    if (!isAdGenError(error)) throw error;
    return { problem: error.code === "not_found" ? "The brand is gone." : "Please try again." };
  }
};
