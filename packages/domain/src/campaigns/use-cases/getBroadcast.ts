import { Effect } from "effect"
import { useCase } from "../../kernel/index.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"

/** Reads one broadcast. */
export const getBroadcast = useCase(
  "broadcasts.get",
  { access: { permission: "broadcasts.read" } },
  Effect.fnUntraced(function* (id: BroadcastId) {
    return yield* (yield* Broadcasts).get(id)
  })
)
