import { Effect, Schema } from "effect"
import { defineJob } from "../../platform/jobs/index.ts"
import { Timestamp } from "../../kernel/index.ts"
import { StoreConnectionId } from "../Ids.ts"
import { removeSome } from "./removeSome.ts"

/** Forgets a shop that somebody has disconnected, and removes its connection, unless it is connected again in the meantime. */
export const removeStoreJob = defineJob({
  name: "stores.remove",
  needs: null,
  input: Schema.Struct({ storeConnectionId: StoreConnectionId, leftAt: Timestamp }),
  checkpoint: Schema.Struct({ forgotten: Schema.Int }),
  step: Effect.fnUntraced(function* ({ leftAt, storeConnectionId }, checkpoint) {
    const { forgotten, state } = yield* removeSome(storeConnectionId, leftAt)
    const sum = (checkpoint?.forgotten ?? 0) + forgotten
    return {
      checkpoint: { forgotten: sum },
      done: state !== "more",
      progress: { done: sum, total: null },
      counts: { forgotten: sum }
    }
  })
})
