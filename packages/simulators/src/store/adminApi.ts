import { Effect, Schema } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import {
  type DocumentNode,
  execute,
  type ExecutionResult,
  GraphQLError,
  getOperationAST,
  type GraphQLSchema,
  Kind,
  parse,
  validate
} from "graphql"
import { reset, truncated } from "../connections.ts"
import type { Timeline } from "../Timeline.ts"
import { type ApiVersion, defaultApiVersion } from "./apiVersions.ts"
import { leftIn, throttleStatusOf } from "./bucket.ts"
import { bytesOf, wholeOf } from "./bulk.ts"
import type { Place } from "./Catalog.ts"
import { actualCost, requestedCost } from "./cost.ts"
import { type BulkFailure, isFileOpen, makeExportApi } from "./exportApi.ts"
import type { Misbehaviour, Script } from "./Misbehaviour.ts"
import { gid, makeNodes, numberIn, withoutScope } from "./nodes.ts"
import type { Collection } from "./Records.ts"
import { has, scopeOf } from "./scopes.ts"
import { filterIn } from "./search.ts"
import type { Simulation } from "./Simulation.ts"
import { type Page, subscriptionRoots } from "./subscriptionApi.ts"
import type { Installation, Shop, World } from "./World.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

const json = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.jsonUnsafe(body, { status, headers })

/** Maximum requested cost of a single call. */
const mostCost = 1_000
const mostPaged = 25_000

const Call = Schema.fromJsonString(
  Schema.Struct({
    query: Schema.String,
    variables: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)))
  })
)
const decodeCall = Schema.decodeUnknownOption(Call)

const typeOf: Readonly<Record<Collection, string>> = {
  customers: "Customer",
  orders: "Order",
  products: "Product",
  abandonedCheckouts: "AbandonedCheckout"
}

const collections: ReadonlyArray<Collection> = ["customers", "orders", "products", "abandonedCheckouts"]

/** Orders older than this are hidden from apps without permission to read all orders. */
const recentOrders = 60 * 86_400_000

const cursorOf = ({ at, id }: Place, count: number) =>
  Buffer.from(JSON.stringify({ at, id, count })).toString("base64url")

const Cursor = Schema.fromJsonString(Schema.Struct({ at: Schema.Finite, id: Schema.Finite, count: Schema.Finite }))
const decodeCursor = Schema.decodeUnknownOption(Cursor)

const placeIn = (cursor: string | null | undefined): (Place & { readonly count: number }) | null => {
  if (cursor == null) return null
  const decoded = decodeCursor(Buffer.from(cursor, "base64url").toString())
  if (decoded._tag === "Some") return decoded.value
  throw new GraphQLError(`Invalid cursor for current pagination sort.`, { extensions: { code: "BAD_REQUEST" } })
}

const callSchema = (operation: DocumentNode) =>
  getOperationAST(operation)?.selectionSet.selections.flatMap((selection) =>
    selection.kind === Kind.FIELD ? [selection.name.value] : []
  ) ?? []

/** The provider's API for the contents of a shop. */
export const makeAdminApi = (
  schemas: { readonly [version in ApiVersion]: GraphQLSchema },
  world: World,
  timeline: Timeline,
  simulation: Simulation,
  script: Script,
  bulkMillis: number
) => {
  const exports = makeExportApi(world, timeline, simulation, bulkMillis)

  /** Start of the visible orders; `null` if all are visible. */
  const sinceOf = (installation: Installation) =>
    has(installation, "read_all_orders") ? null : timeline.now() - recentOrders

  const rootOf = (
    schema: GraphQLSchema,
    shop: Shop,
    installation: Installation,
    origin: string,
    failure: BulkFailure
  ) => {
    const nodes = makeNodes(shop, shop.shelves)
    const since = sinceOf(installation)
    const collection =
      (kind: Collection) =>
      ({ after, first, query, sortKey }: Page) => {
        if (!has(installation, scopeOf[kind])) throw withoutScope(kind, scopeOf[kind])
        if (first == null || first < 1) {
          throw new GraphQLError(`you must provide one of first or last`, { extensions: { code: "BAD_REQUEST" } })
        }
        const searched = filterIn(query)
        const filter = {
          ...searched,
          createdFrom:
            kind === "orders" && since !== null ? Math.max(since, searched.createdFrom ?? 0) : searched.createdFrom
        }
        const from = placeIn(after)
        const count = from?.count ?? 0
        const order = sortKey === "UPDATED_AT" ? "updatedAt" : "id"
        const found = nodes.stream(kind, filter, from, order)
        const most = Math.min(first, 250, mostPaged - count)
        const page = Array.from({ length: most + 1 }, () => found.next()).flatMap(({ done, value }) =>
          done === true ? [] : [value]
        )
        const shown = page.slice(0, most)
        const last = shown.at(-1)?.row
        const place = { at: order === "id" ? 0 : (last?.updatedAt ?? 0), id: last?.id ?? 0 }
        return {
          nodes: shown.map(({ node }) => node),
          edges: shown.map(({ node }) => ({ cursor: "", node })),
          pageInfo: {
            hasNextPage: page.length > most,
            endCursor: last === undefined ? null : cursorOf(place, count + shown.length)
          }
        }
      }
    const node = (id: string) => {
      const kind = collections.find((name) => numberIn(id, typeOf[name]) !== null)
      if (kind !== undefined && !has(installation, scopeOf[kind])) throw withoutScope("node", scopeOf[kind])
      const order = shop.shelves.orders.get(numberIn(id, "Order") ?? -1)
      return order !== null && order.placedAt < (since ?? 0) ? null : nodes.nodeOf(id)
    }
    return {
      ...subscriptionRoots(world, shop, installation),
      ...exports.roots({ schema, shop, installation, origin, failure, ordersSince: since }),
      shop: () => ({
        id: gid("Shop", shop.id),
        name: shop.name,
        myshopifyDomain: shop.domain,
        currencyCode: shop.currency,
        shopAddress: { countryCodeV2: shop.country }
      }),
      customers: collection("customers"),
      orders: collection("orders"),
      products: collection("products"),
      abandonedCheckouts: collection("abandonedCheckouts"),
      currentAppInstallation: () => ({ accessScopes: installation.scopes.map((handle) => ({ handle })) }),
      node: ({ id }: { readonly id: string }) => node(id),
      nodes: ({ ids }: { readonly ids: ReadonlyArray<string> }) => ids.map(node),
      appUninstall: () => {
        simulation.uninstall(shop)
        return { app: { id: gid("App", 1) }, userErrors: [] }
      }
    }
  }

  const errorsOf = (errors: ReadonlyArray<GraphQLError>) => errors.map((error) => error.toJSON())

  const throttled = (shop: Shop, requested: number) =>
    json({
      errors: [
        {
          message: "Throttled",
          extensions: { code: "THROTTLED", documentation: "https://shopify.dev/api/usage/rate-limits" }
        }
      ],
      extensions: {
        cost: {
          requestedQueryCost: requested,
          actualQueryCost: null,
          throttleStatus: throttleStatusOf(shop, timeline.now())
        }
      }
    })

  const failed = (error: GraphQLError) => json({ errors: errorsOf([error]) })

  const note = (
    shop: Shop,
    kind: "graphql" | "file",
    names: ReadonlyArray<string>,
    status: number,
    more: { readonly throttled?: boolean; readonly cost?: number } = {}
  ) =>
    world.calls.push({
      at: timeline.now(),
      shop: shop.domain,
      kind,
      names,
      status,
      throttled: more.throttled ?? false,
      cost: more.cost ?? 0
    })

  const answer = Effect.fnUntraced(function* (
    schema: GraphQLSchema,
    shop: Shop,
    installation: Installation,
    { query, variables }: typeof Call.Type,
    document: DocumentNode,
    origin: string,
    oddity: Misbehaviour["what"] | null
  ) {
    const names = callSchema(document)
    const operation = getOperationAST(document)
    const [invalid] = validate(schema, document)
    if (invalid !== undefined || operation == null) {
      note(shop, "graphql", names, 200)
      return failed(invalid ?? new GraphQLError(`There is no operation in ${query}.`))
    }
    const requested = requestedCost(schema, document, operation, variables ?? {})
    if (requested > mostCost) {
      note(shop, "graphql", names, 200)
      return failed(
        new GraphQLError(`Query cost is ${requested}, which exceeds the single query max cost limit (${mostCost}).`, {
          extensions: { code: "MAX_COST_EXCEEDED", cost: requested, maxCost: mostCost }
        })
      )
    }
    if (oddity?.kind === "throttled" || leftIn(shop, timeline.now()) < requested) {
      note(shop, "graphql", names, 200, { throttled: true })
      return throttled(shop, requested)
    }
    const failure = oddity?.kind === "bulk_failure" ? oddity.code : null
    const result: ExecutionResult = yield* Effect.promise(() =>
      Promise.resolve(
        execute({
          schema,
          document,
          rootValue: rootOf(schema, shop, installation, origin, failure),
          ...(variables == null ? {} : { variableValues: variables })
        })
      )
    )
    const actual = operation.operation === "mutation" ? requested : actualCost(result.data, requested)
    shop.bucket.left -= actual
    note(shop, "graphql", names, 200, { cost: actual })
    return json({
      ...(result.errors === undefined ? {} : { errors: errorsOf(result.errors) }),
      ...(result.data === undefined ? {} : { data: result.data }),
      extensions: {
        cost: {
          requestedQueryCost: requested,
          actualQueryCost: actual,
          throttleStatus: throttleStatusOf(shop, timeline.now())
        }
      }
    })
  })

  const installationFor = (shop: Shop, request: Request): Installation | null => {
    const { installation } = shop
    const token = request.headers["x-shopify-access-token"]
    if (installation === null || token !== installation.accessToken) return null
    return installation.expiresAt !== null && installation.expiresAt <= timeline.now() ? null : installation
  }

  const refusal = (shop: Shop, names: ReadonlyArray<string>, status: number, errors: string, headers = {}) => {
    note(shop, "graphql", names, status)
    return json({ errors }, status, headers)
  }

  const parsedOf = (query: string): DocumentNode | GraphQLError => {
    try {
      return parse(query)
    } catch (thrown) {
      return thrown instanceof GraphQLError ? thrown : new GraphQLError(String(thrown))
    }
  }

  /** Answers a call of the query language. */
  const graphql = Effect.fnUntraced(function* (request: Request, shop: Shop, version: ApiVersion, origin: string) {
    const text = yield* Effect.orDie(request.text)
    const installation = installationFor(shop, request)
    const call = decodeCall(text)
    const document = call._tag === "Some" ? parsedOf(call.value.query) : new GraphQLError("The call is no JSON.")
    const names = document instanceof GraphQLError ? [] : callSchema(document)
    if (installation === null) {
      return refusal(shop, names, 401, "[API] Invalid API key or access token (unrecognized login or wrong password)")
    }
    if (shop.closed === 402) return refusal(shop, names, 402, "Unavailable Shop")
    if (shop.closed === 423) return refusal(shop, names, 423, "Locked")
    if (call._tag === "None" || document instanceof GraphQLError) {
      note(shop, "graphql", names, 400)
      return json({ errors: "Bad Request" }, 400)
    }
    const oddity = script.take("graphql", shop.domain, names)
    const done = (what = oddity) => answer(schemas[version], shop, installation, call.value, document, origin, what)
    switch (oddity?.kind) {
      case "latency":
        return yield* Effect.delay(done(), oddity.millis)
      case "status":
        note(shop, "graphql", names, oddity.status, { throttled: oddity.status === 429 })
        return HttpServerResponse.text(oddity.body ?? '{"errors":"This was asked for."}', {
          status: oddity.status,
          headers: { ...(oddity.status === 429 ? { "retry-after": "2.0" } : {}), ...oddity.headers }
        })
      case "error":
        note(shop, "graphql", names, 200)
        return failed(new GraphQLError(oddity.message ?? "This was asked for.", { extensions: { code: oddity.code } }))
      case "hang":
        if (oddity.done !== false) yield* done()
        return yield* Effect.never
      case "reset":
        if (oddity.done !== false) yield* done()
        return yield* reset(request)
      case "truncate":
        yield* done()
        return yield* truncated(request, '{"data":{"shop')
      default:
        return yield* done()
    }
  })

  /** Serves the file of an export. The URL is the only credential. The newest schema contains the older ones. */
  const file = Effect.fnUntraced(function* (request: Request, shop: Shop, id: number) {
    const operation = shop.bulkOperations.get(id)
    const oddity = script.take("file", shop.domain, [])
    if (operation === undefined || !isFileOpen(operation, timeline.now())) {
      note(shop, "file", [], 404)
      return HttpServerResponse.text("NoSuchKey", { status: 404 })
    }
    if (oddity?.kind === "status") {
      note(shop, "file", [], oddity.status)
      return HttpServerResponse.text(oddity.body ?? "This was asked for.", { status: oddity.status })
    }
    if (oddity?.kind === "reset") return yield* reset(request)
    if (oddity?.kind === "truncate") return yield* truncated(request, '{"id":"gid:')
    if (oddity?.kind === "hang") return yield* Effect.never
    const [, first, last] = /^bytes=(\d{1,15})-(\d{0,15})$/u.exec(request.headers["range"] ?? "") ?? []
    if (first === undefined) {
      note(shop, "file", [], 200)
      return HttpServerResponse.stream(wholeOf(schemas[defaultApiVersion], shop, operation), {
        contentType: "application/jsonl"
      })
    }
    const from = Number(first)
    const most = last === undefined || last === "" ? 8 * 1024 * 1024 : Number(last) - from + 1
    const bytes = bytesOf(schemas[defaultApiVersion], shop, operation, from, most)
    note(shop, "file", [], bytes.length === 0 ? 416 : 206)
    if (bytes.length === 0) return HttpServerResponse.text("InvalidRange", { status: 416 })
    return HttpServerResponse.uint8Array(bytes, {
      status: 206,
      contentType: "application/jsonl",
      headers: { "content-range": `bytes ${from}-${from + bytes.length - 1}/*` }
    })
  })

  return { graphql, file } satisfies Record<
    string,
    (request: Request, shop: Shop, ...more: ReadonlyArray<never>) => Effect.Effect<Response>
  >
}
export type AdminApi = ReturnType<typeof makeAdminApi>
