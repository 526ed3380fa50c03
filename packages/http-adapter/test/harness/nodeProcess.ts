import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { CurrentRequest, Transaction, UnitOfWork } from "@parley/domain"
import { Database } from "@parley/postgres-adapter"
import { Console, Context, Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { Server, settings } from "../../src/server/index.ts"
import { layerPorts } from "./postgres.ts"
import { roomySettings } from "./service.ts"
import { deadly } from "./processes.ts"

/** Kills the process for requests that say so: when their unit of work is committed, and nothing has been answered. */
const layerDeadly = Layer.effect(
  UnitOfWork,
  Effect.map(UnitOfWork, (unit) =>
    UnitOfWork.of({
      transact: (effect) =>
        Effect.contextWith((context: Context.Context<never>) => {
          const isNested = Context.getOrUndefined(context, Transaction) !== undefined
          const isDeadly = Context.get(context, CurrentRequest).id?.startsWith(deadly) === true
          const done = unit.transact(effect)
          return isDeadly && !isNested
            ? Effect.tap(done, () => Effect.sync(() => process.kill(process.pid, "SIGKILL")))
            : done
        })
    })
  )
)

const [, , url = "", masterKeys = ""] = process.argv

const ports = layerDeadly.pipe(
  Layer.provideMerge(
    layerPorts(Database.layer({ url: Redacted.make(url), maxConnections: 8 }), {
      masterKeys: Redacted.make(masterKeys)
    })
  )
)

const announce = Effect.flatMap(HttpServer.HttpServer, ({ address }) =>
  Console.log(`listening ${"port" in address ? address.port : "nowhere"}`)
)

Layer.effectDiscard(announce).pipe(
  Layer.provide(Server.layer(settings({ ...roomySettings, accessLog: false, port: 0 }))),
  Layer.provide(ports),
  Layer.launch,
  NodeRuntime.runMain
)
