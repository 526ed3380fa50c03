import { Effect } from "effect"
import { useCase } from "../../../kernel/index.ts"
import { Conversations } from "../Conversations.ts"
import { whoAsks } from "../assignees.ts"

/** Counts the conversations of each status, and those that ask for somebody. */
export const countConversations = useCase(
  "conversations.count",
  { access: { permission: "conversations.read" } },
  Effect.fnUntraced(function* () {
    return yield* (yield* Conversations).counts(yield* whoAsks)
  })
)
