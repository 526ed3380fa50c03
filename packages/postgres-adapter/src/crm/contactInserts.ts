import type { OrganizationId } from "@parley/domain/kernel"
import type { Contact, TagId } from "@parley/domain/crm"
import { pipelinePair } from "@parley/pg-pipeline"
import { PgTypes } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { recordColumns, recordOf } from "./contactRow.ts"
import { tellsTime } from "./contactCounts.ts"
import { claimsOf, identities } from "./identities.ts"
import { suppressionKeyOf } from "./suppressionKeyOf.ts"
import { tagTally } from "./tagTally.ts"
import { words } from "./words.ts"

interface Added {
  readonly count: number | null
  readonly kinds: ReadonlyArray<"phone" | "email">
  readonly keys: ReadonlyArray<string>
}

/**
 * Inserts identities, words of names, tags, rows and the count in one statement. A round trip costs more than its work. If another contact owns an
 * identity, only identities are written. Each part waits for the one before, so locks are acquired in one order everywhere. Tags that were deleted
 * concurrently are ignored.
 */
export const contactInserts = (sql: SqlClient.SqlClient) => {
  const known = identities(sql)
  const spoken = words(sql)

  /** A condition that holds after this part of the statement. */
  const isDone = (part: string) => sql`(SELECT count(*) FROM ${sql.literal(part)}) >= 0`

  /** The parts that lock, link and count tags. Without tags they would only cost planning and startup. */
  const taggingOf = (organizationId: OrganizationId, wanted: ReadonlyArray<TagId>) =>
    wanted.length === 0
      ? {
          locking: sql``,
          isLocked: isDone("spoken"),
          tags: sql`'{}'::uuid[]`,
          linking: sql``,
          isLinked: isDone("added")
        }
      : {
          locking: sql`live AS MATERIALIZED (
            SELECT id FROM tags WHERE organization_id = ${organizationId} AND id = ANY(${Array.from(wanted)}::uuid[])
              AND EXISTS (SELECT FROM clear) AND ${isDone("spoken")}
            ORDER BY id FOR KEY SHARE
          ),`,
          isLocked: isDone("live"),
          tags: sql`ARRAY(SELECT tag FROM unnest(r.tags) AS tag WHERE tag IN (SELECT live.id FROM live) ORDER BY tag)`,
          linking: sql`linked AS (
            INSERT INTO contact_tags (organization_id, contact_id, tag_id)
            SELECT ${organizationId}::uuid, added.id, tag FROM added, unnest(added.tags) AS tag
            RETURNING tag_id
          ), ${tagTally(sql, organizationId, sql`SELECT tag_id, count(*)::integer AS by FROM linked GROUP BY tag_id`)},`,
          isLinked: isDone("linked")
        }

  return Effect.fnUntraced(function* (organizationId: OrganizationId, contacts: ReadonlyArray<Contact>) {
    const claims = contacts.flatMap(claimsOf)
    const within = known.clashWithin(claims)
    if (within !== null) return yield* within
    const records = contacts.map((contact) => ({ ...recordOf(contact), tags: contact.tags, version: contact.version }))
    const tagging = taggingOf(organizationId, [...new Set(contacts.flatMap(({ tags }) => tags))])
    const marks = spoken.added(contacts.map(({ name }) => name))
    const inserting = sql<Added>`
      WITH claimed AS (${known.claiming(organizationId, claims)}),
      clear AS MATERIALIZED (SELECT WHERE (SELECT count(*) FROM claimed) = ${claims.length}::integer),
      spoken AS (${spoken.marking(organizationId, marks, sql`EXISTS (SELECT FROM clear)`)}),
      ${tagging.locking} added AS (
        INSERT INTO contacts (organization_id, id, name, name_key, phone, email, username, identities, locale, timezone,
          attributes, tags, marketing, consent_source, consent_changed_at, blocked_at, last_seen_at, last_inbound_at,
          created_at, updated_at, version, search)
        SELECT ${organizationId}::uuid, id, name, name_key, phone, email, username, identities, locale, timezone, attributes,
          ${tagging.tags},
          marketing, consent_source, consent_changed_at, blocked_at, last_seen_at, last_inbound_at, created_at,
          updated_at, version, search
        FROM json_to_recordset(${PgTypes.json(records)}) AS r (${sql.literal(recordColumns)}, tags uuid[], version integer)
        WHERE EXISTS (SELECT FROM clear) AND ${tagging.isLocked}
        RETURNING id, tags
      ), ${tagging.linking} counted AS (
        INSERT INTO contact_counts AS c (organization_id, count, ids_tell_time)
        SELECT ${organizationId}::uuid, ${contacts.length}::integer, ${contacts.every(tellsTime)}::boolean
        WHERE EXISTS (SELECT FROM clear) AND ${tagging.isLinked}
        ON CONFLICT (organization_id) DO UPDATE
          SET count = c.count + excluded.count, ids_tell_time = c.ids_tell_time AND excluded.ids_tell_time
        RETURNING count
      )
      SELECT (SELECT count FROM counted) AS count, ARRAY(SELECT kind FROM claimed) AS kinds,
        ARRAY(SELECT key FROM claimed) AS keys`
    // A concurrent transaction can have added an opt-out during the lock wait, so this key is read after it.
    const [[row], suppressionKey] = yield* pipelinePair(inserting, suppressionKeyOf(sql, organizationId))
    if (row === undefined) return yield* Effect.die(new Error("A statement that gives a row gave none."))
    if (row.count !== null) return { count: row.count, suppressionKey }
    const claimed = row.kinds.map((kind, place) => ({ kind, key: row.keys[place] ?? "" }))
    return yield* known.refuse(organizationId, claims, claimed)
  })
}
