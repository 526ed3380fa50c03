import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../kernel/index.ts"
import { showConnections } from "../commerce/shownStores.ts"
import type { StoreConnectionStatus } from "../connections/connectionStatus.ts"
import { StoreConnections } from "../StoreConnections.ts"

/** Reads the stores, newest first; `null` is any status. */
export const listStoreConnections = useCase(
  "storeConnections.list",
  { access: { permission: "store_connections.read" } },
  Effect.fnUntraced(function* (status: StoreConnectionStatus | null, page: PageRequest) {
    const connections = yield* StoreConnections
    const { data, nextCursor } = yield* paged(
      "store_connections",
      page,
      (slice) => connections.list(status, slice),
      ({ id }) => [id]
    )
    return { data: yield* showConnections(data), nextCursor }
  })
)
