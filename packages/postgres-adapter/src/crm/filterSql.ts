import { PgTypes } from "@effect/sql-pg"
import type { OrganizationId } from "@parley/domain/kernel"
import { type Comparison, type Filter, identityKey, type TextField, type TimeField } from "@parley/domain/crm"
import type { SqlClient, Statement } from "effect/sql"
import { conditionIds, conditionSql } from "../contactConditions.ts"
import { stamp } from "../kernel/columns.ts"

const operators: Readonly<Record<Comparison, string>> = { lt: "<", lte: "<=", gt: ">", gte: ">=" }

/** Columns for comparisons of texts: names without case. */
const textColumns: Readonly<Record<TextField, string>> = {
  name: "c.name_key",
  phone: "c.phone",
  email: "c.email",
  locale: "c.locale",
  timezone: "c.timezone"
}

const setColumns: Readonly<Record<TextField | TimeField, string>> = {
  name: "c.name",
  phone: "c.phone",
  email: "c.email",
  locale: "c.locale",
  timezone: "c.timezone",
  createdAt: "c.created_at",
  lastSeenAt: "c.last_seen_at",
  lastInboundAt: "c.last_inbound_at"
}

/** As in the index, so that a range of it can be read. */
const timeColumns: Readonly<Record<TimeField, string>> = {
  createdAt: "c.created_at",
  lastSeenAt: "COALESCE(c.last_seen_at, '-infinity')",
  lastInboundAt: "c.last_inbound_at"
}

/** PostgreSQL stores no text with this character, so no row contains it. */
const isStorable = (text: string) => !text.includes("\0")

const surelyStorable = (value: string | number | boolean) => typeof value !== "string" || isStorable(value)

/**
 * Condition for the rows of `contacts AS c` that the filter matches. For others it is false or unknown. Unknown never makes `all` or `any` true, and
 * `not` treats it as false.
 */
export const filterSql = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  filter: Filter
): Statement.Fragment => {
  const none = sql`FALSE`
  const named = (column: string) => sql.literal(column)
  const ofName = (field: TextField, condition: Statement.Fragment) =>
    field === "name" ? sql`(c.name IS NOT NULL AND ${condition})` : condition
  /** Ids of contacts that areas query themselves, for any of them together: one list can be joined, several cannot. */
  const idsFound = (filter: Filter): Statement.Fragment | null => {
    if (filter.kind === "known") return conditionIds(sql, organizationId, filter.condition, filter.values)
    if (filter.kind !== "any" || filter.of.length === 0) return null
    const lists = filter.of.map(idsFound).filter((ids) => ids !== null)
    return lists.length === filter.of.length ? sql.join(" UNION ALL ", false)(lists) : null
  }
  const isAmong = (ids: Statement.Fragment) => sql`EXISTS (SELECT FROM (${ids}) AS known WHERE known.id = c.id)`
  const compile = (filter: Filter): Statement.Fragment => {
    const ids = filter.kind === "any" ? idsFound(filter) : null
    if (ids !== null) return isAmong(ids)
    switch (filter.kind) {
      case "all":
        return filter.of.length === 0 ? sql`TRUE` : sql.and(filter.of.map(compile))
      case "any":
        return filter.of.length === 0 ? none : sql.or(filter.of.map(compile))
      case "not": {
        // EXISTS is never unknown, and PostgreSQL can join only that form.
        const without = idsFound(filter.of)
        return without === null ? sql`((${compile(filter.of)}) IS NOT TRUE)` : sql`NOT ${isAmong(without)}`
      }
      case "tagged":
        return sql`(${filter.tag}::uuid = ANY(c.tags) AND EXISTS (
          SELECT FROM tags AS t WHERE t.organization_id = ${organizationId} AND t.id = ${filter.tag}))`
      case "attributeSet":
        return sql`c.attributes ? ${filter.key}`
      case "attributeIs": {
        const values = filter.anyOf.filter(surelyStorable)
        return values.length === 0
          ? none
          : sql.or(values.map((value) => sql`c.attributes @> ${PgTypes.jsonb({ [filter.key]: value })}`))
      }
      case "attributeContains":
        return isStorable(filter.text)
          ? sql`(jsonb_typeof(c.attributes -> ${filter.key}) = 'string'
              AND strpos(c.attributes ->> ${filter.key}, ${filter.text}) > 0)`
          : none
      case "attributeCompares": {
        const operator = named(operators[filter.by])
        if (typeof filter.value === "number") {
          return sql`CASE WHEN jsonb_typeof(c.attributes -> ${filter.key}) = 'number'
            THEN (c.attributes ->> ${filter.key})::numeric ${operator} ${String(filter.value)}::numeric END`
        }
        return isStorable(filter.value)
          ? sql`(jsonb_typeof(c.attributes -> ${filter.key}) = 'string'
              AND (c.attributes ->> ${filter.key}) COLLATE "C" ${operator} ${filter.value})`
          : none
      }
      case "consent":
        return sql`c.marketing = ${filter.is}`
      case "textSet":
      case "timeSet":
        return sql`${named(setColumns[filter.field])} IS NOT NULL`
      case "textIs":
        return ofName(
          filter.field,
          sql`${named(textColumns[filter.field])} = ANY(${filter.anyOf.filter(isStorable)}::text[])`
        )
      case "textStarts":
        return isStorable(filter.with)
          ? ofName(filter.field, sql`${named(textColumns[filter.field])} ^@ ${filter.with}`)
          : none
      case "textContains":
        return isStorable(filter.text)
          ? ofName(filter.field, sql`strpos(${named(textColumns[filter.field])}, ${filter.text}) > 0`)
          : none
      case "identity":
        return sql`c.identities @> ${PgTypes.jsonb([{ kind: filter.has }])}`
      case "knownBy":
        return sql`EXISTS (SELECT FROM contact_identities AS i WHERE i.organization_id = ${organizationId}
          AND i.kind = ${filter.identity.kind} AND i.key = ${identityKey(filter.identity)} AND i.contact_id = c.id)`
      case "before":
        // Contacts without a time are at the start of the index. A bound on both sides skips them.
        return sql`(${named(timeColumns[filter.field])} > '-infinity' AND ${named(timeColumns[filter.field])} < ${stamp(filter.at)})`
      case "since":
        return sql`${named(timeColumns[filter.field])} >= ${stamp(filter.at)}`
      case "blocked":
        return sql`c.blocked_at IS NOT NULL`
      case "oneOf":
        return sql`c.id = ANY(${Array.from(filter.ids)}::uuid[])`
      case "known":
        return conditionSql(sql, organizationId, filter.condition, filter.values)
    }
  }
  return compile(filter)
}
