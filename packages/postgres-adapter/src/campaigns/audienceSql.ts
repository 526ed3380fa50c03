import type { OrganizationId } from "@parley/domain/kernel"
import type { Filter } from "@parley/domain/crm"
import { type AudiencePlan, ExclusionReason, type PlannedCap } from "@parley/domain/campaigns"
import type { SqlClient, Statement } from "effect/sql"
import { conjuncts } from "../crm/drivers.ts"
import { filterSql } from "../crm/filterSql.ts"
import { stamp } from "../kernel/columns.ts"

/** Whether caps are checked separately for each of few contacts, or for all contacts in one query. */
export type CapForm = "each" | "all"

/** Number of a reason for counting many contacts: numbers compare faster than texts. */
export const numberOf = (reason: ExclusionReason): number => ExclusionReason.literals.indexOf(reason)

const nobodyIsMeant = (filter: Filter) => filter.kind === "any" && filter.of.length === 0

/**
 * SQL parts that decide which contact of an audience gets which message, over `contacts AS c`. If the columns of the index `contacts_audience`
 * suffice, no contact row is read.
 */
export const audienceSql = (sql: SqlClient.SqlClient, organizationId: OrganizationId, plan: AudiencePlan) => {
  const { caps, exclude, holdOut, isMarketing, keepsVariantsOf, lacking, reaches, splitKey, startsAt, variants } = plan
  const filter = (of: Filter) => filterSql(sql, organizationId, of)
  const reachesPhones = reaches.includes("phone")
  const kinds = sql`${Array.from(reaches)}::text[]`

  /** Tags are looked up by their links, without reading contacts. */
  const part = (of: Filter): Statement.Fragment =>
    of.kind === "tagged"
      ? sql`(c.id IN (SELECT l.contact_id FROM contact_tags AS l
          WHERE l.organization_id = ${organizationId} AND l.tag_id = ${of.tag})
          AND EXISTS (SELECT FROM tags AS t WHERE t.organization_id = ${organizationId} AND t.id = ${of.tag}))`
      : filter(of)

  const matched = sql.and([sql`TRUE`, ...conjuncts(plan.audience).map(part)])

  const byIdentities = sql`(
    SELECT i.kind || ':' || i.value
    FROM ROWS FROM (jsonb_to_recordset(c.identities) AS (kind text, value text)) WITH ORDINALITY AS i (kind, value, place)
    WHERE i.kind = ANY(${kinds}) ORDER BY array_position(ARRAY['phone', 'chat_user', 'external'], i.kind), i.place LIMIT 1)`

  /** Address of the contact, prefixed with its kind. The primary phone has priority. */
  const way = reachesPhones
    ? sql`CASE WHEN c.phone IS NOT NULL THEN 'phone:' || c.phone ELSE ${byIdentities} END`
    : byIdentities

  const reachable = sql.or(reaches.map((has) => filterSql(sql, organizationId, { kind: "identity", has })))

  /** Other identities are read only for contacts without a phone. */
  const unreached = reachesPhones
    ? sql`(c.phone IS NULL AND NOT EXISTS (SELECT FROM (
        SELECT * FROM contacts AS w WHERE w.organization_id = ${organizationId} AND w.id = c.id) AS c WHERE ${reachable}))`
    : sql`(${reaches.length === 0 ? sql`FALSE` : reachable}) IS NOT TRUE`

  const bucket = (purpose: "holdout" | "variant") => sql`(('x' || substr(encode(sha256(convert_to(
    ${`${splitKey}\n${purpose}\n`}::text || c.id::text, 'UTF8')), 'hex'), 1, 12))::bit(48)::bigint % 10000)::integer`

  /** First bucket of each variant. */
  const starts = variants.map((_, place) => variants.slice(0, place).reduce((sum, { weight }) => sum + weight * 100, 0))

  const keys = sql`${variants.map(({ key }) => key)}::text[]`
  const drawn = sql`(${keys})[width_bucket(${bucket("variant")}, ${starts}::integer[])]`

  const variant =
    variants.length === 0
      ? sql`NULL::text`
      : keepsVariantsOf === null
        ? drawn
        : sql`COALESCE((SELECT k.variant::text FROM broadcast_recipients AS k WHERE k.organization_id = ${organizationId}
            AND k.contact_id = c.id AND k.broadcast_id = ${keepsVariantsOf}::uuid AND k.variant::text = ANY(${keys})
            ORDER BY k.seq LIMIT 1), ${drawn})`

  const lacksAny = sql.or([
    sql`FALSE`,
    ...(nobodyIsMeant(lacking) ? [] : [filter(lacking)]),
    ...variants
      .filter((each) => !nobodyIsMeant(each.lacking))
      .map((each) => sql`(c.variant = ${each.key} AND ${filter(each.lacking)})`)
  ])

  /** Whether missing values depend on the variant. */
  const needsVariant = variants.some((each) => !nobodyIsMeant(each.lacking))
  const isComplete = nobodyIsMeant(lacking) && !needsVariant

  const counting = caps.filter(({ of }) => of.length > 0)

  const within = ({ days, of }: PlannedCap, at: Statement.Fragment) => sql`r.organization_id = ${organizationId}
    AND r.broadcast_id = ANY(${Array.from(of)}::uuid[]) AND r.status IN ('in_doubt', 'sent', 'delivered', 'read')
    AND r.called_at > ${at} - make_interval(days => ${days}::integer) AND r.called_at <= ${at}`

  /** Contacts over a cap are computed once for all contacts. */
  const capJoins = sql.join(
    " ",
    false
  )([
    sql``,
    ...counting.map(
      (cap, place) => sql`LEFT JOIN (
        SELECT r.contact_id AS id FROM broadcast_recipients AS r WHERE ${within(cap, sql`${stamp(startsAt)}::timestamptz`)}
        GROUP BY r.contact_id HAVING count(*) >= ${cap.max}) AS ${sql.literal(`cap${place}`)}
        ON ${sql.literal(`cap${place}`)}.id = c.id`
    )
  ])

  const isCapped = {
    all: sql.or([sql`FALSE`, ...counting.map((_, place) => sql`${sql.literal(`cap${place}`)}.id IS NOT NULL`)]),
    each: sql.or([
      sql`FALSE`,
      ...counting.map(
        (cap) => sql`(SELECT count(*) FROM broadcast_recipients AS r WHERE r.contact_id = c.id
          AND ${within(cap, sql`COALESCE(c.due, ${stamp(startsAt)}::timestamptz)`)}) >= ${cap.max}`
      )
    ])
  }

  /**
   * First exclusion reason of a contact. In addition to its columns, `c` has the address, the variant, the due time and whether that has passed. For
   * all contacts together, `c` has the caps instead, and the reason is its number.
   */
  const reason = (form: CapForm) => {
    const reasonCode = (reason: ExclusionReason) =>
      sql.literal(form === "all" ? String(numberOf(reason)) : `'${reason}'`)
    return sql`CASE
      ${nobodyIsMeant(exclude) ? sql`` : sql`WHEN ${filter(exclude)} THEN ${reasonCode("excluded_by_filter")}`}
      WHEN ${form === "all" ? unreached : sql`c.way IS NULL`} THEN ${reasonCode("no_identity")}
      ${isMarketing ? sql`WHEN c.marketing <> 'subscribed' THEN ${reasonCode("not_subscribed")}` : sql``}
      WHEN c.blocked_at IS NOT NULL THEN ${reasonCode("blocked")}
      ${isMarketing && reachesPhones ? sql`WHEN c.phone ^@ '+1' THEN ${reasonCode("region_blocked")}` : sql``}
      ${isComplete ? sql`` : sql`WHEN ${lacksAny} THEN ${reasonCode("missing_variable")}`}
      ${counting.length === 0 ? sql`` : sql`WHEN ${form === "all" ? sql`c.capped` : isCapped.each} THEN ${reasonCode("frequency_cap")}`}
      ${form === "all" ? sql`` : sql`WHEN c.skipped THEN ${reasonCode("local_time_passed")}`}
      END`
  }

  const heldOut = holdOut === 0 ? sql`FALSE` : sql`${bucket("holdout")} < ${Math.round(holdOut * 100)}`

  return { capJoins, heldOut, isCapped, matched, needsVariant, reason, variant, way }
}
