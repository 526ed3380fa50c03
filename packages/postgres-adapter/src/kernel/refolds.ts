import type { OrganizationId } from "@parley/domain/kernel"
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** Position of the refolding of an organization's rows, in id order. The row is deleted when all are done. */
export const refolds = (sql: SqlClient.SqlClient, kind: "contacts" | "messages") =>
  /** Processes the next rows; `next` returns them. Returns whether more rows remain. */
  Effect.fnUntraced(function* <R>(
    organizationId: OrganizationId,
    limit: number,
    next: (after: string) => Effect.Effect<ReadonlyArray<{ readonly id: string }>, SqlError.SqlError, R>
  ) {
    const [place] = yield* sql<{ readonly after: string }>`
      SELECT after_id AS after FROM search_reindexes WHERE organization_id = ${organizationId} AND kind = ${kind} FOR UPDATE`
    if (place === undefined) return false
    const rows = yield* next(place.after)
    const last = rows.at(-1)
    const hasMore = rows.length === limit && last !== undefined
    yield* hasMore
      ? sql`UPDATE search_reindexes SET after_id = ${last.id} WHERE organization_id = ${organizationId} AND kind = ${kind}`
      : sql`DELETE FROM search_reindexes WHERE organization_id = ${organizationId} AND kind = ${kind}`
    return hasMore
  })
