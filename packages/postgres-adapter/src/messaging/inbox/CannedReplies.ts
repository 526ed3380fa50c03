import type { OrganizationId } from "@parley/domain/kernel"
import { NameTaken } from "@parley/domain/crm"
import { CannedReplies, CannedReply } from "@parley/domain/messaging"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { unlessTaken } from "../../crm/unlessTaken.ts"
import { versions } from "../../crm/versions.ts"
import { asWritten, type Instant, stamp, utc } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

interface Row extends Omit<CannedReply, "createdAt" | "updatedAt"> {
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

const replyOf = (row: Row) =>
  new CannedReply({ ...row, createdAt: utc(row.createdAt), updatedAt: utc(row.updatedAt) }, asWritten)

export const layer = Layer.effect(
  CannedReplies,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(`id, shortcut, text, created_at AS "createdAt", updated_at AS "updatedAt", version`)
    const { conflict, ifVersion, notFound } = versions(sql, "canned_replies", "canned reply")
    const taken = Effect.fnUntraced(function* (organizationId: OrganizationId, shortcut: string) {
      const [owner] = yield* sql<{ readonly id: string }>`
        SELECT id FROM canned_replies WHERE organization_id = ${organizationId} AND shortcut = ${shortcut}`
      return yield* owner === undefined
        ? Effect.die(new Error("The canned reply was removed while its shortcut was taken."))
        : new NameTaken({ resource: "canned reply", id: owner.id })
    })

    return tenantPort(CannedReplies, {
      get: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<Row>`
          SELECT ${columns} FROM canned_replies WHERE organization_id = ${organization.id} AND id = ${id}`
        return row === undefined ? yield* notFound() : replyOf(row)
      }),
      list: Effect.fnUntraced(function* (organization, beginning, { after, limit }) {
        const rows = yield* sql<Row>`
          SELECT ${columns} FROM canned_replies WHERE organization_id = ${organization.id}
            ${beginning === "" ? sql`` : sql`AND shortcut ^@ ${beginning}`}
            ${after === null ? sql`` : sql`AND shortcut > ${after[0]}`}
          ORDER BY shortcut LIMIT ${limit}`
        return rows.map(replyOf)
      }),
      insert: Effect.fnUntraced(function* (organization, reply) {
        const inserted = yield* sql`
          INSERT INTO canned_replies (organization_id, id, shortcut, text, created_at, updated_at, version)
          VALUES (${organization.id}, ${reply.id}, ${reply.shortcut}, ${reply.text}, ${stamp(reply.createdAt)},
            ${stamp(reply.updatedAt)}, ${reply.version})
          ON CONFLICT ON CONSTRAINT canned_replies_shortcut DO NOTHING RETURNING 1`
        if (inserted.length === 0) return yield* taken(organization.id, reply.shortcut)
      }),
      save: Effect.fnUntraced(function* (organization, { text, id, shortcut, updatedAt }, expected) {
        const rows = yield* unlessTaken(
          sql,
          "canned_replies_shortcut",
          sql<Row>`
          UPDATE canned_replies SET shortcut = ${shortcut}, text = ${text}, updated_at = ${stamp(updatedAt)},
            version = version + 1
          WHERE organization_id = ${organization.id} AND id = ${id} ${ifVersion(expected)}
          RETURNING ${columns}`
        )
        if (rows === null) return yield* taken(organization.id, shortcut)
        const [row] = rows
        return row === undefined ? yield* conflict(organization.id, id) : replyOf(row)
      }),
      remove: Effect.fnUntraced(function* (organization, id, expected) {
        const removed = yield* sql`
          DELETE FROM canned_replies
          WHERE organization_id = ${organization.id} AND id = ${id} ${ifVersion(expected)} RETURNING 1`
        if (removed.length === 0) return yield* conflict(organization.id, id)
      })
    })
  })
)
