import type { Collection } from "./Records.ts"
import type { Installation } from "./World.ts"

/** Scope of each collection. */
export const scopeOf: Readonly<Record<Collection, string>> = {
  customers: "read_customers",
  orders: "read_orders",
  products: "read_products",
  abandonedCheckouts: "read_orders"
}

/** Returns the scope of a webhook topic; `null` if it needs none. */
export const scopeOfTopic = (topic: string): string | null => {
  if (topic === "CUSTOMERS_MERGE") return "read_customer_merge"
  if (topic.startsWith("FULFILLMENT")) return "read_fulfillments"
  if (/^(?:ORDERS|REFUNDS|CHECKOUTS)_/u.test(topic)) return "read_orders"
  if (topic.startsWith("CUSTOMERS_")) return "read_customers"
  return topic.startsWith("PRODUCTS_") ? "read_products" : null
}

/** Whether the app has a scope. A write scope includes the read scope. */
export const has = ({ scopes }: Installation, scope: string): boolean =>
  scopes.includes(scope) || scopes.includes(scope.replace("read_", "write_"))
