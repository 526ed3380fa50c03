import { type ActorRef, AuditEvent, type AuditEventId, AuditLog, CurrentOrganization } from "@parley/domain"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer, type Schema } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten, type Instant, stamp, utc } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"

type Values = Readonly<Record<string, Schema.Json>>

interface Row {
  readonly id: AuditEventId
  readonly actorKind: ActorRef["kind"]
  readonly actorId: string
  readonly action: string
  readonly targetKind: string
  readonly targetId: string
  readonly before: Values | null
  readonly after: Values | null
  readonly requestId: string | null
  readonly at: Instant
}

const eventOf = (row: Row) =>
  new AuditEvent(
    {
      id: row.id,
      actor: { kind: row.actorKind, id: row.actorId },
      action: row.action,
      target: { kind: row.targetKind, id: row.targetId },
      before: row.before,
      after: row.after,
      requestId: row.requestId,
      at: utc(row.at)
    },
    asWritten
  )

const valuesOrNull = (values: Values | null) => (values === null ? null : PgTypes.jsonb(values))

export const layer = Layer.effect(
  AuditLog,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns =
      sql.literal(`id, actor_kind AS "actorKind", actor_id AS "actorId", action, target_kind AS "targetKind",
      target_id AS "targetId", before, after, request_id AS "requestId", at`)

    return AuditLog.of({
      append: Effect.fnUntraced(function* (event) {
        const organization = yield* CurrentOrganization
        const { action, actor, after, at, before, id, requestId, target } = event
        yield* sql`
          INSERT INTO audit_events (organization_id, id, actor_kind, actor_id, action, target_kind, target_id, before, after,
            request_id, at)
          VALUES (${organization.id}, ${id}, ${actor.kind}, ${actor.id}, ${action}, ${target.kind}, ${target.id},
            ${valuesOrNull(before)}, ${valuesOrNull(after)}, ${requestId}, ${stamp(at)})`
      }, driverFailuresDie),
      list: Effect.fnUntraced(function* (filter, { after, limit }) {
        const organization = yield* CurrentOrganization
        const conditions = [sql`organization_id = ${organization.id}`]
        if (filter.actorId !== null) conditions.push(sql`actor_id = ${filter.actorId}`)
        if (filter.targetKind !== null) conditions.push(sql`target_kind = ${filter.targetKind}`)
        if (filter.targetId !== null) conditions.push(sql`target_id = ${filter.targetId}`)
        if (filter.action !== null) conditions.push(sql`action = ${filter.action}`)
        if (filter.from !== null) conditions.push(sql`at >= ${stamp(filter.from)}`)
        if (filter.to !== null) conditions.push(sql`at < ${stamp(filter.to)}`)
        if (after !== null) conditions.push(sql`id < ${after[0]}`)
        const rows = yield* sql<Row>`
          SELECT ${columns} FROM audit_events WHERE ${sql.and(conditions)} ORDER BY id DESC LIMIT ${limit}`
        return rows.map(eventOf)
      }, driverFailuresDie)
    })
  })
)
