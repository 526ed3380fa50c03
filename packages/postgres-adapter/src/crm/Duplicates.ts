import type { OrganizationId } from "@parley/domain/kernel"
import {
  type ContactId,
  type DuplicateId,
  type DuplicatePair,
  Duplicates,
  type DuplicateSource,
  type IdentityKind,
  identityKey,
  type IdentityRef
} from "@parley/domain/crm"
import { PgTypes } from "@effect/sql-pg"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utc } from "../kernel/columns.ts"
import { tenantPort } from "../kernel/tenantPort.ts"

interface LinkRow {
  readonly id: DuplicateId
  readonly kind: IdentityKind
  readonly key: string
  readonly otherKind: IdentityKind
  readonly otherKey: string
  readonly otherId: ContactId
  readonly source: DuplicateSource
  readonly foundAt: Instant
}

export const layer = Layer.effect(
  Duplicates,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const given = (refs: ReadonlyArray<IdentityRef>) =>
      sql`SELECT DISTINCT * FROM unnest(${refs.map(({ kind }) => kind)}::text[], ${refs.map(identityKey)}::text[])`

    /** Duplicate links that start at these identities. */
    const seenFrom = (organizationId: OrganizationId, refs: ReadonlyArray<IdentityRef>) => sql`
      (${given(refs)}) AS mine (kind, key)
      JOIN duplicate_links AS l ON l.organization_id = ${organizationId}
        AND l.kind = mine.kind COLLATE "C" AND l.key = mine.key COLLATE "C"`

    const otherOwner = (organizationId: OrganizationId) => sql`
      JOIN contact_identities AS o ON o.organization_id = ${organizationId} AND o.kind = l.other_kind AND o.key = l.other_key`

    return tenantPort(Duplicates, {
      add: Effect.fnUntraced(function* (organization, links) {
        if (links.length === 0) return []
        const records = links.flatMap(({ dismissedAt, foundAt, id, one, other, source }) => {
          const [first, second] = [one, other].map((ref) => ({ kind: ref.kind, key: identityKey(ref) }))
          const rest = {
            id,
            source,
            found_at: DateTime.formatIso(foundAt),
            dismissed_at: dismissedAt === null ? null : DateTime.formatIso(dismissedAt)
          }
          return [
            { ...first, other_kind: second?.kind, other_key: second?.key, ...rest },
            { ...second, other_kind: first?.kind, other_key: first?.key, ...rest }
          ]
        })
        const rows = yield* sql<{ readonly id: DuplicateId }>`
          WITH added AS (
            INSERT INTO duplicate_links (organization_id, kind, key, other_kind, other_key, id, source, found_at, dismissed_at)
            SELECT ${organization.id}::uuid, * FROM json_to_recordset(${PgTypes.json(records)}) AS r (kind text, key text,
              other_kind text, other_key text, id uuid, source text, found_at timestamptz, dismissed_at timestamptz)
            ORDER BY r.kind COLLATE "C", r.key COLLATE "C", r.other_kind COLLATE "C", r.other_key COLLATE "C", r.id
            ON CONFLICT DO NOTHING RETURNING id
          )
          SELECT DISTINCT id FROM added`
        return rows.map(({ id }) => id)
      }),
      list: Effect.fnUntraced(function* (organization, contactId, identities, { after, limit }) {
        if (identities.length === 0) return []
        const rows = yield* sql<LinkRow>`
          SELECT l.id, l.kind, l.key, l.other_kind AS "otherKind", l.other_key AS "otherKey", o.contact_id AS "otherId",
            l.source, l.found_at AS "foundAt"
          FROM ${seenFrom(organization.id, identities)} ${otherOwner(organization.id)}
          WHERE l.dismissed_at IS NULL AND o.contact_id <> ${contactId}
            ${after === null ? sql`` : sql`AND l.id < ${after[0]}::uuid`}
          ORDER BY l.id DESC LIMIT ${limit}`
        return rows.map(({ foundAt, id, key, kind, otherId, otherKey, otherKind, source }) => ({
          id,
          one: { kind, value: key },
          other: { kind: otherKind, value: otherKey },
          otherId,
          source,
          foundAt: utc(foundAt)
        }))
      }),
      pairs: Effect.fnUntraced(function* (organization, identities) {
        if (identities.length === 0) return []
        return yield* sql<DuplicatePair>`
          SELECT DISTINCT m.contact_id AS "contactId", o.contact_id AS "otherId"
          FROM ${seenFrom(organization.id, identities)} ${otherOwner(organization.id)}
          JOIN contact_identities AS m ON m.organization_id = ${organization.id} AND m.kind = l.kind AND m.key = l.key
          WHERE l.dismissed_at IS NULL AND m.contact_id <> o.contact_id`
      }),
      isDismissed: Effect.fnUntraced(function* (organization, ones, others) {
        if (ones.length === 0 || others.length === 0) return false
        const rows = yield* sql`
          SELECT 1 FROM ${seenFrom(organization.id, ones)}
          JOIN (${given(others)}) AS theirs (kind, key)
            ON l.other_kind = theirs.kind COLLATE "C" AND l.other_key = theirs.key COLLATE "C"
          WHERE l.dismissed_at IS NOT NULL LIMIT 1`
        return rows.length > 0
      }),
      dismiss: Effect.fnUntraced(function* (organization, ones, others, now) {
        if (ones.length === 0 || others.length === 0) return 0
        const rows = yield* sql<{ readonly id: DuplicateId }>`
          UPDATE duplicate_links AS l SET dismissed_at = ${stamp(now)}
          FROM (${given(ones)}) AS a (kind, key), (${given(others)}) AS b (kind, key)
          WHERE l.organization_id = ${organization.id} AND l.dismissed_at IS NULL AND (
            (l.kind = a.kind COLLATE "C" AND l.key = a.key COLLATE "C"
              AND l.other_kind = b.kind COLLATE "C" AND l.other_key = b.key COLLATE "C")
            OR (l.kind = b.kind COLLATE "C" AND l.key = b.key COLLATE "C"
              AND l.other_kind = a.kind COLLATE "C" AND l.other_key = a.key COLLATE "C"))
          RETURNING l.id`
        return new Set(rows.map(({ id }) => id)).size
      }),
      forget: Effect.fnUntraced(function* (organization, identities) {
        if (identities.length === 0) return
        yield* sql`
          WITH gone AS (
            DELETE FROM duplicate_links AS l USING (${given(identities)}) AS mine (kind, key)
            WHERE l.organization_id = ${organization.id} AND l.kind = mine.kind COLLATE "C" AND l.key = mine.key COLLATE "C"
            RETURNING l.kind, l.key, l.other_kind, l.other_key
          )
          DELETE FROM duplicate_links AS l USING gone AS g
          WHERE l.organization_id = ${organization.id} AND l.kind = g.other_kind AND l.key = g.other_key
            AND l.other_kind = g.kind AND l.other_key = g.key`
      })
    })
  })
)
