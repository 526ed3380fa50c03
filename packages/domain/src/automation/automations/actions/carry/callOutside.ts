import { Effect } from "effect"
import { lockContact } from "../../../../crm/index.ts"
import { startPluginCall } from "../../../../integrations/plugins/index.ts"
import { callSubscription } from "../../../../integrations/webhooks/index.ts"
import type { ActionOf } from "../Action.ts"
import { type ActionCause, keyOf } from "../ActionCause.ts"
import type { ActionFacts } from "../ActionFacts.ts"
import { type ActionResult, done } from "../ActionResult.ts"
import { ownConversation } from "../conversationMeant.ts"
import { ActionRefused } from "../Errors.ts"
import { WorkflowStarts } from "../WorkflowStarts.ts"

/** Takes the contact as well: whoever erases it at the same time finds what is told of it, or nothing is. */
const about = Effect.fnUntraced(function* (facts: ActionFacts, { runId }: ActionCause) {
  const { id: contactId } = yield* lockContact(facts.contactId)
  const conversation = yield* ownConversation(facts)
  return { runId, contactId, conversationId: conversation?.id ?? null }
})

/** Has a body posted to a webhook subscription, which retries it by itself. */
export const callWebhook = Effect.fnUntraced(function* (
  { body, webhookSubscriptionId }: ActionOf<"call_webhook">,
  facts: ActionFacts,
  cause: ActionCause
) {
  const asked = { ...(yield* about(facts, cause)), key: keyOf(cause), body }
  const id = yield* Effect.catchTag(
    callSubscription(webhookSubscriptionId, asked),
    "WebhookSubscriptionDisabled",
    () => new ActionRefused({ reason: "webhook_disabled" })
  )
  return done({ kind: "webhook_delivery", id })
})

/** Begins a workflow for the contact. */
export const startWorkflow = Effect.fnUntraced(function* (
  { input = {}, workflowId }: ActionOf<"start_workflow">,
  facts: ActionFacts,
  cause: ActionCause
) {
  const { id: contactId } = yield* lockContact(facts.contactId)
  const id = yield* (yield* WorkflowStarts).start({ workflowId, contactId, input, key: keyOf(cause) })
  return done({ kind: "workflow_run", id })
})

/** Asks a plugin to act. What comes of it is told to those who are called when calls end. */
export const askPlugin = Effect.fnUntraced(function* (
  { action, input, pluginId }: ActionOf<"plugin_action">,
  facts: ActionFacts,
  cause: ActionCause
) {
  const asked = { ...(yield* about(facts, cause)), key: keyOf(cause), caller: cause.kind, pluginId, action, input }
  return { kind: "calling", callId: yield* startPluginCall(asked) } satisfies ActionResult
})
