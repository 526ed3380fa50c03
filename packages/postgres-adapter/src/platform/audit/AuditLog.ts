import { type ActorRef, Transaction } from "@parley/domain/kernel"
import { AuditEvent, type AuditEventId, AuditLog } from "@parley/domain/platform"
import { Context, Effect, Layer, type Schema } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten, type Instant, stamp, utc } from "../../kernel/columns.ts"
import { currentLevel, UnitOfWorkLevel } from "../../kernel/UnitOfWorkLevel.ts"
import { writeTraces } from "../../kernel/writeTraces.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

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

export const layer = Layer.effect(
  AuditLog,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns =
      sql.literal(`id, actor_kind AS "actorKind", actor_id AS "actorId", action, target_kind AS "targetKind",
      target_id AS "targetId", before, after, request_id AS "requestId", at`)

    // Entries wait for the commit. A read in the same unit of work writes them first.
    const settled = Effect.contextWith((context: Context.Context<never>) => {
      const work = Context.getOrUndefined(context, Transaction)
      return work instanceof UnitOfWorkLevel ? writeTraces(sql, work.takeEntries()) : Effect.void
    })

    return tenantPort(AuditLog, {
      append: Effect.fnUntraced(function* (organization, event) {
        const work = yield* currentLevel
        yield* work.enter({ organizationId: organization.id, entry: event })
      }),
      forget: Effect.fnUntraced(function* (organization, { id, kind }) {
        yield* settled
        yield* sql`
          UPDATE audit_events SET before = NULL, after = NULL
          WHERE organization_id = ${organization.id} AND target_kind = ${kind} AND target_id = ${id}`
      }),
      list: Effect.fnUntraced(function* (organization, filter, { after, limit }) {
        yield* settled
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
      })
    })
  })
)
