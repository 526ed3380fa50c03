import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { startChatSimulator } from "@parley/simulators/chat"
import { Config, Effect, Schema } from "effect"
import { serveUntilLeft } from "../../servers/serveUntilLeft.ts"
import { drawing } from "../drawing.ts"
import { drawScript } from "./script.ts"

const SimulatedNumber = Schema.Struct({
  phoneId: Schema.String,
  businessId: Schema.String,
  displayPhone: Schema.String,
  accessToken: Schema.String
})

/** Behaviour of the provider. */
export const ProviderSettings = Schema.Struct({
  seed: Schema.Int,
  numbers: Schema.Array(SimulatedNumber),
  /** Number of calls with random results. Later calls succeed. */
  calls: Schema.Int
})

const settings = Config.schema(Schema.fromJsonString(ProviderSettings), "CHAOS_PROVIDER")

// The provider in a separate process: it and its log survive crashes of the service.
Effect.gen(function* () {
  const { calls, numbers, seed } = yield* settings
  const simulator = yield* startChatSimulator({
    numbers,
    throughputPerSecond: Number.MAX_SAFE_INTEGER,
    pairMillis: 0,
    attempts: 1_000
  })
  for (const what of drawScript(drawing(seed), calls)) simulator.misbehave({ on: "messages", what })
  yield* serveUntilLeft(Number(new URL(simulator.url).port))
}).pipe(Effect.scoped, Effect.provide(NodeServices.layer), NodeRuntime.runMain)
