/** Facts that the provider's public pages omit or change between versions. This file collects them for easy correction. */

/** Versions of the provider's API that the documents are written for, the oldest first. */
export const apiVersions = ["2026-07", "2026-10"] as const
export type ApiVersion = (typeof apiVersions)[number]

/** Default version of the provider's API. */
export const defaultApiVersion: ApiVersion = "2026-10"

/** A single call may not cost more. */
export const mostCost = 1_000

/** Size and refill rate of a bucket until an answer states them: a single call fits, and the cheapest plan restores that much. */
export const usualBucket = { most: mostCost, perSecond: 100 } as const

/** Paging through a list ends there; a new list starts well before. */
export const mostPaged = 20_000

/** Name of the token that a new order and its cart have in common. */
export const orderCheckoutToken = "checkout_token"

/** A checkout is known to its order, and to what the shop delivers of it, by this part of its address. */
export const checkoutTokenIn = (recoveryUrl: string): string | null =>
  /\/checkouts\/(?:ac\/|cn\/)?([A-Za-z0-9_-]{4,100})\//u.exec(recoveryUrl)?.[1] ?? null

/** The page of an order in the admin of the shop. The provider redirects it to the current address of the admin. */
export const orderAdminUrl = (shopDomain: string, orderId: string): string =>
  `https://${shopDomain}/admin/orders/${orderId}`

/** Names of the surviving customer, the removed customer and the status in a delivery about merged customers. */
export const mergedNames = {
  kept: "admin_graphql_api_customer_kept_id",
  gone: "admin_graphql_api_customer_deleted_id",
  status: "status"
} as const

/** Whether a merge is done. The published example has the status `failed`; the other values are those of the query language. */
export const mergeIsDone = (status: string | null): boolean => status?.toLowerCase() === "completed"

/** Parameter of the redirect after a denied authorization, if the provider redirects at all. */
export const denialParameter = "error"

/** Call that removes the app from a shop. */
export const uninstallDocument = `mutation Parley_uninstall { appUninstall { userErrors { message } } }`

/** Prefixes of tokens, to find them in texts. */
export const tokenForm = /shp(?:at|ua|ca|pa|rt|ss)_[A-Za-z0-9]{8,}/gu
