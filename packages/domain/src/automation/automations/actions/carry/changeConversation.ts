import { DateTime, Effect } from "effect"
import {
  changeConversations,
  type ConversationBulk,
  type ConversationId,
  updateConversation
} from "../../../../messaging/inbox/index.ts"
import type { ActionOf } from "../Action.ts"
import type { ActionFacts } from "../ActionFacts.ts"
import { done } from "../ActionResult.ts"
import { conversationMeant } from "../conversationMeant.ts"
import { ConversationRefused } from "../Errors.ts"

type Changing = ActionOf<"assign" | "set_priority" | "add_labels" | "remove_labels" | "set_status">

/** The action in the words of the inbox; `null` where it has none. */
const inBulk = (action: Changing, now: DateTime.Utc): ConversationBulk["action"] | null => {
  if (action.type !== "set_status") return action
  switch (action.status) {
    case "open":
      return { type: "reopen" }
    case "resolved":
      return { type: "resolve" }
    case "snoozed":
      return { type: "snooze", until: DateTime.add(now, { seconds: action.snoozeSeconds ?? 0 }) }
    case "pending":
      return null
  }
}

const changeOne = Effect.fnUntraced(function* (id: ConversationId, action: ConversationBulk["action"]) {
  const { changed, refused } = yield* changeConversations({ ids: [id], action }, false)
  const [refusal] = refused
  return refusal === undefined ? changed > 0 : yield* new ConversationRefused(refusal)
})

/** Changes the conversation of the contact, as the team would. */
export const changeConversation = Effect.fnUntraced(function* (action: Changing, facts: ActionFacts) {
  const { id, version } = yield* conversationMeant(facts)
  const said = inBulk(action, yield* DateTime.now)
  const hasChanged =
    said === null
      ? (yield* updateConversation(id, { status: "pending" }, null)).version > version
      : yield* changeOne(id, said)
  return done(hasChanged ? { kind: "conversation", id } : null)
})
