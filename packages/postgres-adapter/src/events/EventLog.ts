import { type ActorRef, CurrentOrganization, DomainEvent, EventLog, LoggedEvent } from "@parley/domain"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten, type Instant, utc } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"

interface Row {
  readonly position: bigint
  readonly type: string
  readonly data: object
  readonly actorKind: ActorRef["kind"]
  readonly actorId: string
  readonly at: Instant
}

const decode = Schema.decodeUnknownEffect(DomainEvent, asWritten)

// An event of a type that this version does not know is a defect: the database is older or newer than the code.
const loggedEventOf = Effect.fnUntraced(
  function* (row: Row) {
    const event = yield* decode({ type: row.type, ...row.data })
    const actor = { kind: row.actorKind, id: row.actorId }
    return new LoggedEvent({ position: Number(row.position), at: utc(row.at), actor, event }, asWritten)
  },
  Effect.catchTag("SchemaError", Effect.die)
)

export const layer = Layer.effect(
  EventLog,
  Effect.map(SqlClient.SqlClient, (sql) =>
    EventLog.of({
      list: Effect.fnUntraced(function* (types, { after, limit }) {
        if (types.length === 0) return []
        const organization = yield* CurrentOrganization
        const rows = yield* sql<Row>`
          SELECT position, type, data, actor_kind AS "actorKind", actor_id AS "actorId", at FROM events
          WHERE organization_id = ${organization.id} AND type = ANY(${types})
            ${after === null ? sql`` : sql`AND position > ${after[0]}`}
          ORDER BY position LIMIT ${limit}`
        return yield* Effect.forEach(rows, loggedEventOf)
      }, driverFailuresDie),
      head: Effect.fnUntraced(function* () {
        const organization = yield* CurrentOrganization
        const [row] = yield* sql<{ readonly head: bigint }>`
          SELECT head FROM event_heads WHERE organization_id = ${organization.id}`
        return Number(row?.head ?? 0)
      }, driverFailuresDie)
    })
  )
)
