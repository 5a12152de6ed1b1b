/** Packages that are inside our files, and inside which ones. */
export const bundled = [
  { name: "ky", license: "license", where: "The client's files" },
  { name: "zod", license: "LICENSE", where: "The mock's files" },
  { name: "hono", license: "LICENSE", where: "mocks/server and mocks/cli" },
  {
    name: "@hono/node-server",
    license: "LICENSE",
    where: "mocks/server and mocks/cli",
  },
] as const;
