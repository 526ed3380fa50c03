import type { OrganizationId } from "@parley/domain/kernel"
import type {
  AudiencePlan,
  Audiences,
  AudienceSnapshotId,
  ContactClock,
  ExclusionReason
} from "@parley/domain/campaigns"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { audienceSql, numberOf } from "./audienceSql.ts"
import type { TenantMethods } from "../kernel/tenantPort.ts"

/** Exclusion reasons that apply before a broadcast starts. */
const countable = [
  "excluded_by_filter",
  "no_identity",
  "not_subscribed",
  "blocked",
  "region_blocked",
  "missing_variable",
  "frequency_cap"
] as const satisfies ReadonlyArray<ExclusionReason>

/** Plus sign and six digits, which decide the country: numbers of Guernsey begin with +441481. */
const countryDigits = 7

/** Number of leading digits that determine the country of a phone number. */
const clockDigits = 6

/** Contacts of an audience or of a stored list, with the exclusion reason, and whether they are in the hold-out. */
const judged = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  plan: AudiencePlan,
  snapshotId: AudienceSnapshotId | null
) => {
  const { capJoins, heldOut, isCapped, matched, needsVariant, reason, variant } = audienceSql(sql, organizationId, plan)
  const source =
    snapshotId === null
      ? sql`
          SELECT c.id, ${reason("all")} AS reason FROM (
            SELECT c.*, ${needsVariant ? variant : sql`NULL::text`} AS variant, ${isCapped.all} AS capped
            FROM contacts AS c ${capJoins}
            WHERE c.organization_id = ${organizationId} AND ${matched}
          ) AS c OFFSET 0`
      : sql`
          SELECT k.contact_id AS id, k.reason FROM audience_snapshot_contacts AS k
          WHERE k.organization_id = ${organizationId} AND k.snapshot_id = ${snapshotId}`
  return { heldOut, source }
}

/** Size of an audience, number of recipients, and their clocks. */
export const audienceCounts = (
  sql: SqlClient.SqlClient
): TenantMethods<Pick<Audiences["Service"], "clocks" | "count" | "numbers" | "size">> => ({
  count: Effect.fnUntraced(function* (organization, plan) {
    const { capJoins, isCapped, matched, needsVariant, reason, variant } = audienceSql(sql, organization.id, plan)
    // Counted in one pass. Groups by reason would need a sort, because the planner cannot estimate their small number.
    const counts = countable.map(
      (each) => sql`count(*) FILTER (WHERE c.reason = ${sql.literal(String(numberOf(each)))})`
    )
    const [row] = yield* sql<{ readonly matched: number; readonly counts: ReadonlyArray<number> }>`
      SELECT count(*)::integer AS matched, ARRAY[${sql.join(", ", false)(counts)}]::integer[] AS counts FROM (
        SELECT ${reason("all")} AS reason FROM (
          SELECT c.*, ${needsVariant ? variant : sql`NULL::text`} AS variant, ${isCapped.all} AS capped
          FROM contacts AS c ${capJoins}
          WHERE c.organization_id = ${organization.id} AND ${matched}
        ) AS c OFFSET 0
      ) AS c`.unprepared
    const found = countable.map((each, place) => [each, row?.counts[place] ?? 0] as const)
    return {
      matched: row?.matched ?? 0,
      excluded: Object.fromEntries(found.filter(([, count]) => count > 0))
    }
  }),
  size: Effect.fnUntraced(function* (organization, plan, snapshotId) {
    const { heldOut, source } = judged(sql, organization.id, plan, snapshotId)
    const [row] = yield* sql<{ readonly matched: number; readonly toSend: number }>`
      SELECT count(*)::integer AS matched, count(*) FILTER (WHERE c.reason IS NULL AND NOT ${heldOut})::integer AS "toSend"
      FROM (${source}) AS c`.unprepared
    return row ?? { matched: 0, toSend: 0 }
  }),
  clocks: Effect.fnUntraced(function* (organization, plan, snapshotId) {
    const { heldOut, source } = judged(sql, organization.id, plan, snapshotId)
    const rows = yield* sql<ContactClock & { readonly count: number }>`
      SELECT d.timezone, min(d.phone) AS phone, count(*)::integer AS count
      FROM (${source}) AS c
      LEFT JOIN contacts AS d ON d.organization_id = ${organization.id} AND d.id = c.id
      WHERE c.reason IS NULL AND NOT ${heldOut}
      GROUP BY d.timezone, CASE WHEN d.timezone IS NULL THEN left(d.phone, ${clockDigits}) END`.unprepared
    return rows.map(({ count, phone, timezone }) => ({ of: { phone, timezone }, count }))
  }),
  numbers: Effect.fnUntraced(function* (organization, plan, snapshotId) {
    const { heldOut, source } = judged(sql, organization.id, plan, snapshotId)
    return yield* sql<{ readonly phone: string | null; readonly count: number }>`
      SELECT min(d.phone) AS phone, count(*)::integer AS count
      FROM (${source}) AS c
      LEFT JOIN contacts AS d ON d.organization_id = ${organization.id} AND d.id = c.id
      WHERE c.reason IS NULL AND NOT ${heldOut}
      GROUP BY left(d.phone, ${countryDigits})`.unprepared
  })
})
