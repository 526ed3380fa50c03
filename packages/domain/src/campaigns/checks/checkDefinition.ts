import { Effect } from "effect"
import { resolveFilter } from "../../crm/index.ts"
import type { BroadcastDefinition } from "../Broadcast.ts"
import { checkMessages } from "./checkMessages.ts"
import { everyFault } from "./everyFault.ts"

const inMessages = ["chatAccountId", "templateId", "variables", "variants"] as const

/** Refuses what is wrong in what was given of a broadcast. What a draft leaves out is no fault, nor what has become wrong since it was given. */
export const checkDefinition = (
  broadcast: BroadcastDefinition,
  given: Partial<Record<keyof BroadcastDefinition, unknown>>
) => {
  const { audience, exclude } = broadcast
  const checks = [
    inMessages.some((field) => field in given) ? checkMessages(broadcast, "given") : Effect.void,
    "audience" in given && audience !== null ? resolveFilter(audience, "/audience") : Effect.void,
    "exclude" in given && exclude !== null ? resolveFilter(exclude, "/exclude") : Effect.void
  ]
  return Effect.flatMap(Effect.all(checks, { mode: "result" }), everyFault)
}
