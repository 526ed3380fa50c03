import { assert } from "@effect/vitest"
import {
  type AreaPorts,
  layerAreas,
  type ProviderPorts,
  type SecurityPorts,
  type StoragePorts
} from "@parley/domain/composition"
import * as Postgres from "@parley/postgres-adapter"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { TestKit, TestSecurity } from "@parley/testkit"
import { type Context, Effect, Layer, type Redacted, type Scope } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** The services of one process: the ports, and the client behind the storage ports. */
export type Services = StoragePorts | SecurityPorts | ProviderPorts | AreaPorts | SqlClient.SqlClient

/** One process of the service. */
export type Node = Context.Context<Services>

const start = (url: Redacted.Redacted, maxConnections: number): Effect.Effect<Node, SqlError.SqlError, Scope.Scope> =>
  Layer.provideMerge(layerAreas, Layer.merge(TestSecurity.layer, TestKit.layerProviders)).pipe(
    Layer.provideMerge(Postgres.layer),
    Layer.provideMerge(Postgres.Database.layer({ url, maxConnections })),
    Layer.fresh,
    Layer.build
  )

/** Processes that share one new database and nothing else. */
export const givenNodes = Effect.fnUntraced(function* (count: number, maxConnections = 5) {
  const url = yield* freshDatabase
  return yield* Effect.replicateEffect(start(url, maxConnections), count)
})

/** The same work on each node in turn, all concurrently. */
export const onAll = <A, E, R extends Services>(
  nodes: ReadonlyArray<Node>,
  times: number,
  work: (index: number) => Effect.Effect<A, E, R>
) =>
  Effect.forEach(
    Array.from({ length: times }, (_, index) => index),
    (index) => Effect.provide(work(index), nodes[index % nodes.length] ?? assert.fail()),
    { concurrency: "unbounded" }
  )
