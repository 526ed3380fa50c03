import { CurrentOrganization, Plans } from "@parley/domain"
import { Effect, HashMap, Layer } from "effect"
import { isConnected } from "../chat/isConnected.ts"
import { tenantOf } from "../store/State.ts"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  Plans,
  Effect.map(Store, (store) =>
    Plans.of({
      current: () =>
        Effect.flatMap(CurrentOrganization, ({ id }) =>
          store.read(({ organizations }) => HashMap.getUnsafe(organizations, id).plan)
        ),
      usage: () =>
        Effect.flatMap(CurrentOrganization, ({ id }) =>
          store.read((state) => ({
            seats: HashMap.size(tenantOf(state, id).members),
            contacts: HashMap.size(tenantOf(state, id).contacts),
            chatAccounts: HashMap.size(HashMap.filter(tenantOf(state, id).chatAccounts, isConnected)),
            storeConnections: 0,
            broadcastRecipientsPerMonth: 0
          }))
        )
    })
  )
)
