import {
  type Contact,
  type ContactId,
  type ContactQuery,
  type Filter,
  type FoundContacts,
  type OrganizationId,
  type Slice
} from "@parley/domain"
import { DateTime, Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { type Instant, utc } from "../kernel/columns.ts"
import { contactColumns, contactOf, type ContactRow } from "./contactRow.ts"
import { anyTagOf, conjuncts, type Driver, driversOf, idsWithin, inIndexWords, isWithin } from "./drivers.ts"
import { filterSql } from "./filterSql.ts"
import { mostGathered, promising } from "./promising.ts"
import { searchSql } from "./searchSql.ts"
import { type SortField, sorting } from "./sorting.ts"

/** What is known of an organization's contacts before a list is read. */
export interface Extent {
  readonly count: number
  readonly idsTellTime: boolean
}

/** How many contacts may be read one by one for a page: of so few, any index will do. */
const few = 3_000

/** How many rows of an order are looked at before another way is tried. */
const stroll = 2_000

/** How many rows of an order are looked at for one page: whoever wants more of what is so rare there goes on from there. */
const furthest = 5_000

/** Where a walk has turned back. */
interface Turn {
  readonly id: ContactId
  readonly nameKey: string
  readonly lastSeenAt: Instant | null
}

const keyAt = (field: SortField, { id, lastSeenAt, nameKey }: Turn): ReadonlyArray<string> => {
  switch (field) {
    case "createdAt":
      return [id]
    case "name":
      return [nameKey, id]
    case "lastSeenAt":
      return [lastSeenAt === null ? "" : DateTime.formatIso(utc(lastSeenAt)), id]
  }
}

const whole = (rows: ReadonlyArray<Contact>): FoundContacts => ({ rows, resume: null })

/**
 * Reads a page of contacts, in time that does not grow with the organization. What is common is met soon on a walk
 * along the order; what is rare is gathered by the index that knows where it is, and sorted. Which of them it is, is
 * found out by a stroll of so many rows, unless it is known before.
 */
export const listing = (sql: SqlClient.SqlClient) => {
  type Rows = Effect.Effect<ReadonlyArray<Contact>, SqlError.SqlError>

  const readInOrder = Effect.fnUntraced(function* (organizationId: OrganizationId, ids: ReadonlyArray<ContactId>) {
    if (ids.length === 0) return []
    const rows = yield* sql<ContactRow>`
      SELECT ${contactColumns(sql, organizationId)} FROM contacts AS c
      WHERE c.organization_id = ${organizationId} AND c.id = ANY(${Array.from(ids)}::uuid[])`
    const places = new Map(ids.map((id, place) => [id, place]))
    return rows.map(contactOf).toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0))
  })

  const countsOfTags = Effect.fnUntraced(function* (organizationId: OrganizationId, parts: ReadonlyArray<Filter>) {
    const wanted = parts.flatMap((part) => anyTagOf(part) ?? [])
    if (wanted.length === 0) return []
    const rows = yield* sql<{ readonly id: string; readonly count: number }>`
      SELECT id, contact_count AS count FROM tags
      WHERE organization_id = ${organizationId} AND id = ANY(${wanted}::uuid[])`
    const counts = new Map(rows.map(({ count, id }) => [id, count]))
    return parts
      .flatMap((part) => {
        const tags = anyTagOf(part)
        return tags === null ? [] : [{ tags, count: tags.reduce((sum, tag) => sum + (counts.get(tag) ?? 0), 0) }]
      })
      .toSorted((one, other) => one.count - other.count)
  })

  return Effect.fnUntraced(function* (
    organizationId: OrganizationId,
    extent: Effect.Effect<Extent>,
    { filter, search, sort }: ContactQuery,
    { after, limit }: Slice
  ) {
    const parts = conjuncts(filter)
    const { after: beyond, field, key, order, orderFound } = sorting(sql, sort)
    const columns = contactColumns(sql, organizationId)
    const meets: Statement.Fragment = sql.and([
      filterSql(sql, organizationId, filter),
      ...(search === null ? [] : [searchSql(sql, search)])
    ])

    if (parts.length === 0 && search === null) {
      const rows = yield* sql<ContactRow>`
        SELECT ${columns} FROM contacts AS c WHERE c.organization_id = ${organizationId} AND ${beyond(after)}
        ORDER BY ${order} LIMIT ${limit}`
      return whole(rows.map(contactOf))
    }

    const { count: total, idsTellTime } = yield* extent
    const withinIds = sql.and([
      beyond(after),
      ...(field === "createdAt" && idsTellTime ? parts.flatMap((part) => idsWithin(sql, part) ?? []) : [])
    ])
    const within = sql.and([
      withinIds,
      ...parts
        .filter((part) => isWithin(field, part))
        .map((part) => {
          const words = inIndexWords(part)
          return words === null ? filterSql(sql, organizationId, part) : sql.literal(words)
        })
    ])
    // Planned for what is asked for: what is rare in one organization is common in another.
    const asRows = (statement: Statement.Statement<ContactRow>): Rows =>
      Effect.map(statement.unprepared, (rows) => rows.map(contactOf))

    if (total <= few) {
      const found = asRows(sql`
        SELECT ${columns} FROM contacts AS c WHERE c.organization_id = ${organizationId} AND ${within} AND ${meets}
        ORDER BY ${order} LIMIT ${limit}`)
      return whole(yield* found)
    }

    const inOrder = sql`
      SELECT * FROM contacts AS c WHERE c.organization_id = ${organizationId} AND ${within} ORDER BY ${order}`
    // Not sorted once more: then it would be planned for all rows, and they would all be read and sorted first.
    const walkOver = (rows: Statement.Fragment) =>
      asRows(sql`SELECT ${columns} FROM (${rows}) AS c WHERE ${meets} LIMIT ${limit}`)

    /** `null` if they are too many. */
    const gather = Effect.fnUntraced(function* (driver: Driver, most: number) {
      const ids =
        driver.kind === "ids"
          ? sql`WITH ids AS MATERIALIZED (SELECT id FROM (${driver.ids}) AS d LIMIT ${2 * most + 1}),`
          : sql`WITH`
      const source =
        driver.kind === "ids"
          ? sql`(SELECT DISTINCT id FROM ids) AS d CROSS JOIN LATERAL (
              SELECT * FROM contacts AS c WHERE c.organization_id = ${organizationId} AND c.id = d.id LIMIT 1) AS c`
          : sql`contacts AS c WHERE c.organization_id = ${organizationId} AND ${driver.where}`
      const overfull = driver.kind === "ids" ? sql`(SELECT count(*) FROM ids) > ${2 * most}` : sql`FALSE`
      // Without a limit of its own it is planned for all there are, but runs only as far as it is asked for more.
      const [found] = yield* sql<{ readonly isWhole: boolean; readonly ids: ReadonlyArray<ContactId> }>`
        ${ids} met AS MATERIALIZED (
          SELECT c.id, ${key} AS key, (${meets} AND ${beyond(after)}) AS fits FROM ${source}
        ), found AS MATERIALIZED (SELECT * FROM met LIMIT ${most + 1})
        SELECT NOT ${overfull} AND (SELECT count(*) FROM found) <= ${most} AS "isWhole",
          ARRAY(SELECT id FROM found WHERE fits ORDER BY ${orderFound} LIMIT ${limit}) AS ids`.unprepared
      return found?.isWhole === true ? whole(yield* readInOrder(organizationId, found.ids)) : null
    })

    let strolled = sql`${inOrder} LIMIT ${stroll}`
    let walked = sql`${inOrder} LIMIT ${furthest}`
    // The same rows once more: asked for by themselves, so few columns would rather be read whole and sorted.
    let turn = sql`SELECT c.id, c.name_key AS "nameKey", c.last_seen_at AS "lastSeenAt"
      FROM (${inOrder} LIMIT ${furthest}) AS c OFFSET ${furthest - 1} LIMIT 1`
    const [rarest] = yield* countsOfTags(organizationId, parts)
    if (rarest !== undefined) {
      const { count, tags } = rarest
      const [only] = tags
      const tagged = sql`SELECT contact_id AS id FROM contact_tags
        WHERE organization_id = ${organizationId} AND tag_id = ANY(${Array.from(tags)}::uuid[])`
      if (field === "createdAt" && tags.length === 1 && only !== undefined) {
        const ids = sql`SELECT c.id FROM (
            SELECT contact_id AS id FROM contact_tags WHERE organization_id = ${organizationId} AND tag_id = ${only}
          ) AS c WHERE ${withinIds} ORDER BY ${order}`
        if (parts.length === 1 && search === null) {
          const found = asRows(sql`
            SELECT ${columns} FROM (${ids} LIMIT ${limit}) AS page
            CROSS JOIN LATERAL (
              SELECT * FROM contacts AS c WHERE c.organization_id = ${organizationId} AND c.id = page.id LIMIT 1) AS c
            WHERE ${meets} ORDER BY ${order}`)
          return whole(yield* found)
        }
        const tagged = (most: number) => sql`SELECT c.* FROM (${ids} LIMIT ${most}) AS page
          CROSS JOIN LATERAL (
            SELECT * FROM contacts AS c WHERE c.organization_id = ${organizationId} AND c.id = page.id LIMIT 1) AS c`
        strolled = tagged(stroll)
        walked = sql`${tagged(furthest)} OFFSET 0`
        turn = sql`SELECT page.id, '' AS "nameKey", NULL AS "lastSeenAt" FROM (${ids} OFFSET ${furthest - 1} LIMIT 1) AS page`
      }
      // A walk meets as many as wanted among so many of all; as soon as it would be longer than the tag, the tag is first.
      if (count <= mostGathered && count * count <= limit * total) {
        const found = yield* gather({ kind: "ids", ids: tagged, test: meets, isSure: true }, mostGathered)
        if (found !== null) return found
      }
    }

    const drivers = driversOf(sql, organizationId, parts, search)
    const [first] = drivers
    if (first?.isSure === true) {
      const found = yield* gather(first, mostGathered)
      if (found !== null) return found
    }
    const met = yield* walkOver(strolled)
    if (met.length === limit) return whole(met)
    // As long as the walk will be, if it goes on as it began.
    const length = met.length === 0 ? total : Math.min(total, (limit * stroll) / met.length)
    // The newest ones, whatever the order: what begins with the same letter has much in common.
    const newest = sql`SELECT * FROM contacts AS c WHERE c.organization_id = ${organizationId} ORDER BY c.id DESC LIMIT ${stroll}`
    const best = yield* promising(sql, drivers, newest, { sampled: stroll, total, length })
    const gathered = best === null ? null : yield* gather(best, mostGathered)
    if (gathered !== null) return gathered

    const found = yield* walkOver(walked)
    if (found.length === limit) return whole(found)
    const [last] = yield* sql<Turn>`${turn}`.unprepared
    return { rows: found, resume: last === undefined ? null : keyAt(field, last) }
  })
}
