import type { OrganizationId } from "@parley/domain/kernel"
import type { ContactId } from "@parley/domain/crm"
import type {
  BroadcastId,
  Candidate,
  FoundCandidates,
  RecipientLedger,
  CandidateSearch
} from "@parley/domain/campaigns"
import { type DateTime, Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { type Instant, stamp, utcOrNull } from "../../kernel/columns.ts"
import type { TenantMethods } from "../../kernel/tenantPort.ts"

/** A due recipient, and whether it is behind the mark. */
export interface CandidateRow extends Omit<Candidate, "dueAt" | "address"> {
  readonly dueAt: Instant | null
  readonly addressKind: NonNullable<Candidate["address"]>["kind"] | null
  readonly address: string | null
  readonly isFresh: boolean
}

const candidateOf = (row: CandidateRow): Candidate => {
  const { address, addressKind, attempts, contactId, dueAt, isSecond, seq, variant } = row
  return {
    seq,
    contactId,
    address: addressKind === null || address === null ? null : { kind: addressKind, value: address },
    variant,
    dueAt: utcOrNull(dueAt),
    attempts,
    isSecond
  }
}

/** Found recipients, and the position where the search ended. */
export const foundOf = (
  rows: ReadonlyArray<CandidateRow>,
  { listed, mark, revision }: { readonly listed: number; readonly mark: number; readonly revision: number },
  limit: number
): FoundCandidates => ({
  candidates: rows.map(candidateOf),
  mark: rows.length < limit ? Math.max(mark, listed) : (rows.findLast(({ isFresh }) => isFresh)?.seq ?? mark),
  revision
})

/** Whether another place of the contact has priority: a started one, or an earlier one on the list. Checked only for merged contacts. */
const isSecond = (sql: SqlClient.SqlClient, organizationId: OrganizationId, id: BroadcastId) => sql`EXISTS (
  SELECT FROM broadcast_recipients AS h WHERE h.organization_id = ${organizationId} AND h.broadcast_id = ${id}
    AND h.contact_id = r.contact_id AND h.transferred_by IS NOT NULL
) AND EXISTS (
  SELECT FROM broadcast_recipients AS o WHERE o.organization_id = ${organizationId} AND o.broadcast_id = ${id}
    AND o.contact_id = r.contact_id AND o.seq <> r.seq AND o.status NOT IN ('excluded', 'never_sent') AND (
      o.status NOT IN ('pending', 'waiting') OR o.seq < r.seq OR EXISTS (
        SELECT FROM broadcast_claims AS w
        WHERE w.organization_id = ${organizationId} AND w.broadcast_id = ${id} AND o.seq = ANY(w.seqs))))`

/**
 * Due recipients. First come the waiting ones, except those being claimed, then those between the mark and the end of the list. Reads can return a
 * recipient behind the mark again, but never miss one.
 */
export const candidatesSql = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  id: BroadcastId,
  { limit, now }: CandidateSearch,
  from: {
    readonly mark: Statement.Fragment
    readonly listed: Statement.Fragment
    readonly except: ReadonlyArray<number>
  }
) => {
  const columns = sql`r.seq, r.contact_id AS "contactId", r.address_kind AS "addressKind", r.address,
    r.variant::text AS variant, r.due_at AS "dueAt", r.attempts, ${isSecond(sql, organizationId, id)} AS "isSecond"`
  return sql`
    (SELECT ${columns}, FALSE AS "isFresh" FROM broadcast_recipients AS r
      WHERE r.organization_id = ${organizationId} AND r.broadcast_id = ${id}
        AND r.waits_until <= ${stamp(now)} AND r.seq <> ALL(${Array.from(from.except)}::integer[]) AND NOT EXISTS (
          SELECT FROM broadcast_claims AS w
          WHERE w.organization_id = ${organizationId} AND w.broadcast_id = ${id} AND r.seq = ANY(w.seqs))
      ORDER BY r.waits_until, r.seq LIMIT ${limit})
    UNION ALL
    (SELECT ${columns}, TRUE AS "isFresh" FROM broadcast_recipients AS r
      WHERE r.organization_id = ${organizationId} AND r.broadcast_id = ${id} AND r.seq > ${from.mark}
        AND r.seq <= ${from.listed} AND r.status = 'pending'
      ORDER BY r.seq LIMIT ${limit})
    LIMIT ${limit}`
}

/** Marketing messages of automations and workflows to the contact `c`, without failed ones. */
const automatedMarketing = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  days: number,
  now: DateTime.Utc
) => sql`(
  SELECT count(*) FROM conversations AS v
  JOIN messages AS m ON m.organization_id = ${organizationId} AND m.conversation_id = v.id
  JOIN message_templates AS t ON t.organization_id = ${organizationId} AND t.id = (m.template ->> 'id')::uuid
  WHERE v.organization_id = ${organizationId} AND v.contact_id = c.id AND m.author_kind = 'automation'
    AND m.at > ${stamp(now)}::timestamptz - make_interval(days => ${days}::integer) AND m.status <> 'failed'
    AND t.category = 'marketing'
)`

type Candidates = TenantMethods<Pick<RecipientLedger["Service"], "next" | "capped">>

/** Finds due recipients. */
export const candidates = (sql: SqlClient.SqlClient): Candidates => ({
  next: Effect.fnUntraced(function* (organization, id, search) {
    // The revision is read first. Later reads can be newer but never older.
    const [progress] = yield* sql<{ readonly mark: number; readonly listed: number; readonly revision: number }>`
      SELECT p.list_position AS mark, p.list_size AS listed, b.list_revision AS revision FROM broadcasts AS b
      JOIN broadcast_progress AS p ON p.organization_id = ${organization.id} AND p.broadcast_id = b.id
      WHERE b.organization_id = ${organization.id} AND b.id = ${id}`
    const at = progress ?? { listed: 0, mark: 0, revision: 0 }
    const from = { mark: sql`${at.mark}::integer`, listed: sql`${at.listed}::integer`, except: [] }
    const rows = yield* sql<CandidateRow>`${candidatesSql(sql, organization.id, id, search, from)}`
    return foundOf(rows, at, search.limit)
  }),
  capped: Effect.fnUntraced(function* (organization, contactIds, caps, now) {
    const rows = yield* Effect.forEach(
      caps,
      ({ automated, days, max, of }) => sql<{ readonly id: ContactId }>`
        SELECT c.id FROM unnest(${Array.from(contactIds)}::uuid[]) AS c (id)
        WHERE (
          SELECT count(*) FROM broadcast_recipients AS r
          WHERE r.organization_id = ${organization.id} AND r.contact_id = c.id
            AND r.broadcast_id = ANY(${Array.from(of)}::uuid[]) AND r.status IN ('in_doubt', 'sent', 'delivered', 'read')
            AND r.called_at > ${stamp(now)}::timestamptz - make_interval(days => ${days}::integer)
        ) + (
          SELECT count(*) FROM broadcast_claims AS w
          WHERE w.organization_id = ${organization.id} AND w.broadcast_id = ANY(${Array.from(of)}::uuid[])
            AND c.id = ANY(w.contact_ids)
        ) + ${automated ? automatedMarketing(sql, organization.id, days, now) : sql`0`} >= ${max}`
    )
    return new Set(rows.flat().map(({ id }) => id))
  })
})
