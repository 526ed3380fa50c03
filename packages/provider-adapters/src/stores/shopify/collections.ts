import {
  type RecordKind,
  type ShopAccess,
  type StoreFailure,
  type StoreRecords,
  StoreRefused,
  StoreUnreachable,
  type UnreadableRecord
} from "@parley/domain/commerce"
import { Effect } from "effect"
import { at, listAt, textAt } from "../../json.ts"
import type { Query, ShopCalls, TooCostly } from "./ShopCalls.ts"
import type { Denied } from "./answers.ts"
import { asking, innerDocument, type Omitted, shortLists, wholeDocument } from "./documents.ts"
import { type Raw, readers, type ReadResult, type ShopFacts } from "./readRecords.ts"
import { numberOfGid } from "./values.ts"

const maxNamed = 10

/** A reason with field names and without values. */
export const unreadableReason = (faults: ReadonlyArray<string>): string =>
  `No readable value: ${[...new Set(faults)].slice(0, maxNamed).join(", ")}`

/** The records of some nodes, and the unreadable nodes. An unreadable node does not affect the others. */
export const recordsOf = <Kind extends RecordKind>(kind: Kind, shop: ShopFacts, raws: ReadonlyArray<Raw>) => {
  const read: (raw: Raw, shop: ShopFacts) => ReadResult<StoreRecords[Kind]> = readers[kind]
  const records: Array<StoreRecords[Kind]> = []
  const unreadable: Array<UnreadableRecord> = []
  for (const raw of raws) {
    const result = read(raw, shop)
    if ("record" in result) records.push(result.record)
    else {
      const id = textAt(raw.node, "id")
      unreadable.push({ externalId: numberOfGid(id) ?? id ?? "unknown", reason: unreadableReason(result.faults) })
    }
  }
  return { records, unreadable }
}

type Calls = ShopCalls["Service"]

const nothing: ReadonlySet<string> = new Set()

/** Fields that are approved together. */
const approvals: ReadonlyArray<ReadonlySet<string>> = [
  new Set(["firstName", "lastName"]),
  new Set(["phone", "defaultPhoneNumber"]),
  new Set(["email", "defaultEmailAddress"]),
  new Set(["defaultAddress", "shippingAddress"]),
  new Set(["customer"])
]

/** Every personal field. */
export const personal: ReadonlySet<string> = new Set(approvals.flatMap((fields) => [...fields]))

const fieldOf = (path: Denied): string | null => path.findLast((step) => typeof step === "string")?.toString() ?? null

const tooCostly = new StoreRefused({
  remedy: "give_up",
  code: "MAX_COST_EXCEEDED",
  reason: "A single record costs more than the store allows.",
  retryAfterMillis: null
})

/** A call that may be made smaller: as it is, or in halves until each is cheap enough. */
export const sized = <A>(
  size: number,
  call: (size: number) => Effect.Effect<A, StoreFailure | TooCostly>
): Effect.Effect<A, StoreFailure> =>
  Effect.catchTag(call(size), "TooCostly", () =>
    size <= 1 ? Effect.fail(tooCostly) : sized(Math.floor(size / 2), call)
  )

/** No call is small enough. */
export const orTooCostly = <A>(call: Effect.Effect<A, StoreFailure | TooCostly>): Effect.Effect<A, StoreFailure> =>
  Effect.catchTag(call, "TooCostly", () => Effect.fail(tooCostly))

/**
 * Asks for what may be read: personal fields that the provider has not approved are `null` where the rest can do without, and
 * otherwise left out of another call.
 */
export const asFarAsAllowed = <A>(
  calls: Calls,
  access: ShopAccess,
  queryOf: (omitted: Omitted) => Query,
  read: (data: unknown, omitted: Omitted) => A | null
): Effect.Effect<A, StoreFailure | TooCostly> => {
  const attempt = (omitted: Omitted): Effect.Effect<A, StoreFailure | TooCostly> =>
    Effect.flatMap(calls.query(access, queryOf(omitted)), ({ data, denied }) => {
      const refused = new Set(denied.flatMap((path) => fieldOf(path) ?? []))
      const together = approvals.filter((fields) => !fields.isDisjointFrom(refused))
      const fields = [...refused, ...together.flatMap((group) => [...group])]
      const found = data == null ? null : read(data, new Set([...omitted, ...fields]))
      if (found !== null) return Effect.succeed(found)
      const more = fields.filter((field) => !omitted.has(field))
      return more.length === 0 ? Effect.fail(new StoreUnreachable()) : attempt(new Set([...omitted, ...more]))
    })
  return attempt(nothing)
}

/** The rest of a list inside a record, up to the stored maximum. */
const restInside = Effect.fnUntraced(function* (calls: Calls, access: ShopAccess, kind: RecordKind, node: unknown) {
  const { inner, innerMost } = asking[kind]
  if (inner === null) return { inside: [], hasMore: false }
  const id = textAt(node, "id")
  const inside = [...listAt(node, inner, "nodes")]
  let hasMore = at(node, inner, "pageInfo", "hasNextPage") === true
  let after = textAt(node, inner, "pageInfo", "endCursor")
  while (hasMore && after !== null && inside.length < innerMost) {
    const query: Query = { name: `${kind}_inside`, document: innerDocument(kind), variables: { id, after } }
    const { data } = yield* orTooCostly(calls.query(access, query))
    const page = at(data, "node", inner)
    // The record was deleted. The report of the deletion will correct the read data.
    if (page === undefined || page === null) break
    inside.push(...listAt(page, "nodes"))
    const next = textAt(page, "pageInfo", "endCursor")
    hasMore = at(page, "pageInfo", "hasNextPage") === true
    after = next === after ? null : next
  }
  return { inside: inside.slice(0, innerMost), hasMore: hasMore || inside.length > innerMost }
})

const isFull = (node: unknown, name: string) => listAt(node, name).length >= shortLists

/** A record with all that is inside of it. */
export const whole = Effect.fnUntraced(function* (calls: Calls, access: ShopAccess, kind: RecordKind, node: unknown) {
  const { hasMore, inside } = yield* restInside(calls, access, kind, node)
  const isWhole = asking[kind].whole === "" || !(isFull(node, "fulfillments") || isFull(node, "refunds"))
  if (isWhole) return { node, inside, hasMore } satisfies Raw
  const query: Query = { name: `${kind}_whole`, document: wholeDocument(kind), variables: { id: textAt(node, "id") } }
  const { data } = yield* orTooCostly(calls.query(access, query))
  const lists = at(data, "node")
  const own = typeof node === "object" && node !== null ? node : {}
  const more = typeof lists === "object" && lists !== null ? lists : {}
  return { node: { ...own, ...more }, inside, hasMore } satisfies Raw
})

/** Maximum number of ids per read. */
export const mostRead = 50

/** The list inside a record of an export, up to the stored maximum. */
export const cutInside = (kind: RecordKind, inside: ReadonlyArray<unknown>) => {
  const { innerMost } = asking[kind]
  return { inside: inside.slice(0, innerMost), hasMore: inside.length > innerMost }
}
