import { Effect } from "effect"
import { createNote } from "../../../../messaging/inbox/index.ts"
import type { ActionOf } from "../Action.ts"
import type { ActionFacts } from "../ActionFacts.ts"
import { done } from "../ActionResult.ts"
import { conversationMeant } from "../conversationMeant.ts"

/** Writes a note on the conversation of the contact. */
export const addNote = Effect.fnUntraced(function* ({ mentions = [], text }: ActionOf<"add_note">, facts: ActionFacts) {
  const { id: conversationId } = yield* conversationMeant(facts)
  const { id } = yield* createNote(conversationId, { text, mentions })
  return done({ kind: "note", id })
})
