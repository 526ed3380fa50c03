import type { ActorRef, Causation } from "@parley/domain/kernel"
import { EventLog, type LoggedEvent } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, utc } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

interface Row {
  readonly position: bigint
  readonly type: string
  readonly data: object
  readonly actorKind: ActorRef["kind"]
  readonly actorId: string
  readonly causation: Causation | null
  readonly at: Instant
}

const loggedEventOf = ({ actorId, actorKind, at, causation, data, position, type }: Row): LoggedEvent => ({
  position: Number(position),
  at: utc(at),
  actor: { kind: actorKind, id: actorId },
  causation,
  event: { type, ...data }
})

export const layer = Layer.effect(
  EventLog,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(EventLog, {
      list: Effect.fnUntraced(function* (organization, types, { after, limit }) {
        if (types.length === 0) return []
        const rows = yield* sql<Row>`
          SELECT position, type, data, actor_kind AS "actorKind", actor_id AS "actorId", causation, at FROM events
          WHERE organization_id = ${organization.id} ${types === "all" ? sql`` : sql`AND type = ANY(${types})`}
            ${after === null ? sql`` : sql`AND position > ${after[0]}`}
          ORDER BY position LIMIT ${limit}`
        return rows.map(loggedEventOf)
      }),
      at: Effect.fnUntraced(function* (organization, positions) {
        if (positions.length === 0) return []
        const rows = yield* sql<Row>`
          SELECT position, type, data, actor_kind AS "actorKind", actor_id AS "actorId", causation, at FROM events
          WHERE organization_id = ${organization.id} AND position = ANY(${Array.from(positions)}::bigint[])
          ORDER BY position`
        return rows.map(loggedEventOf)
      }),
      head: Effect.fnUntraced(function* (organization) {
        const [row] = yield* sql<{ readonly head: bigint }>`
          SELECT head FROM event_heads WHERE organization_id = ${organization.id}`
        return Number(row?.head ?? 0)
      })
    })
  )
)
