import { holdsShop, StoreDirectory } from "@parley/domain"
import { Effect, HashMap, Layer } from "effect"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  StoreDirectory,
  Effect.map(Store, (store) =>
    StoreDirectory.of({
      holderOf: (provider, shopDomain) =>
        store.read((state) => {
          const holding = HashMap.toEntries(state.tenants).flatMap(([organizationId, { storeConnections }]) =>
            HashMap.toValues(storeConnections)
              .filter(({ connection }) => connection.provider === provider && holdsShop(connection.status))
              .map(({ connection, formerDomains }) => ({ organizationId, connection, formerDomains }))
          )
          const found =
            holding.find(({ connection }) => connection.shopDomain === shopDomain) ??
            holding.find(({ formerDomains }) => formerDomains.includes(shopDomain))
          return found === undefined
            ? null
            : { organizationId: found.organizationId, storeConnectionId: found.connection.id }
        })
    })
  )
)
