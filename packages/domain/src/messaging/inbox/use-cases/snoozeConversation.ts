import { type DateTime, Effect } from "effect"
import { transact, useCase } from "../../../kernel/index.ts"
import { checkSnooze } from "../changes.ts"
import type { ConversationId } from "../Ids.ts"
import { snoozed } from "../states.ts"
import { changeConversation } from "../changeConversation.ts"

/** Snoozes a conversation until then, or until the contact writes. One that is snoozed already gets the new time. */
export const snoozeConversation = useCase(
  "conversations.snooze",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* (id: ConversationId, until: DateTime.Utc) {
    return yield* changeConversation(
      id,
      Effect.fnUntraced(function* (before, now) {
        yield* checkSnooze(until, now, "/until")
        return yield* snoozed(before, until, now)
      })
    )
  }, transact)
)
