/**
 * Orders of a page that survive a reload, for any framework.
 *
 * @module adgen-sdk/page
 */

export { createPageOrders } from "./page/create-page-orders.ts";
export type { PageOrdersOptions } from "./page/page-options.ts";
export type { PageOrder, PageOrders } from "./page/page-order.ts";
