import { Context, type DateTime, type Effect, Schema } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import type { PluginCallId } from "../../../integrations/plugins/index.ts"
import { shownWith, type TenantScoped, type Transaction } from "../../../kernel/index.ts"
import type { ConversationId, MessageId } from "../../../messaging/inbox/index.ts"
import { factPermissions } from "../conditions/ConditionInput.ts"
import { actionTypes } from "./Action.ts"

/** The row that an action has written. */
export const ActionEffect = Schema.Struct({
  kind: Schema.Literals([
    "contact",
    "conversation",
    "message",
    "note",
    "plugin_call",
    "webhook_delivery",
    "workflow_run"
  ]),
  id: Schema.String
}).annotate({ identifier: "ActionEffect" })
export type ActionEffect = typeof ActionEffect.Type

/** Why an action was not performed: as the API call would say it, or one of the codes of actions. */
export const ActionError = Schema.Struct({
  code: Schema.String,
  detail: Schema.NullOr(Schema.String),
  variable: Schema.optionalKey(Schema.String).annotateKey({
    description: "Variable that is empty or does not fit, such as `order.statusUrl`; absent if unknown."
  }),
  pointer: Schema.optionalKey(Schema.String).annotateKey({
    description: "Field of the action with the error, as a JSON pointer such as `/input/points`; absent if unknown."
  })
}).annotate({
  identifier: "ActionError"
})
export type ActionError = typeof ActionError.Type

/** Reason why an action waits: quiet hours, or a retry after a service error. */
export type WaitReason = "quiet_hours" | "retry"

/**
 * What came of an action. `done`: its effect is in the unit of work, `null` if nothing changed. `refused`: nothing of it is, for good.
 * `wait`: nothing of it is, and it is performed anew then. `calling`: a plugin is asked, and `pluginCallEnds` tells how that ends.
 */
export type ActionResult =
  | { readonly kind: "done"; readonly effect: ActionEffect | null }
  | { readonly kind: "refused"; readonly error: ActionError }
  | { readonly kind: "wait"; readonly until: DateTime.Utc; readonly reason: WaitReason }
  | { readonly kind: "calling"; readonly callId: PluginCallId }

/** What an action would do now: its fields as they would be, or why it would be refused. */
export const TriedAction = Schema.Struct({
  type: Schema.Literals(actionTypes),
  rendered: Schema.Json.annotateKey({
    description: "The action with its rendered texts. Null if rendering failed."
  }).pipe(shownWith(...factPermissions)),
  refusal: Schema.NullOr(ActionError).annotateKey({
    description:
      "Why it would be refused; `null` if it would not be. One that would wait for the end of quiet hours is not."
  })
}).annotate({ identifier: "TriedAction" })
export type TriedAction = typeof TriedAction.Type

/** The row that an action has written; nothing where nothing changed. */
export const doneResult = (effect: ActionEffect | null): ActionResult => ({ kind: "done", effect })

/** What performs an action. The same run, step and visit name the same action, however often it is performed. */
export interface ActionCause {
  readonly kind: "automation" | "workflow"
  /** Of the automation or the workflow. */
  readonly id: string
  readonly runId: string
  /** The place of the action in its automation, or the node. */
  readonly step: string
  /** How often a run has come to the node; 1 in automations. */
  readonly visit: number
}

/** What the effect of an action is known by. */
export const toActionKey = ({ runId, step, visit }: ActionCause): string => `${runId}:${step}:${visit}`

/** What actions know of what has happened. */
export interface ActionFacts {
  readonly contactId: ContactId
  /** The conversation that the event is about; `null` where it is about none. */
  readonly conversationId: ConversationId | null
  /** The message that the event is about, where it is about one. */
  readonly messageId?: MessageId | null
  /** What texts may name, by group: `{{ order.number }}` is `number` of the group `order`. What is not there is empty. */
  readonly texts: Readonly<Record<string, unknown>>
}

/** What names an action: the same ones name the same action. */
export type ActionKey = Pick<ActionCause, "runId" | "step" | "visit">

/** What actions have come to, so that none of them has its effect twice. */
export class ActionEffects extends Context.Service<
  ActionEffects,
  TenantScoped<{
    readonly find: (key: ActionKey) => Effect.Effect<ActionEffect | null>
    /** `false` where the action has had its effect already; whoever asks at the same time waits for the other one. */
    readonly add: (key: ActionKey, effect: ActionEffect, at: DateTime.Utc) => Effect.Effect<boolean, never, Transaction>
    /** Forgets what was before, at most so much; says how much. */
    readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
  }>
>()("@parley/domain/automation/automations/ActionEffects") {}
