import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { layerWorkersOf } from "@parley/domain"
import { Database, layer as layerStorage } from "@parley/postgres-adapter"
import * as Security from "@parley/provider-adapters/security"
import { Config, Effect, Layer } from "effect"
import { issuer } from "../../servers/Setup.ts"
import { serveUntilLeft } from "../../servers/serveUntilLeft.ts"
import { works } from "./tally.ts"

const layer = Layer.unwrap(
  Effect.gen(function* () {
    const url = yield* Config.Redacted("BENCH_DATABASE_URL")
    const masterKeys = yield* Config.Redacted("BENCH_MASTER_KEYS")
    const name = yield* Config.String("BENCH_NODE")
    return layerWorkersOf(works(name), { name }).pipe(
      Layer.provide(Security.layer({ masterKeys, tokens: { issuer } })),
      Layer.provide(layerStorage),
      Layer.provide(Database.layer({ url, maxConnections: 5, applicationName: "parley-bench" }))
    )
  })
)

// It listens nowhere.
serveUntilLeft(0).pipe(Effect.provide([layer, NodeServices.layer]), NodeRuntime.runMain)
