import { holdsShop } from "../connections/connectionStatus.ts"
import type { KnownStore } from "../StoreConnections.ts"
import type { StoreDelivery } from "../StorePlatform.ts"
import type { StoreSignal } from "../StoreSignal.ts"

/** What ends the right to a shop, or forgets people. */
const grave: ReadonlySet<StoreSignal["kind"]> = new Set<StoreSignal["kind"]>([
  "data_request",
  "redact_customer",
  "redact_shop",
  "shop_changed",
  "uninstalled"
])

/** What everybody is told who knows anything of the shop, also once the app is gone there. */
const aboutPeople: ReadonlySet<StoreSignal["kind"]> = new Set<StoreSignal["kind"]>([
  "data_request",
  "redact_customer",
  "redact_shop"
])

/**
 * Who is told by a delivery, of those who know the shop by its id or one of its addresses. Providers sign the body and not the headers, which say
 * what it is about and of which shop: so where the body names the shop, that counts, and what is grave has to name it there.
 */
export const addresseesOf = (
  { shopDomain, shopId, signals }: StoreDelivery,
  known: ReadonlyArray<KnownStore>
): ReadonlyArray<KnownStore> => {
  const isGrave = signals.some(({ kind }) => grave.has(kind))
  if (isGrave && shopId === null) return []
  const now = known.filter((store) => store.shopDomain === shopDomain)
  const theirs = shopId === null ? (now.length > 0 ? now : known) : known.filter((store) => store.shopId === shopId)
  return signals.some(({ kind }) => aboutPeople.has(kind))
    ? theirs
    : theirs.filter(({ status }) => holdsShop(status)).slice(0, 1)
}
