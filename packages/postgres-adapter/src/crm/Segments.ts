import type { OrganizationId } from "@parley/domain/kernel"
import {
  type FilterInput,
  normalizeName,
  findReferencedIds,
  NameTaken,
  Segment,
  type SegmentId,
  Segments
} from "@parley/domain/crm"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten, type Instant, stamp, utc } from "../kernel/columns.ts"
import { tenantPort } from "../kernel/tenantPort.ts"
import { unlessTaken } from "./unlessTaken.ts"
import { versions } from "./versions.ts"

interface Row {
  readonly id: SegmentId
  readonly name: string
  readonly filter: FilterInput
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly version: number
}

const segmentOf = (row: Row) =>
  new Segment({ ...row, createdAt: utc(row.createdAt), updatedAt: utc(row.updatedAt) }, asWritten)

const madeOf = (filter: FilterInput) => [...new Set(findReferencedIds(filter).segments)]

export const layer = Layer.effect(
  Segments,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(`id, name, filter, created_at AS "createdAt", updated_at AS "updatedAt", version`)
    const { conflict, ifVersion, notFound } = versions(sql, "segments", "segment")
    const taken = Effect.fnUntraced(function* (organizationId: OrganizationId, name: string) {
      const [owner] = yield* sql<{ readonly id: string }>`
        SELECT id FROM segments WHERE organization_id = ${organizationId} AND name_key = ${normalizeName(name)}`
      return yield* owner === undefined
        ? Effect.die(new Error("The segment was removed while its name was taken."))
        : new NameTaken({ resource: "segment", id: owner.id })
    })

    return tenantPort(Segments, {
      get: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<Row>`
          SELECT ${columns} FROM segments WHERE organization_id = ${organization.id} AND id = ${id}`
        return row === undefined ? yield* notFound() : segmentOf(row)
      }),
      find: Effect.fnUntraced(function* (organization, ids) {
        if (ids.length === 0) return []
        const rows = yield* sql<Row>`
          SELECT ${columns} FROM segments
          WHERE organization_id = ${organization.id} AND id = ANY(${Array.from(ids)}::uuid[]) ORDER BY id`
        return rows.map(segmentOf)
      }),
      list: Effect.fnUntraced(function* (organization, { after, limit }) {
        const rows = yield* sql<Row>`
          SELECT ${columns} FROM segments WHERE organization_id = ${organization.id}
            ${after === null ? sql`` : sql`AND (name_key, id) > (${after[0]}, ${after[1]}::uuid)`}
          ORDER BY name_key, id LIMIT ${limit}`
        return rows.map(segmentOf)
      }),
      usersOf: Effect.fnUntraced(function* (organization, id) {
        const rows = yield* sql<{ readonly id: SegmentId }>`
          SELECT id FROM segments WHERE organization_id = ${organization.id} AND ${id}::uuid = ANY(made_of)
          ORDER BY id LIMIT 10`
        return rows.map((row) => row.id)
      }),
      insert: Effect.fnUntraced(function* (organization, segment) {
        const inserted = yield* sql`
          INSERT INTO segments (organization_id, id, name, name_key, filter, made_of, created_at, updated_at, version)
          VALUES (${organization.id}, ${segment.id}, ${segment.name}, ${normalizeName(segment.name)},
            ${PgTypes.jsonb(segment.filter)}, ${madeOf(segment.filter)}::uuid[], ${stamp(segment.createdAt)},
            ${stamp(segment.updatedAt)}, ${segment.version})
          ON CONFLICT ON CONSTRAINT segments_name DO NOTHING RETURNING 1`
        if (inserted.length > 0) return
        return yield* taken(organization.id, segment.name)
      }),
      save: Effect.fnUntraced(function* (organization, { filter, id, name, updatedAt }, expected) {
        const rows = yield* unlessTaken(
          sql,
          "segments_name",
          sql<Row>`
          UPDATE segments SET name = ${name}, name_key = ${normalizeName(name)}, filter = ${PgTypes.jsonb(filter)},
            made_of = ${madeOf(filter)}::uuid[], updated_at = ${stamp(updatedAt)}, version = version + 1
          WHERE organization_id = ${organization.id} AND id = ${id} ${ifVersion(expected)}
          RETURNING ${columns}`
        )
        if (rows === null) return yield* taken(organization.id, name)
        const [row] = rows
        return row === undefined ? yield* conflict(organization.id, id) : segmentOf(row)
      }),
      remove: Effect.fnUntraced(function* (organization, id, expected) {
        const removed = yield* sql`
          DELETE FROM segments WHERE organization_id = ${organization.id} AND id = ${id} ${ifVersion(expected)} RETURNING 1`
        if (removed.length === 0) return yield* conflict(organization.id, id)
      })
    })
  })
)
