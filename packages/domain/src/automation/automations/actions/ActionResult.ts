import { Context, type DateTime, Effect, Schema } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import { shownWith, type TenantScoped, type Transaction, UserId } from "../../../kernel/index.ts"
import { AssignmentReason, type ConversationId, type MessageId } from "../../../messaging/inbox/index.ts"
import { factPermissions } from "../conditions/ConditionInput.ts"
import { actionTypes } from "./Action.ts"

/** Row that an action has written. */
export const ActionEffect = Schema.Struct({
  kind: Schema.Literals([
    "contact",
    "conversation",
    "http_call",
    "message",
    "note",
    "plugin_call",
    "webhook_delivery",
    "workflow_run"
  ]),
  id: Schema.String
}).annotate({ identifier: "ActionEffect" })
export type ActionEffect = typeof ActionEffect.Type

/** Removes the id of an erased contact. */
export const withoutErasedContact = (effect: ActionEffect | null): ActionEffect | null =>
  effect?.kind === "contact" ? null : effect

/** Reason for a refused action: the code of the API call, or an action code. */
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

/** Assignment by the action `auto_assign`. */
export const ActionAssignment = Schema.Struct({
  result: Schema.Literals(["assigned", "queued", "unchanged"]).annotateKey({
    description: "`queued`: no member is free. `unchanged`: it is assigned or resolved, or no member is free."
  }),
  assigneeId: Schema.NullOr(UserId),
  because: Schema.NullOr(AssignmentReason).annotateKey({
    description: "Reason for this member; null unless `assigned`."
  })
}).annotate({ identifier: "ActionAssignment" })
export type ActionAssignment = typeof ActionAssignment.Type

/** Reason why an action waits: quiet hours, or a retry after a service error. */
export type WaitReason = "quiet_hours" | "retry"

/**
 * Result of an action. `done`: the unit of work contains its effect; `null` if nothing changed. `refused`:
 * permanently without effect. `wait`: without effect; the action runs again at that time. `calling`: a plugin call or an HTTP
 * request is pending, and `actionCallEnds` reports its result.
 */
export type ActionResult =
  | { readonly kind: "done"; readonly effect: ActionEffect | null; readonly assignment?: ActionAssignment }
  | { readonly kind: "refused"; readonly error: ActionError }
  | { readonly kind: "wait"; readonly until: DateTime.Utc; readonly reason: WaitReason }
  | { readonly kind: "calling"; readonly effect: ActionEffect }

/** Preview of an action: its rendered fields, or the reason for a refusal. */
export const TriedAction = Schema.Struct({
  type: Schema.Literals(actionTypes),
  rendered: Schema.Json.annotateKey({
    description: "The action with its rendered texts. Null if rendering failed."
  }).pipe(shownWith(...factPermissions)),
  refusal: Schema.NullOr(ActionError).annotateKey({
    description: "Reason for a refusal; `null` without a refusal. Waiting for the end of quiet hours is not a refusal."
  })
}).annotate({ identifier: "TriedAction" })
export type TriedAction = typeof TriedAction.Type

/** Builds a `done` result; `null` means no change. */
export const doneResult = (effect: ActionEffect | null): ActionResult => ({ kind: "done", effect })

/** Effects outside of the facts of conditions and texts. */
const effectsOutsideFacts: ReadonlySet<ActionEffect["kind"]> = new Set([
  "http_call",
  "note",
  "plugin_call",
  "webhook_delivery",
  "workflow_run"
])

/** Whether an action can have changed facts. */
export const canChangeFacts = (result: ActionResult): boolean =>
  result.kind === "done" && result.effect !== null && !effectsOutsideFacts.has(result.effect.kind)

/** Origin of an action. The same run, step and visit identify the same action across retries. */
export interface ActionCause {
  readonly kind: "automation" | "workflow"
  /** Id of the automation or the workflow. */
  readonly id: string
  readonly runId: string
  /** Position of the action in its automation, or the node id. */
  readonly step: string
  /** Number of times that the run has entered the node; 1 in automations. */
  readonly visit: number
}

/** Builds the key that deduplicates the effect of an action. */
export const toActionKey = ({ runId, step, visit }: ActionCause): string => `${runId}:${step}:${visit}`

/** Context of an action, derived from its event. */
export interface ActionFacts {
  readonly contactId: ContactId
  /** Conversation of the event; `null` if it has none. */
  readonly conversationId: ConversationId | null
  /** Message of the event, if any. */
  readonly messageId?: MessageId | null
  /** Template variables by group: `{{ order.number }}` reads `number` of the group `order`. Missing values are empty. */
  readonly texts: Readonly<Record<string, unknown>>
}

export type ActionKey = Pick<ActionCause, "runId" | "step" | "visit">

/** Stored effects of actions, to deduplicate retries. */
export class ActionEffects extends Context.Service<
  ActionEffects,
  TenantScoped<{
    readonly find: (key: ActionKey) => Effect.Effect<ActionEffect | null>
    /** Returns `false` if the action already has an effect. A concurrent call waits for the first one. */
    readonly add: (key: ActionKey, effect: ActionEffect, at: DateTime.Utc) => Effect.Effect<boolean, never, Transaction>
    /** Deletes up to `limit` effects from before the time; returns their number. */
    readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
    /** Deletes the effects on these contacts. Their runs have ended, so no action is repeated. */
    readonly forget: (contactIds: ReadonlyArray<ContactId>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/automation/automations/ActionEffects") {}

/** Contact data owner of action effects: the id of a contact is deleted with the contact. */
export const actionEffectData = {
  permission: "contacts.read" as const,
  timeline: () => Effect.succeed([]),
  export: () => Effect.succeed({}),
  nothing: {},
  move: () => Effect.void,
  moveBack: () => Effect.void,
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>) {
    yield* (yield* ActionEffects).forget(contactIds)
  })
}
