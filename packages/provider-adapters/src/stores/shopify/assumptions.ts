/**
 * What the provider's public pages did not say at the time of writing, or what changes from version to version.
 * Everything of that sort is here, so that it is easy to set right.
 */

/** The version of the provider's interface that is called. */
export const apiVersion = "2026-07"

/** A single call may not cost more. */
export const mostCost = 1_000

/** How many points a bucket holds, and how many it gets a second, until an answer says so. */
export const usualBucket = { most: 1_000, perSecond: 50 } as const

/** Paging through a list ends there; a new list is begun well before. */
export const mostPaged = 20_000

/** A checkout is known to its order, and to what the shop delivers of it, by this part of its address. */
export const checkoutTokenIn = (recoveryUrl: string): string | null =>
  /\/checkouts\/(?:ac\/|cn\/)?([A-Za-z0-9_-]{4,100})\//u.exec(recoveryUrl)?.[1] ?? null

/** What a delivery about merged customers calls the one that is kept, and the one that is gone. */
export const mergedNames = {
  kept: "admin_graphql_api_customer_kept_id",
  gone: "admin_graphql_api_customer_deleted_id"
} as const

/** Whoever says no is sent back with this parameter, if at all. */
export const denialParameter = "error"

/** What is at the front of tokens, so that they are found in texts. */
export const tokenForm = /shp(?:at|ua|ca|pa|rt|ss)_[A-Za-z0-9]{8,}/gu
