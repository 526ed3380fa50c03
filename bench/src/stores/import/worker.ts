import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { jobTasks, layerJobKinds, layerWorkersOf } from "@parley/domain"
import { Config, Effect, Layer, Schedule, Tracer } from "effect"
import { worker } from "../../campaigns/fleet/worker.ts"
import { layerPorts } from "../../tenants/ports.ts"
import { layerGeneratedShop } from "./GeneratedShop.ts"

const setup = Config.unwrap({
  databaseUrl: Config.Redacted("BENCH_DATABASE_URL"),
  masterKeys: Config.Redacted("BENCH_MASTER_KEYS"),
  products: Config.Int("BENCH_PRODUCTS"),
  customers: Config.Int("BENCH_CUSTOMERS"),
  orders: Config.Int("BENCH_ORDERS")
})

let statements = 0

// One statement starts a transaction, and another one commits it.
const statementsOf: Readonly<Record<string, number>> = { postgresql: 1, "sql.transaction": 2 }

const counting = Tracer.make({
  span: (options) => {
    statements += statementsOf[options.name] ?? 0
    return new Tracer.NativeSpan(options)
  }
})

const workers = Layer.unwrap(
  Effect.map(setup, ({ databaseUrl, masterKeys, ...size }) =>
    layerWorkersOf(jobTasks, { lookMillis: 200, name: "store import" }).pipe(
      Layer.provide(layerJobKinds),
      Layer.provide(layerPorts({ databaseUrl, masterKeys, poolSize: 5, stores: layerGeneratedShop(size) }))
    )
  )
)

const saying = Effect.sync(() => worker.say(0, statements)).pipe(Effect.repeat(Schedule.spaced("100 millis")))

worker.untilGo.pipe(
  Effect.andThen(Effect.raceFirst(Layer.launch(workers), saying)),
  Effect.provideService(Tracer.Tracer, counting),
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain
)
