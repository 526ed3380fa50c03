import type { OrganizationId } from "@parley/domain/kernel"
import { type ContactId, normalizeName, NameTaken, Tag, type TagId, Tags } from "@parley/domain/crm"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten, type Instant, stamp, utc } from "../kernel/columns.ts"
import { isOneOf } from "../kernel/isOneOf.ts"
import { tenantPort } from "../kernel/tenantPort.ts"
import { contactTags } from "./contactTags.ts"
import { contactCountOfTag, tagTally } from "./tagTally.ts"
import { unlessTaken } from "./unlessTaken.ts"
import { versions } from "./versions.ts"

interface Row {
  readonly id: TagId
  readonly name: string
  readonly color: string
  readonly contactCount: number
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly version: number
}

const tagOf = (row: Row) => new Tag({ ...row, createdAt: utc(row.createdAt), updatedAt: utc(row.updatedAt) }, asWritten)

export const layer = Layer.effect(
  Tags,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(
      `id, name, color, ${contactCountOfTag} AS "contactCount", created_at AS "createdAt", updated_at AS "updatedAt", version`
    )
    const { conflict, ifVersion, notFound } = versions(sql, "tags", "tag")
    const { lockContacts, lockTags } = contactTags(sql)
    const taken = Effect.fnUntraced(function* (organizationId: OrganizationId, name: string) {
      const [owner] = yield* sql<{ readonly id: string }>`
        SELECT id FROM tags WHERE organization_id = ${organizationId} AND name_key = ${normalizeName(name)}`
      return yield* owner === undefined
        ? Effect.die(new Error("The tag was removed while its name was taken."))
        : new NameTaken({ resource: "tag", id: owner.id })
    })

    return tenantPort(Tags, {
      get: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<Row>`
          SELECT ${columns} FROM tags WHERE organization_id = ${organization.id} AND id = ${id}`
        return row === undefined ? yield* notFound() : tagOf(row)
      }),
      find: Effect.fnUntraced(function* (organization, ids) {
        if (ids.length === 0) return []
        const rows = yield* sql<Row>`
          SELECT ${columns} FROM tags
          WHERE organization_id = ${organization.id} AND ${isOneOf(sql, "id", ids)} ORDER BY id`
        return rows.map(tagOf)
      }),
      findByName: Effect.fnUntraced(function* (organization, names) {
        if (names.length === 0) return []
        const rows = yield* sql<Row>`
          SELECT ${columns} FROM tags
          WHERE organization_id = ${organization.id} AND name_key = ANY(${names.map(normalizeName)}::text[]) ORDER BY id`
        return rows.map(tagOf)
      }),
      list: Effect.fnUntraced(function* (organization, beginning, { after, limit }) {
        const rows = yield* sql<Row>`
          SELECT ${columns} FROM tags WHERE organization_id = ${organization.id}
            ${beginning === "" ? sql`` : sql`AND name_key ^@ ${beginning}`}
            ${after === null ? sql`` : sql`AND (name_key, id) > (${after[0]}, ${after[1]}::uuid)`}
          ORDER BY name_key, id LIMIT ${limit}`
        return rows.map(tagOf)
      }),
      insert: Effect.fnUntraced(function* (organization, tag) {
        const inserted = yield* sql`
          INSERT INTO tags (organization_id, id, name, name_key, color, created_at, updated_at, version)
          VALUES (${organization.id}, ${tag.id}, ${tag.name}, ${normalizeName(tag.name)}, ${tag.color},
            ${stamp(tag.createdAt)}, ${stamp(tag.updatedAt)}, ${tag.version})
          ON CONFLICT ON CONSTRAINT tags_name DO NOTHING RETURNING 1`
        if (inserted.length > 0) return
        return yield* taken(organization.id, tag.name)
      }),
      save: Effect.fnUntraced(function* (organization, { color, id, name, updatedAt }, expected) {
        const rows = yield* unlessTaken(
          sql,
          "tags_name",
          sql<Row>`
          UPDATE tags SET name = ${name}, name_key = ${normalizeName(name)}, color = ${color},
            updated_at = ${stamp(updatedAt)}, version = version + 1
          WHERE organization_id = ${organization.id} AND id = ${id} ${ifVersion(expected)}
          RETURNING ${columns}`
        )
        if (rows === null) return yield* taken(organization.id, name)
        const [row] = rows
        return row === undefined ? yield* conflict(organization.id, id) : tagOf(row)
      }),
      remove: Effect.fnUntraced(function* (organization, id, expected) {
        const removed = yield* sql`
          WITH removed AS (
            DELETE FROM tags WHERE organization_id = ${organization.id} AND id = ${id} ${ifVersion(expected)} RETURNING id
          )
          INSERT INTO removed_tags (organization_id, id) SELECT ${organization.id}::uuid, id FROM removed RETURNING 1`
        if (removed.length === 0) return yield* conflict(organization.id, id)
      }),
      move: Effect.fnUntraced(function* (organization, from, to, limit, now) {
        const found = yield* sql<{ readonly id: ContactId }>`
          SELECT contact_id AS id FROM contact_tags WHERE organization_id = ${organization.id} AND tag_id = ${from}
          ORDER BY contact_id LIMIT ${limit}`
        if (found.length === 0) return 0
        const contacts = yield* lockContacts(
          organization.id,
          found.map(({ id }) => id)
        )
        const live = yield* lockTags(organization.id, [from, to])
        if (!live.includes(from)) return 0
        const into = live.filter((id) => id === to)
        const moved = yield* sql`
          WITH unlinked AS (
            DELETE FROM contact_tags WHERE organization_id = ${organization.id} AND tag_id = ${from}
              AND contact_id = ANY(${contacts}::uuid[]) RETURNING contact_id
          ), linked AS (
            INSERT INTO contact_tags (organization_id, contact_id, tag_id)
            SELECT ${organization.id}::uuid, contact_id, tag_id FROM unlinked, unnest(${into}::uuid[]) AS tag_id
            ON CONFLICT DO NOTHING RETURNING contact_id
          ), ${tagTally(
            sql,
            organization.id,
            sql`SELECT ${from}::uuid AS tag_id, -count(*)::integer AS by FROM unlinked
              UNION ALL SELECT ${to}::uuid, count(*)::integer FROM linked`
          )}
          UPDATE contacts AS c SET version = c.version + 1, updated_at = ${stamp(now)},
            tags = ARRAY(SELECT DISTINCT tag FROM unnest(c.tags || ${into}::uuid[]) AS tag WHERE tag <> ${from} ORDER BY tag)
          FROM unlinked AS u WHERE c.organization_id = ${organization.id} AND c.id = u.contact_id RETURNING 1`
        return moved.length
      }),
      clear: Effect.fnUntraced(function* (organization, id, limit) {
        const found = yield* sql<{ readonly id: ContactId }>`
          SELECT t.contact_id AS id FROM contact_tags AS t
          WHERE t.organization_id = ${organization.id} AND t.tag_id = ${id} AND EXISTS (
            SELECT FROM removed_tags AS r WHERE r.organization_id = ${organization.id} AND r.id = ${id})
          ORDER BY t.contact_id LIMIT ${limit}`
        if (found.length > 0) {
          const ids = found.map(({ id: contact }) => contact)
          yield* lockContacts(organization.id, ids)
          yield* sql`
            WITH unlinked AS (
              DELETE FROM contact_tags
              WHERE organization_id = ${organization.id} AND tag_id = ${id} AND contact_id = ANY(${ids}::uuid[])
            )
            UPDATE contacts SET tags = array_remove(tags, ${id}::uuid)
            WHERE organization_id = ${organization.id} AND id = ANY(${ids}::uuid[])`
        }
        if (found.length < limit) {
          yield* sql`
            WITH removed AS (
              DELETE FROM removed_tags WHERE organization_id = ${organization.id} AND id = ${id} RETURNING id
            )
            DELETE FROM tag_counts WHERE organization_id = ${organization.id} AND tag_id IN (SELECT id FROM removed)`
        }
        return found.length
      })
    })
  })
)
