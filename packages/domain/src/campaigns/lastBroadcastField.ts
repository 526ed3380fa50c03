import { DateTime, Effect } from "effect"
import { defineFilterField, type Filter, timeOperators } from "../crm/index.ts"

const known = (condition: string, at: DateTime.Utc | null = null): Filter => ({
  kind: "known",
  condition,
  values: at === null ? [] : [DateTime.formatIso(at)]
})

/** When a contact got a broadcast last: when the provider accepted it. */
export const lastBroadcastField = defineFilterField({
  name: "lastBroadcastAt",
  permission: "broadcasts.read",
  conditions: ["broadcast_ever", "broadcast_before", "broadcast_since"],
  operators: (now) =>
    timeOperators(
      {
        set: known("broadcast_ever"),
        before: (at) => known("broadcast_before", at),
        since: (at) => known("broadcast_since", at)
      },
      now
    ),
  names: null,
  find: () => Effect.succeed([])
})
