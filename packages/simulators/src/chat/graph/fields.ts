import { refusePlainly } from "../checks.ts"

/** Names in a `fields` parameter: nested fields and arguments are ignored. */
export const fieldNames = (fields: string): ReadonlyArray<string> => {
  const names: Array<string> = []
  let depth = 0
  let name = ""
  for (const character of fields) {
    if (character === "{" || character === "(") depth += 1
    else if (character === "}" || character === ")") depth -= 1
    else if (character === "," && depth === 0) {
      names.push(name)
      name = ""
    } else if (depth === 0) name += character
  }
  return [...names, name].map((text) => text.trim().replace(/\..*$/u, "")).filter((text) => text !== "")
}

/** The requested fields of an object, and always its id. */
export const selectFields = (
  node: string,
  all: Readonly<Record<string, () => unknown>>,
  fields: string | null,
  defaults: ReadonlyArray<string>
): Readonly<Record<string, unknown>> => {
  const names = fields === null || fields === "" ? defaults : fieldNames(fields)
  const entries = names.flatMap((name) => {
    const read = Object.hasOwn(all, name) ? all[name] : undefined
    if (read === undefined) {
      return refusePlainly(100, `(#100) Tried accessing nonexisting field (${name}) on node type (${node})`)
    }
    const value = read()
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(entries), id: all["id"]?.() }
}

/** A page of a list, with cursors. */
export const pageOf = <A>(
  all: ReadonlyArray<A>,
  query: URLSearchParams,
  address: string,
  shown: (item: A) => unknown
): { readonly data: ReadonlyArray<unknown>; readonly paging: object } => {
  const cursor = query.get("after") ?? ""
  const after = cursor === "" ? 0 : Number(Buffer.from(cursor, "base64url").toString())
  if (!Number.isInteger(after) || after < 0) return refusePlainly(131_059, "(#131059) Invalid cursor")
  const limit = Math.max(1, Math.min(100, Number(query.get("limit") ?? "25") || 25))
  const page = all.slice(after, after + limit)
  const cursorOf = (place: number) => Buffer.from(String(place)).toString("base64url")
  const next = new URLSearchParams(query)
  next.set("limit", String(limit))
  next.set("after", cursorOf(after + page.length))
  next.delete("access_token")
  return {
    data: page.map(shown),
    paging: {
      cursors: { before: cursorOf(after), after: cursorOf(after + page.length) },
      ...(after + page.length < all.length ? { next: `${address}?${next}` } : {})
    }
  }
}
