import type { Ports } from "@parley/domain/composition"
import { Database } from "@parley/postgres-adapter"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { generateMasterKey } from "@parley/provider-adapters/security"
import { Context, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { ServerSettings } from "../../src/server/ServerConfig.ts"
import { layerLogger } from "./Evidence.ts"
import { Http } from "./Http.ts"
import { inRealTime, layerPorts, type PortOptions } from "./postgres.ts"
import { roomySettings, start as beginning } from "./service.ts"

/** A node: a service with its own connections and memory. */
export type Node = Context.Context<Http | Ports | SqlClient.SqlClient>

/** Two nodes on one database, in one test time. */
export class Nodes extends Context.Service<Nodes, { readonly one: Node; readonly other: Node }>()(
  "@parley/http-adapter/test/Nodes"
) {}

/** Runs on the node. */
export const on =
  (node: Node) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideContext(effect, node)

/** Two nodes on a new database. */
export const layerNodes = (
  options: PortOptions = {},
  differing: Partial<ServerSettings> = {}
): Layer.Layer<Nodes, unknown> =>
  Layer.effect(
    Nodes,
    Effect.gen(function* () {
      yield* TestClock.setTime(beginning)
      const url = yield* TestClock.withLive(freshDatabase)
      const masterKeys = yield* generateMasterKey("k1")
      const scope = yield* Effect.scope
      const start = Effect.flatMap(Layer.makeMemoMap, (memoMap) =>
        Layer.buildWithMemoMap(
          Http.layer(layerPorts(inRealTime(Database.layer({ url, maxConnections: 8 })), { masterKeys, ...options }), {
            ...roomySettings,
            ...differing
          }),
          memoMap,
          scope
        )
      )
      return Nodes.of({ one: yield* start, other: yield* start })
    })
  ).pipe(Layer.provideMerge(layerLogger))
