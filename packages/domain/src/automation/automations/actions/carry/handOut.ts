import { Effect } from "effect"
import { autoAssign } from "../../../../messaging/inbox/index.ts"
import type { ActionOf } from "../Action.ts"
import type { ActionFacts } from "../ActionFacts.ts"
import { done } from "../ActionResult.ts"
import { conversationMeant } from "../conversationMeant.ts"

/** Hands the conversation of the contact to whoever is free, or has it wait for somebody. */
export const handOut = Effect.fnUntraced(function* (action: ActionOf<"auto_assign">, facts: ActionFacts) {
  const { id } = yield* conversationMeant(facts)
  const { kind } = yield* autoAssign(id, action)
  return done(kind === "unchanged" ? null : { kind: "conversation", id })
})
