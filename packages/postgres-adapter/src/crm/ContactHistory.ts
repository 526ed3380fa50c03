import { type ActorRef, NotFound, type Uuid } from "@parley/domain/kernel"
import {
  ConsentChange,
  type ConsentChangeId,
  type ConsentPurpose,
  type ConsentState,
  Contact,
  ContactHistory,
  type ContactId,
  ContactMerge,
  type ContactMergeId,
  type HistoryEntry,
  type Survivor,
  type TimelineNote
} from "@parley/domain/crm"
import { PgTypes } from "@effect/sql-pg"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten, type Instant, stamp, utc, utcOrNull } from "../kernel/columns.ts"
import { tenantPort } from "../kernel/tenantPort.ts"

interface ConsentRow {
  readonly id: ConsentChangeId
  readonly contactId: ContactId
  readonly purpose: ConsentPurpose
  readonly state: ConsentState
  readonly source: string
  readonly evidence: string | null
  readonly actorKind: ActorRef["kind"]
  readonly actorId: string
  readonly runId: typeof Uuid.Type | null
  readonly at: Instant
}

const runIn = (runId: typeof Uuid.Type | null) => (runId === null ? {} : { runId })

const consentOf = ({ actorId, actorKind, at, runId, ...row }: ConsentRow) =>
  new ConsentChange({ ...row, actor: { kind: actorKind, id: actorId }, ...runIn(runId), at: utc(at) }, asWritten)

interface EntryRow {
  readonly id: typeof Uuid.Type
  readonly kind: HistoryEntry["kind"]
  readonly purpose: ConsentPurpose
  readonly state: ConsentState
  readonly source: string
  readonly evidence: string | null
  readonly otherId: ContactId
  readonly mergeId: ContactMergeId
  readonly actorKind: ActorRef["kind"]
  readonly actorId: string
  readonly runId: typeof Uuid.Type | null
  readonly at: Instant
}

const entryOf = (row: EntryRow): HistoryEntry => {
  const { evidence, id, kind, mergeId, purpose, source, state } = row
  const common = { id, at: utc(row.at), actor: { kind: row.actorKind, id: row.actorId } }
  switch (kind) {
    case "consent":
      return { kind, ...common, purpose, state, source, evidence, ...runIn(row.runId) }
    case "merged":
    case "unmerged":
      return { kind, ...common, contactId: row.otherId, mergeId }
    case "blocked":
    case "unblocked":
      return { kind, ...common }
  }
}

const othersOf = (note: TimelineNote) =>
  note.kind === "merged" || note.kind === "unmerged"
    ? { otherId: note.contactId, mergeId: note.mergeId }
    : { otherId: null, mergeId: null }

interface MergeRow {
  readonly id: ContactMergeId
  readonly survivorId: ContactId
  readonly before: unknown
  readonly merged: unknown
  readonly actorKind: ActorRef["kind"]
  readonly actorId: string
  readonly at: Instant
  readonly undoneAt: Instant | null
}

const written = Schema.encodeUnknownSync(Schema.toCodecJson(Contact))
const read = Schema.decodeUnknownSync(Schema.toCodecJson(Contact), asWritten)

const mergeOf = ({ actorId, actorKind, at, before, merged, undoneAt, ...row }: MergeRow) =>
  new ContactMerge(
    {
      ...row,
      before: read(before),
      merged: read(merged),
      actor: { kind: actorKind, id: actorId },
      at: utc(at),
      undoneAt: utcOrNull(undoneAt)
    },
    asWritten
  )

const notFound = () => new NotFound({ resource: "merge" })

export const layer = Layer.effect(
  ContactHistory,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const mergeColumns = sql.literal(`id, survivor_id AS "survivorId", before, merged, actor_kind AS "actorKind",
      actor_id AS "actorId", at, undone_at AS "undoneAt"`)
    const olderThan = (after: ReadonlyArray<string> | null) =>
      after === null ? sql`` : sql`AND id < ${after[0]}::uuid`
    const before = (after: ReadonlyArray<string> | null) =>
      after === null ? sql`` : sql`AND (at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`

    return tenantPort(ContactHistory, {
      appendConsent: Effect.fnUntraced(function* (organization, changes) {
        if (changes.length === 0) return
        const rows = changes.map(({ actor, at, contactId, evidence, id, purpose, runId = null, source, state }) => ({
          id,
          contact_id: contactId,
          purpose,
          state,
          source,
          evidence,
          actor_kind: actor.kind,
          actor_id: actor.id,
          run_id: runId,
          at: DateTime.formatIso(at)
        }))
        yield* sql`
          INSERT INTO consent_changes (organization_id, id, contact_id, purpose, state, source, evidence, actor_kind,
            actor_id, run_id, at)
          SELECT ${organization.id}::uuid, * FROM json_to_recordset(${PgTypes.json(rows)}) AS r (id uuid, contact_id uuid,
            purpose text, state text, source text, evidence text, actor_kind text, actor_id text, run_id uuid,
            at timestamptz)`
      }),
      note: Effect.fnUntraced(function* (organization, contactId, note) {
        const { mergeId, otherId } = othersOf(note)
        yield* sql`
          INSERT INTO contact_notes (organization_id, id, contact_id, kind, other_id, merge_id, actor_kind, actor_id, at)
          VALUES (${organization.id}, ${note.id}, ${contactId}, ${note.kind}, ${otherId}, ${mergeId}, ${note.actor.kind},
            ${note.actor.id}, ${stamp(note.at)})`
      }),
      consents: Effect.fnUntraced(function* (organization, contactId, { after, limit }) {
        const rows = yield* sql<ConsentRow>`
          SELECT id, contact_id AS "contactId", purpose, state, source, evidence, actor_kind AS "actorKind",
            actor_id AS "actorId", run_id AS "runId", at
          FROM consent_changes
          WHERE organization_id = ${organization.id} AND contact_id = ${contactId} ${olderThan(after)}
          ORDER BY id DESC LIMIT ${limit}`
        return rows.map(consentOf)
      }),
      timeline: Effect.fnUntraced(function* (organization, contactId, { after, limit }) {
        const rows = yield* sql<EntryRow>`
          (SELECT id, 'consent' AS kind, purpose, state, source, evidence, NULL::uuid AS "otherId", NULL::uuid AS "mergeId",
            actor_kind AS "actorKind", actor_id AS "actorId", run_id AS "runId", at
          FROM consent_changes
          WHERE organization_id = ${organization.id} AND contact_id = ${contactId} ${before(after)}
          ORDER BY at DESC, id DESC LIMIT ${limit})
          UNION ALL
          (SELECT id, kind, NULL, NULL, NULL, NULL, other_id, merge_id, actor_kind, actor_id, NULL, at
          FROM contact_notes
          WHERE organization_id = ${organization.id} AND contact_id = ${contactId} ${before(after)}
          ORDER BY at DESC, id DESC LIMIT ${limit})
          ORDER BY at DESC, id DESC LIMIT ${limit}`
        return rows.map(entryOf)
      }),
      merge: Effect.fnUntraced(function* (organization, { actor, at, before, id, merged, survivorId, undoneAt }) {
        yield* sql`
          INSERT INTO contact_merges (organization_id, id, survivor_id, merged_id, before, merged, actor_kind, actor_id, at,
            undone_at)
          VALUES (${organization.id}, ${id}, ${survivorId}, ${merged.id}, ${PgTypes.jsonb(written(before))},
            ${PgTypes.jsonb(written(merged))}, ${actor.kind}, ${actor.id}, ${stamp(at)}, ${stamp(undoneAt)})`
        for (const table of ["consent_changes", "contact_notes"] as const) {
          yield* sql`
            UPDATE ${sql(table)} SET contact_id = ${survivorId}, transferred_by = transferred_by || ${id}::uuid
            WHERE organization_id = ${organization.id} AND contact_id = ${merged.id}`
        }
      }),
      getMerge: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<MergeRow>`
          SELECT ${mergeColumns} FROM contact_merges WHERE organization_id = ${organization.id} AND id = ${id}`
        return row === undefined ? yield* notFound() : mergeOf(row)
      }),
      mergesInto: Effect.fnUntraced(function* (organization, contactId, limit) {
        const rows = yield* sql<MergeRow>`
          SELECT ${mergeColumns} FROM contact_merges
          WHERE organization_id = ${organization.id} AND survivor_id = ${contactId} AND undone_at IS NULL
          ORDER BY id DESC LIMIT ${limit}`
        return rows.map(mergeOf)
      }),
      survivorOf: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<Survivor>`
          SELECT survivor_id AS id, id AS "mergeId" FROM contact_merges
          WHERE organization_id = ${organization.id} AND merged_id = ${id} AND undone_at IS NULL`
        return row ?? null
      }),
      partsOf: Effect.fnUntraced(function* (organization, ids) {
        if (ids.length === 0) return []
        const rows = yield* sql<{ readonly id: ContactId }>`
          WITH RECURSIVE parts (id) AS (
            SELECT m.merged_id FROM contact_merges AS m
            WHERE m.organization_id = ${organization.id} AND m.survivor_id = ANY(${Array.from(ids)}::uuid[])
              AND m.undone_at IS NULL
            UNION SELECT m.merged_id FROM contact_merges AS m JOIN parts AS p ON m.survivor_id = p.id
            WHERE m.organization_id = ${organization.id} AND m.undone_at IS NULL
          )
          SELECT id FROM parts`
        return rows.map(({ id }) => id)
      }),
      unmerge: Effect.fnUntraced(function* (organization, id, now) {
        const [row] = yield* sql<{ readonly mergedId: ContactId; readonly survivorId: ContactId }>`
          UPDATE contact_merges SET undone_at = ${stamp(now)}
          WHERE organization_id = ${organization.id} AND id = ${id} AND undone_at IS NULL
          RETURNING merged_id AS "mergedId", survivor_id AS "survivorId"`
        if (row === undefined) return yield* notFound()
        for (const table of ["consent_changes", "contact_notes"] as const) {
          yield* sql`
            UPDATE ${sql(table)} SET contact_id = ${row.mergedId}, transferred_by = trim_array(transferred_by, 1)
            WHERE organization_id = ${organization.id} AND contact_id = ${row.survivorId}
              AND transferred_by[cardinality(transferred_by)] = ${id}::uuid`
        }
      }),
      rebase: Effect.fnUntraced(function* (organization, id, before) {
        yield* sql`
          UPDATE contact_merges SET before = ${PgTypes.jsonb(written(before))}
          WHERE organization_id = ${organization.id} AND id = ${id}`
      }),
      erase: Effect.fnUntraced(function* (organization, contactId) {
        // A merge stores the data of both contacts, and of contacts that were merged into either before.
        yield* sql`
          WITH RECURSIVE erased (id) AS (
            SELECT ${contactId}::uuid
            UNION SELECT m.merged_id FROM contact_merges AS m JOIN erased AS e ON m.survivor_id = e.id
            WHERE m.organization_id = ${organization.id} AND m.undone_at IS NULL
          )
          DELETE FROM contact_merges WHERE organization_id = ${organization.id} AND id IN (
            SELECT m.id FROM contact_merges AS m JOIN erased AS e ON e.id IN (m.survivor_id, m.merged_id)
            WHERE m.organization_id = ${organization.id})`
        for (const table of ["consent_changes", "contact_notes"] as const) {
          yield* sql`
            DELETE FROM ${sql(table)} WHERE organization_id = ${organization.id} AND contact_id = ${contactId}`
        }
      })
    })
  })
)
