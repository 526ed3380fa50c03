import type { Slice } from "@parley/domain/kernel"
import type { ContactSort } from "@parley/domain/crm"
import type { SqlClient, Statement } from "effect/sql"

const ascending = {
  createdAt: true,
  name: true,
  lastSeenAt: true,
  "-createdAt": false,
  "-name": false,
  "-lastSeenAt": false
}

/** Sort field of a list, before the id. */
export type SortField = "createdAt" | "name" | "lastSeenAt"

const fields: Readonly<Record<ContactSort, SortField>> = {
  createdAt: "createdAt",
  "-createdAt": "createdAt",
  name: "name",
  "-name": "name",
  lastSeenAt: "lastSeenAt",
  "-lastSeenAt": "lastSeenAt"
}

const keys = { createdAt: null, name: "c.name_key", lastSeenAt: "COALESCE(c.last_seen_at, '-infinity')" } as const

/** Sort order of rows of `contacts AS c`, in the form of its index. */
export const sortOrder = (sql: SqlClient.SqlClient, sort: ContactSort) => {
  const [direction, beyond] = ascending[sort] ? ["ASC", ">"] : ["DESC", "<"]
  const field = fields[sort]
  const key = keys[field]
  const order = (prefix: string) =>
    sql.literal(key === null ? `${prefix}id ${direction}` : `${prefix}key ${direction}, ${prefix}id ${direction}`)
  return {
    field,
    isAscending: ascending[sort],
    order: sql.literal(key === null ? `c.id ${direction}` : `${key} ${direction}, c.id ${direction}`),
    /** The same for ids and keys of contacts from another source. */
    orderFound: order(""),
    key: sql.literal(key ?? "c.id"),
    after: (after: Slice["after"]): Statement.Fragment => {
      if (after === null) return sql`TRUE`
      if (key === null) return sql`c.id ${sql.literal(beyond)} ${after[0]}::uuid`
      const [text = "", id] = after
      return field === "name"
        ? sql`(c.name_key, c.id) ${sql.literal(beyond)} (${text}, ${id}::uuid)`
        : sql`(COALESCE(c.last_seen_at, '-infinity'), c.id) ${sql.literal(beyond)}
            (${text === "" ? "-infinity" : text}::timestamptz, ${id}::uuid)`
    }
  }
}
