/** Stands for `msw/browser` where its importers are collected in Node, and no test runs. */
export const setupWorker = (): object => ({});
