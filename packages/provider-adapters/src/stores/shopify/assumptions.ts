/** Facts that the provider's public pages omit or change between versions. This file collects them for easy correction. */

/** The version of the provider's interface that is called. */
export const apiVersion = "2026-07"

/** A single call may not cost more. */
export const mostCost = 1_000

/** Size and refill rate of a bucket until an answer states them. */
export const usualBucket = { most: 1_000, perSecond: 50 } as const

/** Paging through a list ends there; a new list starts well before. */
export const mostPaged = 20_000

/** A checkout is known to its order, and to what the shop delivers of it, by this part of its address. */
export const checkoutTokenIn = (recoveryUrl: string): string | null =>
  /\/checkouts\/(?:ac\/|cn\/)?([A-Za-z0-9_-]{4,100})\//u.exec(recoveryUrl)?.[1] ?? null

/** Names of the surviving and the removed customer in a delivery about merged customers. */
export const mergedNames = {
  kept: "admin_graphql_api_customer_kept_id",
  gone: "admin_graphql_api_customer_deleted_id"
} as const

/** Parameter of the redirect after a denied authorization, if the provider redirects at all. */
export const denialParameter = "error"

/** Prefixes of tokens, to find them in texts. */
export const tokenForm = /shp(?:at|ua|ca|pa|rt|ss)_[A-Za-z0-9]{8,}/gu
