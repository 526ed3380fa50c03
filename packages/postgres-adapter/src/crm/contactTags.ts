import type { OrganizationId } from "@parley/domain/kernel"
import type { ContactId, TagId } from "@parley/domain/crm"
import { type DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import { isOneOf } from "../kernel/isOneOf.ts"
import { tagTally } from "./tagTally.ts"

/**
 * Links between contacts and tags: in the contact rows, by tag, and as a count. Contacts are locked before tags, each in id order. The lock of a tag
 * prevents its deletion and blocks no other writer. Tags that were deleted concurrently are ignored.
 */
export const contactTags = (sql: SqlClient.SqlClient) => {
  const lockContacts = (organizationId: OrganizationId, ids: ReadonlyArray<ContactId>) =>
    Effect.map(
      sql<{ readonly id: ContactId }>`
        SELECT id FROM contacts WHERE organization_id = ${organizationId} AND ${isOneOf(sql, "id", ids)}
        ORDER BY id FOR UPDATE`,
      (rows) => rows.map(({ id }) => id)
    )

  const lockTags = (organizationId: OrganizationId, ids: ReadonlyArray<TagId>) =>
    Effect.map(
      sql<{ readonly id: TagId }>`
        SELECT id FROM tags WHERE organization_id = ${organizationId} AND ${isOneOf(sql, "id", ids)}
        ORDER BY id FOR KEY SHARE`,
      (rows) => rows.map(({ id }) => id)
    )

  const changeOf = (links: "linked" | "unlinked") =>
    sql`SELECT tag_id, ${sql.literal(links === "linked" ? "" : "-")}count(*)::integer AS by FROM ${sql.literal(links)} GROUP BY tag_id`

  const idsOf = Effect.map((rows: ReadonlyArray<{ readonly id: ContactId }>) => rows.map(({ id }) => id).toSorted())

  return {
    lockContacts,
    lockTags,
    /** Removes all tags from contacts before their deletion. */
    unlinkAll: Effect.fnUntraced(function* (organizationId: OrganizationId, ids: ReadonlyArray<ContactId>) {
      const tags = yield* sql<{ readonly tag: TagId }>`
        SELECT DISTINCT tag FROM contacts AS c, unnest(c.tags) AS tag
        WHERE c.organization_id = ${organizationId} AND c.id = ANY(${Array.from(ids)}::uuid[])`
      if (tags.length === 0) return
      const had = tags.map(({ tag }) => tag)
      yield* lockTags(organizationId, had)
      yield* sql`
        WITH unlinked AS (
          DELETE FROM contact_tags WHERE organization_id = ${organizationId} AND tag_id = ANY(${had}::uuid[])
            AND contact_id = ANY(${Array.from(ids)}::uuid[]) RETURNING tag_id
        ), ${tagTally(sql, organizationId, changeOf("unlinked"))}
        SELECT`
    }),
    add: Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      ids: ReadonlyArray<ContactId>,
      tags: ReadonlyArray<TagId>,
      now: DateTime.Utc
    ) {
      if (ids.length === 0 || tags.length === 0) return []
      const contacts = yield* lockContacts(organizationId, ids)
      const live = yield* lockTags(organizationId, tags)
      return yield* idsOf(sql<{ readonly id: ContactId }>`
        WITH linked AS (
          INSERT INTO contact_tags (organization_id, contact_id, tag_id)
          SELECT ${organizationId}::uuid, contact_id, tag_id
          FROM unnest(${contacts}::uuid[]) AS contact_id, unnest(${live}::uuid[]) AS tag_id
          ON CONFLICT DO NOTHING RETURNING contact_id, tag_id
        ), ${tagTally(sql, organizationId, changeOf("linked"))}
        UPDATE contacts AS c SET version = c.version + 1, updated_at = ${stamp(now)},
          tags = ARRAY(SELECT tag FROM unnest(c.tags || l.tags) AS tag ORDER BY tag)
        FROM (SELECT contact_id, array_agg(tag_id) AS tags FROM linked GROUP BY contact_id) AS l
        WHERE c.organization_id = ${organizationId} AND c.id = l.contact_id
        RETURNING c.id`)
    }),
    remove: Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      ids: ReadonlyArray<ContactId>,
      tags: ReadonlyArray<TagId>,
      now: DateTime.Utc
    ) {
      if (ids.length === 0 || tags.length === 0) return []
      const contacts = yield* lockContacts(organizationId, ids)
      const live = yield* lockTags(organizationId, tags)
      return yield* idsOf(sql<{ readonly id: ContactId }>`
        WITH unlinked AS (
          DELETE FROM contact_tags WHERE organization_id = ${organizationId}
            AND tag_id = ANY(${live}::uuid[]) AND contact_id = ANY(${contacts}::uuid[])
          RETURNING contact_id, tag_id
        ), ${tagTally(sql, organizationId, changeOf("unlinked"))}
        UPDATE contacts AS c SET version = c.version + 1, updated_at = ${stamp(now)},
          tags = ARRAY(SELECT tag FROM unnest(c.tags) AS tag WHERE tag <> ALL(u.tags) ORDER BY tag)
        FROM (SELECT contact_id, array_agg(tag_id) AS tags FROM unlinked GROUP BY contact_id) AS u
        WHERE c.organization_id = ${organizationId} AND c.id = u.contact_id
        RETURNING c.id`)
    })
  }
}
