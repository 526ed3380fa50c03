import { ownsShop, type KnownStore, StoreDirectory } from "@parley/domain/commerce"
import { Effect, HashMap, Layer } from "effect"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  StoreDirectory,
  Effect.map(Store, (store) =>
    StoreDirectory.of({
      knownAs: (provider, shopDomain, shopId) =>
        store.read((state) =>
          HashMap.toEntries(state.tenants)
            .flatMap(([organizationId, { storeConnections }]) =>
              HashMap.toValues(storeConnections)
                .filter(
                  ({ connection, formerDomains }) =>
                    connection.provider === provider &&
                    connection.status !== "pending" &&
                    (connection.shopDomain === shopDomain ||
                      formerDomains.includes(shopDomain) ||
                      (shopId !== null && connection.shopId === shopId))
                )
                .map(({ connection }): KnownStore => ({
                  organizationId,
                  storeConnectionId: connection.id,
                  shopDomain: connection.shopDomain,
                  shopId: connection.shopId,
                  status: connection.status
                }))
            )
            .toSorted((one, other) => Number(ownsShop(other.status)) - Number(ownsShop(one.status)))
        )
    })
  )
)
