import type { OrganizationId, EncodedRow, Slice } from "@parley/domain/kernel"
import type { Contact, ContactId, ContactQuery, Filter } from "@parley/domain/crm"
import { DateTime, Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { type Instant, utc } from "../kernel/columns.ts"
import type { Recorded } from "../rendering/rendering.ts"
import { contactRecord, contactRendering } from "./contactRecord.ts"
import { contactColumns, contactOf, type ContactRow } from "./contactRow.ts"
import { anyTagOf, conjuncts, type Driver, driversOf, idsWithin, inIndexWords, isWithin } from "./drivers.ts"
import { filterSql } from "./filterSql.ts"
import { mostSorted, cheapestDriver } from "./cheapestDriver.ts"
import { searchSql } from "./searchSql.ts"
import { type SortField, sortOrder } from "./sortOrder.ts"
import { contactCountOfTag } from "./tagTally.ts"

/** Known numbers of an organization's contacts before a list is read. */
export interface Extent {
  readonly count: number
  readonly idsTellTime: boolean
}

/** Maximum number of contacts that a page reads individually. Any index is fast enough for that many. */
const few = 3_000

/** Rows that a scan along the order reads before another index is tried. */
const scanLimit = 2_000

/** Maximum number of rows that one page scans. The next page resumes from there. */
const pageScanLimit = 5_000

/** Source of a row's key. The time or the name is present only if the list is sorted by it. */
interface KeyRow {
  readonly keyId: ContactId
  readonly keyName?: string
  readonly keyTime?: Instant | null
}

/** A row of a scan: a match or the last scanned row. */
interface ScannedRow {
  readonly isMet: boolean
  readonly isLast: boolean
}

const keyColumns = (sql: SqlClient.SqlClient, field: SortField) =>
  sql.literal(
    {
      createdAt: `c.id AS "keyId"`,
      name: `c.id AS "keyId", c.name_key AS "keyName"`,
      lastSeenAt: `c.id AS "keyId", c.last_seen_at AS "keyTime"`
    }[field]
  )

const keyOf = (field: SortField, { keyId, keyName = "", keyTime = null }: KeyRow): ReadonlyArray<string> => {
  switch (field) {
    case "createdAt":
      return [keyId]
    case "name":
      return [keyName, keyId]
    case "lastSeenAt":
      return [keyTime === null ? "" : DateTime.formatIso(utc(keyTime)), keyId]
  }
}

/** Output form of contacts and the columns that it needs. */
export interface Reading<Row, A> {
  readonly columns: (organizationId: OrganizationId) => Statement.Fragment
  readonly read: (rows: ReadonlyArray<Row & KeyRow>, field: SortField) => ReadonlyArray<A>
}

export const asContacts = (sql: SqlClient.SqlClient): Reading<ContactRow, Contact> => ({
  columns: (organizationId) => contactColumns(sql, organizationId),
  read: (rows) => rows.map(contactOf)
})

/** Contacts as pre-encoded JSON. */
export const asRendered = (sql: SqlClient.SqlClient): Reading<Recorded, EncodedRow<Contact>> => {
  const render = contactRendering()
  return {
    columns: (organizationId) => sql`${contactRecord(sql, organizationId)} AS record`,
    read: (rows, field) => render(rows, (row) => keyOf(field, row))
  }
}

interface Found<A> {
  readonly rows: ReadonlyArray<A>
  readonly resume: ReadonlyArray<string> | null
}

const whole = <A>(rows: ReadonlyArray<A>): Found<A> => ({ rows, resume: null })

/**
 * Reads a page of contacts in time that does not grow with the organization. Common matches are found by a scan along the
 * order; rare ones are read by the most selective index, and sorted. A short scan along the order decides which it is, unless
 * that is known before.
 */
export const contactLists = <Row extends object, A>(
  sql: SqlClient.SqlClient,
  { columns: columnsOf, read }: Reading<Row, A>
) => {
  type KeyedRow = Row & KeyRow
  type Rows = Effect.Effect<ReadonlyArray<A>, SqlError.SqlError>

  const countsOfTags = Effect.fnUntraced(function* (organizationId: OrganizationId, parts: ReadonlyArray<Filter>) {
    const wanted = parts.flatMap((part) => anyTagOf(part) ?? [])
    if (wanted.length === 0) return []
    const rows = yield* sql<{ readonly id: string; readonly count: number }>`
      SELECT id, ${sql.literal(contactCountOfTag)} AS count FROM tags
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
    const { after: beyond, field, key, order, orderFound } = sortOrder(sql, sort)
    const columns = sql`${columnsOf(organizationId)}, ${keyColumns(sql, field)}`
    const meets: Statement.Fragment = sql.and([
      filterSql(sql, organizationId, filter),
      ...(search === null ? [] : [searchSql(sql, search)])
    ])

    if (parts.length === 0 && search === null) {
      const rows = yield* sql<KeyedRow>`
        SELECT ${columns} FROM contacts AS c WHERE c.organization_id = ${organizationId} AND ${beyond(after)}
        ORDER BY ${order} LIMIT ${limit}`
      return whole(read(rows, field))
    }

    const readInOrder = Effect.fnUntraced(function* (ids: ReadonlyArray<ContactId>) {
      if (ids.length === 0) return []
      const rows = yield* sql<KeyedRow>`
        SELECT ${columns} FROM contacts AS c
        WHERE c.organization_id = ${organizationId} AND c.id = ANY(${Array.from(ids)}::uuid[])`
      const places = new Map(ids.map((id, place) => [id, place]))
      const inOrder = rows.toSorted((one, other) => (places.get(one.keyId) ?? 0) - (places.get(other.keyId) ?? 0))
      return read(inOrder, field)
    })

    const { count: total, idsTellTime } = yield* extent
    const idsBeyond = (from: Slice["after"]) =>
      sql.and([
        beyond(from),
        ...(field === "createdAt" && idsTellTime ? parts.flatMap((part) => idsWithin(sql, part) ?? []) : [])
      ])
    const within = (from: Slice["after"]) =>
      sql.and([
        idsBeyond(from),
        ...parts
          .filter((part) => isWithin(field, part))
          .map((part) => {
            const words = inIndexWords(part)
            return words === null ? filterSql(sql, organizationId, part) : sql.literal(words)
          })
      ])
    // Planned with the actual values: a condition can be rare in one organization and common in another.
    const asRows = (statement: Statement.Statement<KeyedRow>): Rows =>
      Effect.map(statement.unprepared, (rows) => read(rows, field))

    if (total <= few) {
      const found = asRows(sql`
        SELECT ${columns} FROM contacts AS c WHERE c.organization_id = ${organizationId} AND ${within(after)} AND ${meets}
        ORDER BY ${order} LIMIT ${limit}`)
      return whole(yield* found)
    }

    /** Contacts along the order up to the scan limit, each with its position. */
    type Along = (from: Slice["after"], most: number) => Statement.Fragment
    let along: Along = (from, most) => sql`
      SELECT *, row_number() OVER () AS place FROM (
        SELECT * FROM contacts AS c WHERE c.organization_id = ${organizationId} AND ${within(from)}
        ORDER BY ${order} LIMIT ${most}) AS c`
    // Not sorted again: a sort would make PostgreSQL plan for, read and sort all rows first.
    const scan = Effect.fnUntraced(function* (from: Slice["after"], most: number, wanted: number) {
      const rows = yield* sql<KeyedRow & ScannedRow>`
        SELECT ${columns}, (${meets}) IS TRUE AS "isMet", c.place = ${most} AS "isLast"
        FROM (${along(from, most)}) AS c WHERE ${meets} OR c.place = ${most} LIMIT ${wanted}`.unprepared
      const end = rows.find(({ isLast }) => isLast)
      return {
        met: read(
          rows.filter(({ isMet }) => isMet),
          field
        ),
        /** Key to resume from; `null` at the end. */
        end: end === undefined ? null : keyOf(field, end)
      }
    })

    /** `null` if the matches exceed the limit. */
    const readByIndex = Effect.fnUntraced(function* (driver: Driver, most: number) {
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
      // Without its own LIMIT the query is planned for all rows, but it runs only as far as rows are fetched.
      const [found] = yield* sql<{ readonly isWhole: boolean; readonly ids: ReadonlyArray<ContactId> }>`
        ${ids} met AS MATERIALIZED (
          SELECT c.id, ${key} AS key, (${meets} AND ${beyond(after)}) AS fits FROM ${source}
        ), found AS MATERIALIZED (SELECT * FROM met LIMIT ${most + 1})
        SELECT NOT ${overfull} AND (SELECT count(*) FROM found) <= ${most} AS "isWhole",
          ARRAY(SELECT id FROM found WHERE fits ORDER BY ${orderFound} LIMIT ${limit}) AS ids`.unprepared
      return found?.isWhole === true ? whole(yield* readInOrder(found.ids)) : null
    })

    const [rarest] = yield* countsOfTags(organizationId, parts)
    if (rarest !== undefined) {
      const { count, tags } = rarest
      const [only] = tags
      const tagged = sql`SELECT contact_id AS id FROM contact_tags
        WHERE organization_id = ${organizationId} AND tag_id = ANY(${Array.from(tags)}::uuid[])`
      if (field === "createdAt" && tags.length === 1 && only !== undefined) {
        const taggedIds = (from: Slice["after"]) => sql`SELECT c.id FROM (
            SELECT contact_id AS id FROM contact_tags WHERE organization_id = ${organizationId} AND tag_id = ${only}
          ) AS c WHERE ${idsBeyond(from)} ORDER BY ${order}`
        if (parts.length === 1 && search === null) {
          const found = asRows(sql`
            SELECT ${columns} FROM (${taggedIds(after)} LIMIT ${limit}) AS page
            CROSS JOIN LATERAL (
              SELECT * FROM contacts AS c WHERE c.organization_id = ${organizationId} AND c.id = page.id LIMIT 1) AS c
            WHERE ${meets} ORDER BY ${order}`)
          return whole(yield* found)
        }
        along = (from, most) => sql`
          SELECT c.*, page.place FROM (
            SELECT id, row_number() OVER () AS place FROM (${taggedIds(from)} LIMIT ${most}) AS ids) AS page
          CROSS JOIN LATERAL (
            SELECT * FROM contacts AS c WHERE c.organization_id = ${organizationId} AND c.id = page.id LIMIT 1) AS c`
      }
      // The tag's index is read first when a scan along the order would have to visit more rows than the tag has.
      if (count <= mostSorted && count * count <= limit * total) {
        const found = yield* readByIndex({ kind: "ids", ids: tagged, test: meets, isSure: true }, mostSorted)
        if (found !== null) return found
      }
    }

    const drivers = driversOf(sql, organizationId, parts, search)
    const [first] = drivers
    if (first?.isSure === true) {
      const found = yield* readByIndex(first, mostSorted)
      if (found !== null) return found
    }
    const { end, met } = yield* scan(after, scanLimit, limit)
    if (met.length === limit || end === null) return whole(met)
    // Expected length of the scan, extrapolated from its first rows.
    const length = met.length === 0 ? total : Math.min(total, (limit * scanLimit) / met.length)
    // The sample is the newest contacts in every order: names with the same first letter would be a biased sample.
    const newest = sql`SELECT * FROM contacts AS c WHERE c.organization_id = ${organizationId} ORDER BY c.id DESC LIMIT ${scanLimit}`
    const best = yield* cheapestDriver(sql, drivers, newest, { sampled: scanLimit, total, length })
    const indexed = best === null ? null : yield* readByIndex(best, mostSorted)
    if (indexed !== null) return indexed

    const more = yield* scan(end, pageScanLimit - scanLimit, limit - met.length)
    const found = [...met, ...more.met]
    return found.length === limit ? whole(found) : { rows: found, resume: more.end }
  })
}
