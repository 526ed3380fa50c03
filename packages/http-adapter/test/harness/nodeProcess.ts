import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { jobTasks, layerJobKindsOf, layerWorkersOf } from "@parley/domain/platform"
import { layerWorkers } from "@parley/domain/composition"
import { Database } from "@parley/postgres-adapter"
import * as Webhooks from "@parley/provider-adapters/webhooks"
import { Console, Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"
import "effect/schema/SchemaJITCompiler/enable"
import { flushCompileCache } from "node:module"
import { settings } from "../../src/server/ServerConfig.ts"
import { Server } from "../../src/server/index.ts"
import { layerBetweenCommitAndAnswer } from "./lostAnswers.ts"
import { layerPorts } from "./postgres.ts"
import { deadly } from "./processes.ts"
import { rowsJob } from "./rowsJob.ts"
import { roomySettings } from "./service.ts"
import { layerShopify } from "./shopify.ts"

const killed = Effect.sync(() => {
  process.kill(process.pid, "SIGKILL")
})

const [, , url = "", masterKeys = "", storeApiUrl, port] = process.argv

// Without a port, no process receives the deliveries of shops, and they are lost.
const publicUrl = `http://127.0.0.1:${port ?? 9}`

const ports = layerBetweenCommitAndAnswer(deadly, killed).pipe(
  Layer.provideMerge(
    layerPorts(Database.layer({ url: Redacted.make(url), maxConnections: 8 }), {
      masterKeys: Redacted.make(masterKeys),
      webhooks: Webhooks.layer({ publicUrl: "https://parley.test", loopback: true }),
      ...(storeApiUrl !== undefined && { stores: layerShopify(storeApiUrl, publicUrl, ["read_all_orders"]) })
    })
  )
)

const announce = Effect.flatMap(HttpServer.HttpServer, ({ address }) =>
  Console.log(`listening ${"port" in address ? address.port : "nowhere"}`)
)

// A process that is killed leaves nothing for the next one at its end.
const keepCompiled = Effect.sync(() => flushCompileCache())

Layer.effectDiscard(Effect.andThen(keepCompiled, announce)).pipe(
  Layer.merge(
    storeApiUrl === undefined
      ? layerWorkersOf(jobTasks).pipe(Layer.provide(layerJobKindsOf([rowsJob])))
      : layerWorkers()
  ),
  Layer.provide(Server.layer(settings({ ...roomySettings, accessLog: false, port: Number(port ?? 0) }))),
  Layer.provide(ports),
  Layer.launch,
  NodeRuntime.runMain
)
