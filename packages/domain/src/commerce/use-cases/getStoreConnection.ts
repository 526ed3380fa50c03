import { Effect } from "effect"
import { useCase } from "../../kernel/index.ts"
import { showConnection } from "../commerce/shownStores.ts"
import type { StoreConnectionId } from "../Ids.ts"
import { StoreConnections } from "../StoreConnections.ts"

/** Reads one store. */
export const getStoreConnection = useCase(
  "storeConnections.get",
  { access: { permission: "store_connections.read" } },
  Effect.fnUntraced(function* (id: StoreConnectionId) {
    return yield* showConnection(yield* (yield* StoreConnections).get(id))
  })
)
