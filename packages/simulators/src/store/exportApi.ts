import { Effect, Predicate } from "effect"
import type { GraphQLSchema } from "graphql"
import type { Timeline } from "../Timeline.ts"
import { countOf, exportIn, isRefused } from "./bulk.ts"
import { gid, numberIn, withoutScope } from "./nodes.ts"
import { has, scopeOf } from "./scopes.ts"
import type { Simulation } from "./Simulation.ts"
import { type BulkOperation, copyOf, type Installation, type Shop, type World } from "./World.ts"

export type BulkFailure = BulkOperation["failure"]

/** Bulk queries that run at the same time in a shop. */
const mostExports = 5

/** Time that a result has a URL. */
const resultLife = 7 * 86_400_000

type State = "RUNNING" | "FAILED" | "COMPLETED" | "EXPIRED"

const stateOf = ({ doneAt, failure }: BulkOperation, now: number): State => {
  if (doneAt > now) return "RUNNING"
  if (failure !== null) return "FAILED"
  return doneAt + resultLife > now ? "COMPLETED" : "EXPIRED"
}

/** Whether the file of an export can be downloaded. */
export const isFileOpen = (operation: BulkOperation, now: number): boolean => stateOf(operation, now) === "COMPLETED"

interface Asked {
  readonly schema: GraphQLSchema
  readonly shop: Shop
  readonly installation: Installation
  readonly origin: string
  /** Scripted failure of the next export. */
  readonly failure: BulkFailure
  /** Start of the visible orders. */
  readonly ordersSince: number | null
}

const refused = (code: string, message: string) => ({
  bulkOperation: null,
  userErrors: [{ field: ["query"], code, message }]
})

/** Exports of a shop: bulk operations. */
export const makeExportApi = (world: World, timeline: Timeline, simulation: Simulation, bulkMillis: number) => {
  const start = ({ failure, ordersSince, schema, shop }: Asked, query: string, kind: keyof Shop["shelves"]) => {
    const now = timeline.now()
    const made = {
      id: world.next(),
      query,
      createdFrom: kind === "orders" ? ordersSince : null,
      createdAt: now,
      doneAt: now + bulkMillis,
      shelves: copyOf(shop.shelves),
      marks: []
    }
    const isDenied = isRefused(schema, shop, { ...made, failure: null })
    const operation: BulkOperation = { ...made, failure: isDenied ? "ACCESS_DENIED" : failure }
    shop.bulkOperations.set(operation.id, operation)
    timeline.after(
      bulkMillis,
      Effect.sync(() => simulation.finishExport(shop, operation))
    )
    return operation.id
  }

  return {
    roots: (asked: Asked) => ({
      bulkOperationRunQuery: ({ groupObjects, query }: { readonly groupObjects: boolean; readonly query: string }) => {
        const { installation, schema, shop } = asked
        const wanted = exportIn(schema, query)
        if (Predicate.isString(wanted)) return refused("INVALID", wanted)
        if (!groupObjects) return refused("INVALID", "The simulator only makes grouped exports.")
        if (!has(installation, scopeOf[wanted.kind])) throw withoutScope(wanted.kind, scopeOf[wanted.kind])
        const running = shop.bulkOperations.values().filter((each) => stateOf(each, timeline.now()) === "RUNNING")
        if (running.toArray().length >= mostExports) {
          return refused("LIMIT_REACHED", "A bulk query operation for this app and shop is already in progress.")
        }
        const id = gid("BulkOperation", start(asked, query, wanted.kind))
        return {
          bulkOperation: { id, status: "CREATED", rootObjectCount: "0", url: null, errorCode: null },
          userErrors: []
        }
      },
      bulkOperation: ({ id }: { readonly id: string }) => {
        const { origin, schema, shop } = asked
        const number = numberIn(id, "BulkOperation")
        const operation = number === null ? undefined : shop.bulkOperations.get(number)
        if (operation === undefined) return null
        const status = stateOf(operation, timeline.now())
        const count = status === "COMPLETED" || status === "EXPIRED" ? countOf(schema, shop, operation) : 0
        return {
          id,
          status,
          errorCode: status === "FAILED" ? operation.failure : null,
          rootObjectCount: String(count),
          url: status === "COMPLETED" && count > 0 ? `${origin}/${shop.domain}/bulk/${operation.id}.jsonl` : null
        }
      }
    })
  }
}
