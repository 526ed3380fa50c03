import { Effect } from "effect"
import { holdsShop } from "../connections/connectionStatus.ts"
import type { StoreConnectionId } from "../Ids.ts"
import type { Shop } from "../Shop.ts"
import { changeConnection } from "./changeConnection.ts"

/** Takes what a shop says of itself. It keeps its id when it is renamed: whatever is another shop's changes nothing. */
export const shopChanged = (id: StoreConnectionId, { country, currency, name, shopDomain, shopId }: Shop) =>
  changeConnection(
    id,
    Effect.fnUntraced(function* (before) {
      const isSame =
        before.shopDomain === shopDomain &&
        before.name === name &&
        before.currency === currency &&
        before.country === country
      return holdsShop(before.status) && before.shopId === shopId && !isSame
        ? { shopDomain, name, currency, country }
        : null
    })
  )
