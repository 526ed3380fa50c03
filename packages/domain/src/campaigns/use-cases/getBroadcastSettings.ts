import { Effect } from "effect"
import { useCase } from "../../kernel/index.ts"
import { StoredBroadcastSettings } from "../StoredBroadcastSettings.ts"

/** Reads what holds for all broadcasts. */
export const getBroadcastSettings = useCase(
  "broadcastSettings.get",
  { access: { permission: "broadcasts.read" } },
  Effect.fnUntraced(function* () {
    return yield* (yield* StoredBroadcastSettings).get()
  })
)
