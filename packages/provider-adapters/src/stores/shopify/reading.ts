import {
  type ExportedPage,
  type FoundRecords,
  readShopDomain,
  type RecordKind,
  type Shop,
  type ShopAccess,
  type StoreFailure,
  type StoreReader,
  StoreUnreachable
} from "@parley/domain/commerce"
import { Array, DateTime, Effect, Option, Schema } from "effect"
import manifest from "../../../package.json" with { type: "json" }
import { at, listAt, textAt } from "../../json.ts"
import type { Query, ShopCalls } from "./ShopCalls.ts"
import { mostPaged } from "./assumptions.ts"
import { asFarAsAllowed, mostRead, orTooCostly, recordsOf, sized, whole } from "./collections.ts"
import { asking, listDocument, nodesDocument, shopDocument } from "./documents.ts"
import { exportOf } from "./exports.ts"
import { shopCurrencyIn } from "./readRecords.ts"
import { currencyAt, gidAt } from "./values.ts"

type Calls = ShopCalls["Service"]

const shopIn = (data: unknown): Shop | null => {
  const shopId = gidAt(data, "shop", "id")
  const shopDomain = readShopDomain(textAt(data, "shop", "myshopifyDomain") ?? "")
  const currency = currencyAt(data, "shop", "currencyCode")
  if (shopId === null || shopDomain === null || currency === null) return null
  const country = textAt(data, "shop", "shopAddress", "countryCodeV2")
  return { shopId, shopDomain, name: textAt(data, "shop", "name") ?? shopDomain, currency, country }
}

/** Position of a pass over changes: start time, last id, number of read records, and the provider's cursor. */
const Place = Schema.fromJsonString(
  Schema.Struct({
    from: Schema.String,
    afterId: Schema.NullOr(Schema.String),
    count: Schema.Int,
    cursor: Schema.NullOr(Schema.String)
  })
)
type Place = typeof Place.Type
const decodePlace = Schema.decodeUnknownOption(Place)
const encodePlace = Schema.encodeSync(Place)

const searchOf = ({ afterId, from }: Place) => `updated_at:>='${from}'${afterId === null ? "" : ` id:>${afterId}`}`

/** Start of the next page. The provider limits the length of a list, so a new list starts before the limit. */
const nextPlace = (
  kind: RecordKind,
  place: Place,
  last: { readonly externalId: string; readonly updatedAt: DateTime.Utc } | undefined,
  size: number,
  cursor: string
): Place => {
  const count = place.count + size
  if (count < mostPaged || last === undefined) return { ...place, count, cursor }
  if (asking[kind].sortKey === "ID") return { ...place, afterId: last.externalId, count: 0, cursor: null }
  const from = DateTime.formatIso(last.updatedAt)
  return from === place.from ? { ...place, count, cursor } : { from, afterId: null, count: 0, cursor: null }
}

/** Page sizes that the provider has accepted. A size that costs too much is not tried again. */
type Sizes = Map<RecordKind, number>

const sizeOf = (sizes: Sizes, kind: RecordKind) => sizes.get(kind) ?? asking[kind].pageSize

const changedSince =
  (calls: Calls, sizes: Sizes): StoreReader["changedSince"] =>
  (access, kind, since, checkpoint) =>
    Effect.gen(function* () {
      const begun: Place = { from: DateTime.formatIso(since), afterId: null, count: 0, cursor: null }
      const place = Option.getOrElse(decodePlace(checkpoint ?? ""), () => begun)
      const { collection } = asking[kind]
      const found = yield* sized(sizeOf(sizes, kind), (first) =>
        asFarAsAllowed(
          calls,
          access,
          (omitted): Query => ({
            name: `${kind}_${first}`,
            document: listDocument(kind, omitted, calls.settings.apiVersion),
            variables: { first, after: place.cursor, query: searchOf(place) }
          }),
          (data) => {
            const currency = shopCurrencyIn(data)
            const nodes = at(data, collection, "nodes")
            return currency === null || !globalThis.Array.isArray(nodes)
              ? null
              : { currency, nodes, size: first, pageInfo: at(data, collection, "pageInfo") }
          }
        )
      )
      sizes.set(kind, found.size)
      const raws = yield* Effect.forEach(found.nodes, (node) => whole(calls, access, kind, node))
      const { records, unreadable } = recordsOf(kind, { currency: found.currency, shopDomain: access.shopDomain }, raws)
      const cursor = at(found.pageInfo, "hasNextPage") === true ? textAt(found.pageInfo, "endCursor") : null
      const next = cursor === null ? null : nextPlace(kind, place, records.at(-1), found.nodes.length, cursor)
      return { records, unreadable, checkpoint: next === null ? null : encodePlace(next), total: null }
    })

const hasAllOrders = (data: unknown) =>
  listAt(data, "currentAppInstallation", "accessScopes").some((scope) => textAt(scope, "handle") === "read_all_orders")

const readSome = Effect.fnUntraced(function* <Kind extends RecordKind>(
  calls: Calls,
  access: ShopAccess,
  kind: Kind,
  externalIds: ReadonlyArray<string>
) {
  const ids = externalIds.map((id) => `gid://shopify/${asking[kind].type}/${id}`)
  const found = yield* asFarAsAllowed(
    calls,
    access,
    (omitted): Query => ({
      name: `${kind}_read_${ids.length}`,
      document: nodesDocument(kind, omitted, calls.settings.apiVersion),
      variables: { ids }
    }),
    (data) => {
      const currency = shopCurrencyIn(data)
      const nodes = at(data, "nodes")
      return currency === null || !globalThis.Array.isArray(nodes) || nodes.length !== ids.length
        ? null
        : { currency, nodes, all: hasAllOrders(data) }
    }
  )
  const there = found.nodes.filter((node) => gidAt(node, "id") !== null)
  const raws = yield* Effect.forEach(there, (node) => whole(calls, access, kind, node))
  const { records, unreadable } = recordsOf(kind, { currency: found.currency, shopDomain: access.shopDomain }, raws)
  const known = new Set(there.map((node) => gidAt(node, "id")))
  // Without access to all orders, an old order looks like a deleted one.
  const isCertain = kind !== "orders" || found.all
  return { records, unreadable, gone: isCertain ? externalIds.filter((id) => !known.has(id)) : [] }
})

const readIds =
  (calls: Calls, sizes: Sizes): StoreReader["read"] =>
  <Kind extends RecordKind>(access: ShopAccess, kind: Kind, externalIds: ReadonlyArray<string>) => {
    const inParts = (ids: ReadonlyArray<string>, size: number): Effect.Effect<FoundRecords<Kind>, StoreFailure> =>
      Effect.map(
        Effect.forEach(Array.chunksOf(ids, size), (part) =>
          Effect.catchTag(readSome(calls, access, kind, part), "TooCostly", () => {
            if (part.length === 1) return orTooCostly(readSome(calls, access, kind, part))
            const half = Math.ceil(part.length / 2)
            sizes.set(kind, Math.min(half, sizeOf(sizes, kind)))
            return inParts(part, half)
          })
        ),
        (parts) => ({
          records: parts.flatMap(({ records }) => records),
          unreadable: parts.flatMap(({ unreadable }) => unreadable),
          gone: parts.flatMap(({ gone }) => gone)
        })
      )
    // The id of an unreadable record can be invalid, and the shop rejects the whole call for an invalid id.
    const ids = [...new Set(externalIds)].filter((id) => /^\d{1,20}$/u.test(id))
    return inParts(ids.slice(0, mostRead), sizeOf(sizes, kind))
  }

/** Reads records of shops. */
export const makeReading = (calls: Calls): StoreReader => {
  const sizes: Sizes = new Map()
  return {
    // Each release, and each version of the API, reads skipped records again.
    readerVersion: `${manifest.version} ${calls.settings.apiVersion}`,
    shop: (access) =>
      Effect.flatMap(
        orTooCostly(calls.query(access, { name: "shop", document: shopDocument, variables: {} })),
        ({ data }) => {
          const shop = shopIn(data)
          return shop === null ? Effect.fail(new StoreUnreachable()) : Effect.succeed(shop)
        }
      ),
    export: <Kind extends RecordKind>(
      access: ShopAccess,
      kind: Kind,
      checkpoint: string | null,
      since: DateTime.Utc | null
    ): Effect.Effect<ExportedPage<Kind>, StoreFailure> => exportOf(calls, access, kind, checkpoint, since),
    changedSince: changedSince(calls, sizes),
    read: readIds(calls, sizes)
  }
}
