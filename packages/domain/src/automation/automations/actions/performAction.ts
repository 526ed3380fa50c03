import { DateTime, Effect } from "effect"
import { lockContact, tagContact, untagContact, updateContact } from "../../../crm/index.ts"
import { type Actor, CurrentActor, Permission, transact, Transaction } from "../../../kernel/index.ts"
import type { Action, ActionOf } from "./Action.ts"
import { type ActionCause, ActionEffects, type ActionFacts, type ActionResult, doneResult } from "./ActionResult.ts"
import { addNote, changeConversation, executeAutoAssign } from "./conversationActions.ts"
import { ActionRepeated, toActionError } from "./errors.ts"
import { sendMessage, sendTemplate, executeSendAway } from "./messageActions.ts"
import { executeHttpRequest, executePluginAction, callWebhook, startWorkflow } from "./externalActions.ts"
import { renderAction } from "./renderAction.ts"

type ContactAction = ActionOf<"tag" | "untag" | "set_attribute" | "set_name" | "set_consent">

const change = (action: ContactAction, { contactId }: ActionFacts, { kind }: ActionCause) => {
  switch (action.type) {
    case "tag":
      return tagContact({ id: contactId, tags: action.tagIds })
    case "untag":
      return untagContact({ id: contactId, tag: action.tagIds })
    case "set_attribute":
      return updateContact({ id: contactId, attributes: action.attributes, ifVersion: null })
    case "set_name":
      return updateContact({ id: contactId, name: action.name, ifVersion: null })
    case "set_consent": {
      const { evidence, source = kind, state } = action
      return updateContact({ id: contactId, marketing: { state, source, evidence }, ifVersion: null })
    }
  }
}

/** Changes the data of the contact. */
const changeContact = Effect.fnUntraced(function* (action: ContactAction, facts: ActionFacts, cause: ActionCause) {
  const before = yield* lockContact(facts.contactId)
  const after = yield* change(action, facts, cause)
  return doneResult(after.version === before.version ? null : { kind: "contact", id: after.id })
})

/** Executes an action with rendered texts. */
export const executeAction = Effect.fnUntraced(function* (action: Action, facts: ActionFacts, cause: ActionCause) {
  switch (action.type) {
    case "send_message":
      return yield* sendMessage(action, facts)
    case "send_template":
      return yield* sendTemplate(action, facts)
    case "send_away":
      return yield* executeSendAway(action, facts)
    case "auto_assign":
      return yield* executeAutoAssign(action, facts)
    case "tag":
    case "untag":
    case "set_attribute":
    case "set_name":
    case "set_consent":
      return yield* changeContact(action, facts, cause)
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
    case "http_request":
      return yield* executeHttpRequest(action, facts, cause)
    case "start_workflow":
      return yield* startWorkflow(action, facts, cause)
    case "plugin_action":
      return yield* executePluginAction(action, facts, cause)
  }
})

/** Renders the texts of an action and executes it. The rules of the lower areas apply. */
const renderAndExecute = Effect.fnUntraced(function* (action: Action, facts: ActionFacts, cause: ActionCause) {
  return yield* executeAction(yield* renderAction(action, facts), facts, cause)
})

export interface ActionExecution {
  readonly cause: ActionCause
  readonly facts: ActionFacts
}

/** The actor who saved, enabled or started it held all required permissions. A later loss does not stop running work. */
const allPermissions: ReadonlySet<Permission> = new Set(Permission.literals)

/** Actor for an automation or a workflow. */
export const actorFor = ({ id, kind, runId }: ActionCause): Actor => ({
  kind: "delegate",
  for: { kind, id },
  runId,
  permissions: allPermissions
})

/** Stores the effect in the unit of work under its key. */
const saveEffect = Effect.fnUntraced(function* (cause: ActionCause, result: ActionResult) {
  if (result.kind !== "done" || result.effect === null) return
  const isNew = yield* (yield* ActionEffects).add(cause, result.effect, yield* DateTime.now)
  if (!isNew) return yield* new ActionRepeated()
})

/**
 * Performs an action in the unit of work of the caller: all of it, or nothing. Deduplicates retries of the same run,
 * step and visit.
 */
export const performAction = Effect.fnUntraced(function* (action: Action, { cause, facts }: ActionExecution) {
  yield* Transaction
  const effects = yield* ActionEffects
  const before = yield* effects.find(cause)
  if (before !== null) return doneResult(before)
  return yield* renderAndExecute(action, facts, cause).pipe(
    Effect.tap((result) => saveEffect(cause, result)),
    transact,
    Effect.provideService(CurrentActor, actorFor(cause)),
    Effect.catchTag("ActionRepeated", () => Effect.map(effects.find(cause), doneResult)),
    Effect.catch((error): Effect.Effect<ActionResult> =>
      Effect.succeed({ kind: "refused", error: toActionError(error) })
    )
  )
})
