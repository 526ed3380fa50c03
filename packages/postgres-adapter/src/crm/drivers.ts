import { normalizeForSearch, type OrganizationId } from "@parley/domain/kernel"
import {
  type Filter,
  identityKey,
  type ContactSearch,
  type TagId,
  type TextField,
  type TimeField
} from "@parley/domain/crm"
import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { conditionIds } from "../contactConditions.ts"
import { filterSql } from "./filterSql.ts"
import { searchForm } from "./searchForm.ts"
import { anySpelling, hasText, idsBeginning, searchSql } from "./searchSql.ts"
import type { SortField } from "./sortOrder.ts"

/** Index condition that drives a query: it returns few contacts, including all matches. */
export type Driver = {
  /** Whether the number of contacts is certainly small. */
  readonly isSure: boolean
  /** Condition on the rows of `contacts AS c`. */
  readonly test: Statement.Fragment
} & (
  | /** They meet a condition that the index knows. */ { readonly kind: "where"; readonly where: Statement.Fragment }
  | /** A query gives their ids. */ { readonly kind: "ids"; readonly ids: Statement.Fragment }
)

/** Conditions that must all hold. */
export const conjuncts = (filter: Filter): ReadonlyArray<Filter> => {
  if (filter.kind === "all") return filter.of.flatMap(conjuncts)
  const [only] = filter.kind === "any" ? filter.of : []
  return filter.kind === "any" && filter.of.length === 1 && only !== undefined ? conjuncts(only) : [filter]
}

/** Tags of a filter that requires at least one of them, and nothing else. */
export const anyTagOf = (filter: Filter): ReadonlyArray<TagId> | null => {
  if (filter.kind === "tagged") return [filter.tag]
  if (filter.kind !== "any") return null
  const tags = filter.of.flatMap((each) => (each.kind === "tagged" ? [each.tag] : []))
  return tags.length === filter.of.length && tags.length > 0 ? tags : null
}

/** Whether the index of this order can be read for exactly the rows that match the condition. */
export const isWithin = (field: SortField, filter: Filter): boolean => {
  switch (field) {
    case "createdAt":
      return (
        filter.kind === "consent" || filter.kind === "blocked" || inIndexWords(filter)?.endsWith("IS NULL") === true
      )
    case "name":
      return (filter.kind === "textStarts" || filter.kind === "textIs") && filter.field === "name"
    case "lastSeenAt":
      return (
        ((filter.kind === "before" || filter.kind === "since") && filter.field === "lastSeenAt") ||
        (inIndexWords(filter) ?? "").startsWith("COALESCE")
      )
  }
}

/** Conditions of the indexes of contacts without a value. */
const absences: Partial<Record<TextField | TimeField, string>> = {
  name: "c.name_key = ''",
  phone: "c.phone IS NULL",
  email: "c.email IS NULL",
  lastSeenAt: "COALESCE(c.last_seen_at, '-infinity') = '-infinity'"
}

/** Condition in the form of an index, if the filter matches contacts without a value, or seen contacts. */
export const inIndexWords = (filter: Filter): string | null => {
  if (filter.kind === "timeSet" && filter.field === "lastSeenAt") {
    return "COALESCE(c.last_seen_at, '-infinity') > '-infinity'"
  }
  return filter.kind === "not" && (filter.of.kind === "textSet" || filter.of.kind === "timeSet")
    ? (absences[filter.of.field] ?? null)
    : null
}

const slackMillis = 60_000

const idAt = (millis: number) => {
  const time = Math.max(0, Math.min(millis, 0xffff_ffff_ffff)).toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

/** Id range of contacts that were created in this period, if ids contain the time. */
export const idsWithin = (sql: SqlClient.SqlClient, filter: Filter): Statement.Fragment | null => {
  if ((filter.kind !== "before" && filter.kind !== "since") || filter.field !== "createdAt") return null
  const at = DateTime.toEpochMillis(filter.at)
  return filter.kind === "before"
    ? sql`c.id <= ${idAt(at + slackMillis)}::uuid`
    : sql`c.id >= ${idAt(at - slackMillis)}::uuid`
}

/** Numbers with these prefixes have spellings with another digit. They are stored under one spelling. */
const hasSpellings = (number: string) => number.startsWith("+55") || number.startsWith("+54")

/** Whether the index contains text parts of this length. */
const isLongEnough = (text: string) => Array.from(searchForm(text)).length >= 3

const ranks: Readonly<Record<string, number>> = {
  oneOf: 0,
  textIs: 0,
  search: 1,
  beginning: 1,
  textStarts: 2,
  textContains: 2,
  blocked: 3,
  attributeIs: 4,
  tags: 5,
  before: 6,
  since: 6,
  consent: 7,
  attributeSet: 8
}

interface Ranked {
  readonly rank: number
  readonly driver: Driver
}

/** Drivers of a query, the most selective first. */
export const driversOf = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  parts: ReadonlyArray<Filter>,
  search: ContactSearch | null
): ReadonlyArray<Driver> => {
  const where = (filter: Filter, isSure = false): Ranked => {
    const test = filterSql(sql, organizationId, filter)
    return { rank: ranks[filter.kind] ?? 9, driver: { kind: "where", where: test, test, isSure } }
  }
  const byIdentity = (kind: "phone" | "email", values: ReadonlyArray<string>): Ranked => ({
    rank: 0,
    driver: {
      kind: "ids",
      isSure: true,
      test: filterSql(sql, organizationId, { kind: "textIs", field: kind, anyOf: values }),
      ids: sql`SELECT contact_id AS id FROM contact_identities WHERE organization_id = ${organizationId}
        AND kind = ${kind} AND key = ANY(${values.map((value) => identityKey({ kind, value }))}::text[])`
    }
  })
  const bySearchText = (text: string, filter: Filter): Ranked => {
    const where = hasText(sql, text)
    return { rank: ranks[filter.kind] ?? 9, driver: { kind: "where", isSure: false, where, test: where } }
  }
  const byIds = (filter: Filter, rank: number, ids: Statement.Fragment): Ranked => ({
    rank,
    driver: { kind: "ids", isSure: false, ids, test: filterSql(sql, organizationId, filter) }
  })

  const ofPart = (filter: Filter): ReadonlyArray<Ranked> => {
    switch (filter.kind) {
      case "textIs":
        if (filter.field === "phone" || filter.field === "email") return [byIdentity(filter.field, filter.anyOf)]
        return filter.field === "name" ? [where(filter, true)] : []
      case "textStarts":
      case "textContains": {
        const text = filter.kind === "textStarts" ? filter.with : filter.text
        if (filter.field === "locale" || filter.field === "timezone") return []
        if (filter.field === "phone") {
          const digits = text.replaceAll(/\D/gu, "")
          const isExact = filter.kind === "textContains" || !hasSpellings(text)
          return isLongEnough(digits) && isExact ? [bySearchText(digits, filter)] : []
        }
        if (filter.field === "name" && filter.kind === "textStarts") return [where(filter)]
        const folded = normalizeForSearch(text)
        return isLongEnough(folded) ? [bySearchText(folded, filter)] : []
      }
      case "knownBy": {
        const { identity } = filter
        const ids = sql`SELECT contact_id AS id FROM contact_identities
          WHERE organization_id = ${organizationId} AND kind = ${identity.kind} AND key = ${identityKey(identity)}`
        return [{ rank: 0, driver: { kind: "ids", isSure: true, ids, test: filterSql(sql, organizationId, filter) } }]
      }
      case "oneOf":
        return [where(filter, true)]
      case "attributeIs":
      case "attributeSet":
      case "consent":
      case "blocked":
        return [where(filter)]
      case "attributeContains":
      case "attributeCompares":
        return [where({ kind: "attributeSet", key: filter.key })]
      case "identity": {
        const ids = sql`SELECT contact_id AS id FROM contact_identities
          WHERE organization_id = ${organizationId} AND kind = ${filter.has}`
        return [byIds(filter, 7, ids)]
      }
      case "known": {
        const ids = conditionIds(sql, organizationId, filter.condition, filter.values)
        return ids === null ? [] : [byIds(filter, 7, ids)]
      }
      case "not": {
        const lack = inIndexWords(filter)
        if (lack === null) return []
        const where = sql.literal(lack)
        return [{ rank: 5, driver: { kind: "where", isSure: false, where, test: where } }]
      }
      default:
        return []
    }
  }

  const times = (["createdAt", "lastSeenAt"] as const).flatMap((field): ReadonlyArray<Ranked> => {
    const of = parts.filter((filter) => (filter.kind === "before" || filter.kind === "since") && filter.field === field)
    return of.length === 0 ? [] : [{ ...where({ kind: "all", of }), rank: 6 }]
  })

  const ofAny = (filter: Filter): ReadonlyArray<Ranked> => {
    if (filter.kind !== "any" || filter.of.length === 0) return []
    const ways = filter.of.map((each) => driversOf(sql, organizationId, conjuncts(each), null)[0])
    const ids = ways.flatMap((way) =>
      way === undefined
        ? []
        : [
            way.kind === "ids"
              ? way.ids
              : sql`SELECT c.id FROM contacts AS c WHERE c.organization_id = ${organizationId} AND ${way.where}`
          ]
    )
    return ids.length < ways.length
      ? []
      : [
          {
            rank: 4,
            driver: {
              kind: "ids",
              isSure: ways.every((way) => way?.isSure === true),
              test: filterSql(sql, organizationId, filter),
              ids: sql.join(" UNION ALL ", false)(ids)
            }
          }
        ]
  }

  /** Contacts with all of the tags are found before a contact row is read. */
  const byTags = (): ReadonlyArray<Ranked> => {
    const of = parts.filter((part) => part.kind === "tagged")
    if (of.length === 0) return []
    const links = of.map(
      ({ tag }) => sql`SELECT contact_id AS id FROM contact_tags
        WHERE organization_id = ${organizationId} AND tag_id = ${tag}`
    )
    return [byIds({ kind: "all", of }, 5, sql.join(" INTERSECT ", false)(links))]
  }

  const bySearch = (): ReadonlyArray<Ranked> => {
    if (search === null) return []
    if (search.kind === "beginning") {
      const ids = idsBeginning(sql, organizationId, search.text)
      return [{ rank: 1, driver: { kind: "ids", isSure: false, ids, test: searchSql(sql, search) } }]
    }
    // The index finds all long words in one query. Short words would need a full scan.
    const words = search.kind === "near" ? search.spellings : search.words.map((word) => [word])
    const long = words.filter((spellings) => spellings.every(isLongEnough))
    if (long.length === 0) return []
    const together = anySpelling(sql, long)
    return [{ rank: 1, driver: { kind: "where", isSure: false, where: together, test: together } }]
  }

  return [...bySearch(), ...byTags(), ...parts.flatMap(ofPart), ...times, ...parts.flatMap(ofAny)]
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ driver }) => driver)
}
