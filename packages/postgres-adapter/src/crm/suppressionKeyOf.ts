import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** Sealed key of the organization's suppression list; `null` until one is stored. */
export const suppressionKeyOf = (sql: SqlClient.SqlClient, organizationId: string) =>
  Effect.map(
    sql<{ readonly sealed: string }>`
      SELECT sealed_key AS sealed FROM suppression_keys WHERE organization_id = ${organizationId}`,
    ([row]) => row?.sealed ?? null
  )
