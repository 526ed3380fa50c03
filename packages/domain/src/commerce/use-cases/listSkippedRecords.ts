import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../kernel/index.ts"
import type { StoreConnectionId } from "../Ids.ts"
import { SkippedRecords } from "../SkippedRecords.ts"
import { StoreConnections } from "../StoreConnections.ts"

/** Lists the records of a store that cannot be read, by kind and id. */
export const listSkippedRecords = useCase(
  "storeConnections.listSkipped",
  { access: { permission: "store_connections.read" } },
  Effect.fnUntraced(function* (id: StoreConnectionId, page: PageRequest) {
    yield* (yield* StoreConnections).get(id)
    const skipped = yield* SkippedRecords
    const { data, nextCursor } = yield* paged(
      `store_connections/${id}/skipped_records`,
      page,
      (slice) => skipped.list(id, slice),
      ({ record }) => [record.kind, record.externalId]
    )
    return { data: data.map(({ record }) => record), nextCursor }
  })
)
