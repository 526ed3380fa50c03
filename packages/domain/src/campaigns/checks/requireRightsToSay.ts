import { Effect } from "effect"
import { CurrentActor, holds, PermissionDenied } from "../../kernel/index.ts"
import type { Broadcast } from "../Broadcast.ts"

/** Only who may send changes what is about to be sent, or lets a broadcast ignore the rules that protect contacts. */
export const requireRightsToSay = Effect.fnUntraced(function* (before: Broadcast | null, after: Broadcast) {
  const changesRules =
    after.ignoreFrequencyCaps !== (before?.ignoreFrequencyCaps ?? false) ||
    after.ignoreQuietHours !== (before?.ignoreQuietHours ?? false)
  const needsSending = before?.status === "scheduled" || changesRules
  if (needsSending && !holds(yield* CurrentActor, "broadcasts.send")) {
    return yield* new PermissionDenied({ permission: "broadcasts.send" })
  }
})
