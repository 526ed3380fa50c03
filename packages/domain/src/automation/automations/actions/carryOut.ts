import { Effect } from "effect"
import type { Action } from "./Action.ts"
import type { ActionCause } from "./ActionCause.ts"
import type { ActionFacts } from "./ActionFacts.ts"
import { addNote } from "./carry/addNote.ts"
import { askPlugin, callWebhook, startWorkflow } from "./carry/callOutside.ts"
import { changeContact } from "./carry/changeContact.ts"
import { changeConversation } from "./carry/changeConversation.ts"
import { handOut } from "./carry/handOut.ts"
import { tellAway } from "./carry/sendAway.ts"
import { sendMessage, sendTemplate } from "./carry/writeMessage.ts"
import { renderAction } from "./renderAction.ts"

/** Carries out an action whose texts are made. */
export const carry = Effect.fnUntraced(function* (action: Action, facts: ActionFacts, cause: ActionCause) {
  switch (action.type) {
    case "send_message":
      return yield* sendMessage(action, facts)
    case "send_template":
      return yield* sendTemplate(action, facts)
    case "send_away":
      return yield* tellAway(action, facts)
    case "auto_assign":
      return yield* handOut(action, facts)
    case "tag":
    case "untag":
    case "set_attribute":
      return yield* changeContact(action, facts)
    case "assign":
    case "set_priority":
    case "add_labels":
    case "remove_labels":
    case "set_status":
      return yield* changeConversation(action, facts)
    case "add_note":
      return yield* addNote(action, facts)
    case "call_webhook":
      return yield* callWebhook(action, facts, cause)
    case "start_workflow":
      return yield* startWorkflow(action, facts, cause)
    case "plugin_action":
      return yield* askPlugin(action, facts, cause)
  }
})

/** Makes the texts of an action and carries it out, with whatever rule of the areas below may refuse it. */
export const carryOut = Effect.fnUntraced(function* (action: Action, facts: ActionFacts, cause: ActionCause) {
  return yield* carry(yield* renderAction(action, facts), facts, cause)
})
