import { Context, Effect, Layer, type Schema } from "effect"
import { type ContactId, lockContact } from "../../../crm/index.ts"
import { startPluginCall } from "../../../integrations/plugins/index.ts"
import { callSubscription } from "../../../integrations/webhooks/index.ts"
import {
  type Causation,
  type RequiredPermissions as Permissions,
  NotFound,
  type TenantScoped,
  type Transaction
} from "../../../kernel/index.ts"
import type { ActionOf, WorkflowId } from "./Action.ts"
import { type ActionCause, type ActionFacts, type ActionResult, doneResult, toActionKey } from "./ActionResult.ts"
import { ownConversation } from "./conversationActions.ts"
import { startHttpCall } from "../requests/startHttpCall.ts"
import { ActionRefused, type WorkflowRefused } from "./errors.ts"

/** Request to start a workflow. `key` is `run:step:visit`, and identifies the run. */
export interface WorkflowStartRequest {
  readonly workflowId: WorkflowId
  readonly contactId: ContactId
  readonly input: Readonly<Record<string, Schema.Json>>
  readonly key: string
}

/** Starts runs of workflows; the workflows area implements it. */
export class WorkflowStarter extends Context.Service<
  WorkflowStarter,
  TenantScoped<{
    readonly exists: (id: WorkflowId) => Effect.Effect<boolean>
    /** Everything that the published versions of these workflows reach, including other workflows; `null`: all running or paused workflows. */
    readonly needs: (ids: ReadonlyArray<WorkflowId> | null) => Effect.Effect<Permissions>
    /** Causation of the events that a run appends; `null` if the run does not exist. */
    readonly causationOf: (runId: string) => Effect.Effect<Causation | null>
    /** Starts a run in the unit of work of the caller; returns its id. */
    readonly start: (asked: WorkflowStartRequest) => Effect.Effect<string, WorkflowRefused | NotFound, Transaction>
  }>
>()("@parley/domain/automation/automations/WorkflowStarter") {
  /** No workflow exists. */
  static readonly layerNone = Layer.succeed(WorkflowStarter, {
    exists: () => Effect.succeed(false),
    needs: () => Effect.succeed(new Set()),
    causationOf: () => Effect.succeed(null),
    start: () => Effect.fail(new NotFound({ resource: "workflow" }))
  })
}

/** Also locks the contact: a concurrent erasure then finds the call data, or prevents the call. */
const lockCallSubject = Effect.fnUntraced(function* (facts: ActionFacts, { runId }: ActionCause) {
  const { id: contactId } = yield* lockContact(facts.contactId)
  const conversation = yield* ownConversation(facts)
  return { runId, contactId, conversationId: conversation?.id ?? null }
})

/** Posts a body to a webhook subscription, which retries the delivery. */
export const callWebhook = Effect.fnUntraced(function* (
  { body, webhookSubscriptionId }: ActionOf<"call_webhook">,
  facts: ActionFacts,
  cause: ActionCause
) {
  const asked = { ...(yield* lockCallSubject(facts, cause)), key: toActionKey(cause), body }
  const id = yield* Effect.catchTag(
    callSubscription(webhookSubscriptionId, asked),
    "WebhookSubscriptionDisabled",
    () => new ActionRefused({ reason: "webhook_disabled" })
  )
  return doneResult({ kind: "webhook_delivery", id })
})

export const startWorkflow = Effect.fnUntraced(function* (
  { input = {}, workflowId }: ActionOf<"start_workflow">,
  facts: ActionFacts,
  cause: ActionCause
) {
  const { id: contactId } = yield* lockContact(facts.contactId)
  const id = yield* (yield* WorkflowStarter).start({ workflowId, contactId, input, key: toActionKey(cause) })
  return doneResult({ kind: "workflow_run", id })
})

/** Sends an HTTP request. The listeners of ended calls receive its answer. */
export const executeHttpRequest = Effect.fnUntraced(function* (
  action: ActionOf<"http_request">,
  facts: ActionFacts,
  cause: ActionCause
) {
  const { contactId, runId } = yield* lockCallSubject(facts, cause)
  const id = yield* startHttpCall(action, { caller: cause.kind, runId, key: toActionKey(cause), contactId })
  return { kind: "calling", effect: { kind: "http_call", id } } satisfies ActionResult
})

/** Requests an action of a plugin. The listeners of ended calls receive its result. */
export const executePluginAction = Effect.fnUntraced(function* (
  { action, input, pluginId }: ActionOf<"plugin_action">,
  facts: ActionFacts,
  cause: ActionCause
) {
  const asked = {
    ...(yield* lockCallSubject(facts, cause)),
    key: toActionKey(cause),
    caller: cause.kind,
    pluginId,
    action,
    input
  }
  const id = yield* startPluginCall(asked)
  return { kind: "calling", effect: { kind: "plugin_call", id } } satisfies ActionResult
})
