import { Context, Effect, Layer } from "effect"
import { ServerConfig } from "./ServerConfig.ts"

/** Whether the server is about to stop: it still serves, and asks callers to go elsewhere. */
export const Drain = Context.Reference<{ isDraining: boolean }>("@parley/http-adapter/Drain", {
  defaultValue: () => ({ isDraining: false })
})

/** Before anything else is stopped, those in front of the server have time to notice that it is about to go. */
export const layerBeforeEnd = Layer.effectDiscard(
  Effect.gen(function* () {
    const { drainMillis = 0 } = yield* ServerConfig
    const drain = yield* Drain
    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => {
        drain.isDraining = true
        return drainMillis === 0 ? Effect.void : Effect.sleep(drainMillis)
      })
    )
  })
)
