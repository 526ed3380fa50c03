import { identityLookupKey } from "@parley/domain/crm"
import { type BusinessRef, DailyRecipients, dailyWindow, type Recipient } from "@parley/domain/messaging"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utc } from "../../kernel/columns.ts"
import { type Organization, tenantPort } from "../../kernel/tenantPort.ts"

interface Look {
  /** Number of expired names. */
  readonly gone: number
  readonly reached: number
  /** Names that still count. */
  readonly counted: ReadonlyArray<string>
}

const namesOf = (recipients: ReadonlyArray<Recipient>) => recipients.map(identityLookupKey)

/** Number of these names that fit. Names that already count use no more of the limit. */
const fitting = (
  names: ReadonlyArray<string>,
  counted: ReadonlyArray<string>,
  { most, reached }: { readonly most: number; readonly reached: number }
) => {
  const known = new Set(counted)
  let room = most - reached
  for (const [place, name] of names.entries()) {
    if (known.has(name)) continue
    if (room <= 0) return place
    known.add(name)
    room -= 1
  }
  return names.length
}

export const layer = Layer.effect(
  DailyRecipients,
  Effect.map(SqlClient.SqlClient, (sql) => {
    /** Digest of a recipient, which does not reveal the identity. */
    const digest = sql.literal("sha256(convert_to(n.name, 'UTF8'))")

    const lock = Effect.fnUntraced(function* (organization: Organization, { businessId, provider }: BusinessRef) {
      const locked = yield* sql`
        SELECT FROM daily_reach_counts
        WHERE organization_id = ${organization.id} AND provider = ${provider} AND business_id = ${businessId}
        FOR UPDATE`
      return locked.length > 0
    })

    /** Locks the counter of the business. Other writers wait until the unit of work ends. */
    const lockOrMake = Effect.fnUntraced(function* (organization: Organization, business: BusinessRef) {
      if (yield* lock(organization, business)) return
      yield* sql`
        INSERT INTO daily_reach_counts (organization_id, provider, business_id)
        VALUES (${organization.id}, ${business.provider}, ${business.businessId}) ON CONFLICT DO NOTHING`
      yield* lock(organization, business)
    })

    /** Deletes expired names. Returns the number that count, and which of these names count. */
    const look = Effect.fnUntraced(function* (
      { id }: Organization,
      { businessId, provider }: BusinessRef,
      names: ReadonlyArray<string>,
      now: DateTime.Utc
    ) {
      const since = stamp(DateTime.subtractDuration(now, dailyWindow))
      const [row] = yield* sql<Look>`
        WITH gone AS (
          DELETE FROM daily_reach WHERE organization_id = ${id} AND provider = ${provider}
            AND business_id = ${businessId} AND reached_at <= ${since}
          RETURNING 1
        ), over AS (SELECT count(*)::integer AS gone FROM gone)
        SELECT o.gone, d.reached - o.gone AS reached, ARRAY(
          SELECT n.name FROM unnest(${names}::text[]) AS n (name)
          JOIN daily_reach AS r ON r.organization_id = ${id} AND r.provider = ${provider}
            AND r.business_id = ${businessId} AND r.recipient = ${digest} AND r.reached_at > ${since}
        ) AS counted
        FROM daily_reach_counts AS d, over AS o
        WHERE d.organization_id = ${id} AND d.provider = ${provider} AND d.business_id = ${businessId}`
      return row ?? { gone: 0, reached: 0, counted: [] }
    })

    const count = Effect.fnUntraced(function* (
      { id }: Organization,
      { businessId, provider }: BusinessRef,
      names: ReadonlyArray<string>,
      gone: number,
      now: DateTime.Utc
    ) {
      if (names.length === 0 && gone === 0) return
      yield* sql`
        WITH added AS (
          INSERT INTO daily_reach AS r (organization_id, provider, business_id, recipient, reached_at)
          SELECT ${id}, ${provider}, ${businessId}, ${digest}, ${stamp(now)}
          FROM unnest(${[...new Set(names)]}::text[]) AS n (name) ORDER BY 4
          ON CONFLICT (organization_id, provider, business_id, recipient)
            DO UPDATE SET former_at = r.reached_at, reached_at = excluded.reached_at
          RETURNING r.former_at
        )
        UPDATE daily_reach_counts SET reached = reached - ${gone}::integer
          + (SELECT count(*) FROM added WHERE former_at IS NULL)
        WHERE organization_id = ${id} AND provider = ${provider} AND business_id = ${businessId}`
    })

    /** Time at which fewer than `most` names count. */
    const freeAt = Effect.fnUntraced(function* (
      { id }: Organization,
      { businessId, provider }: BusinessRef,
      most: number
    ) {
      if (most <= 0) return null
      const [row] = yield* sql<{ readonly reachedAt: Instant }>`
        SELECT reached_at AS "reachedAt" FROM daily_reach
        WHERE organization_id = ${id} AND provider = ${provider} AND business_id = ${businessId}
        ORDER BY reached_at LIMIT 1 OFFSET (
          SELECT greatest(0, reached - ${most}::integer) FROM daily_reach_counts
          WHERE organization_id = ${id} AND provider = ${provider} AND business_id = ${businessId})`
      return row === undefined ? null : DateTime.addDuration(utc(row.reachedAt), dailyWindow)
    })

    return tenantPort(DailyRecipients, {
      reach: Effect.fnUntraced(function* (organization, business, recipients, { most, now }) {
        yield* lockOrMake(organization, business)
        const names = namesOf(recipients)
        const { counted, gone, reached } = yield* look(organization, business, names, now)
        const granted = most === null ? names.length : fitting(names, counted, { most, reached })
        yield* count(organization, business, names.slice(0, granted), gone, now)
        const isAll = most === null || granted === names.length
        return { granted, freeAt: isAll ? null : yield* freeAt(organization, business, most) }
      }),
      takeBack: Effect.fnUntraced(function* (organization, business, recipients, at) {
        if (recipients.length === 0 || !(yield* lock(organization, business))) return
        const { id } = organization
        const { businessId, provider } = business
        yield* sql`
          WITH given AS (
            SELECT ${digest} AS recipient FROM unnest(${namesOf(recipients)}::text[]) AS n (name)
          ), gone AS (
            DELETE FROM daily_reach WHERE organization_id = ${id} AND provider = ${provider}
              AND business_id = ${businessId} AND recipient IN (SELECT recipient FROM given)
              AND reached_at = ${stamp(at)} AND former_at IS NULL
            RETURNING 1
          ), restored AS (
            UPDATE daily_reach SET reached_at = former_at, former_at = NULL
            WHERE organization_id = ${id} AND provider = ${provider} AND business_id = ${businessId}
              AND recipient IN (SELECT recipient FROM given) AND reached_at = ${stamp(at)} AND former_at IS NOT NULL
          )
          UPDATE daily_reach_counts SET reached = reached - (SELECT count(*) FROM gone)
          WHERE organization_id = ${id} AND provider = ${provider} AND business_id = ${businessId}`
      }),
      reached: Effect.fnUntraced(function* ({ id }, { businessId, provider }, now) {
        const rows = yield* sql<{ readonly at: Instant; readonly count: number }>`
          SELECT date_trunc('minute', reached_at) AS at, count(*)::integer AS count FROM daily_reach
          WHERE organization_id = ${id} AND provider = ${provider} AND business_id = ${businessId}
            AND reached_at > ${stamp(DateTime.subtractDuration(now, dailyWindow))}
          GROUP BY 1 ORDER BY 1`
        return rows.map(({ at, count }) => ({ at: utc(at), count }))
      }),
      forget: Effect.fnUntraced(function* ({ id }, now) {
        const businesses = yield* sql`
          SELECT provider FROM daily_reach_counts WHERE organization_id = ${id} AND reached > 0
          ORDER BY provider, business_id FOR UPDATE`
        if (businesses.length === 0) return
        yield* sql`
          WITH gone AS (
            DELETE FROM daily_reach
            WHERE organization_id = ${id} AND reached_at <= ${stamp(DateTime.subtractDuration(now, dailyWindow))}
            RETURNING provider, business_id
          ), counts AS (
            SELECT provider, business_id, count(*)::integer AS count FROM gone GROUP BY provider, business_id
          )
          UPDATE daily_reach_counts AS d SET reached = d.reached - c.count FROM counts AS c
          WHERE d.organization_id = ${id} AND d.provider = c.provider AND d.business_id = c.business_id`
      })
    })
  })
)
