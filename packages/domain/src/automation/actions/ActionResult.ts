import { type DateTime, Schema } from "effect"
import type { PluginCallId } from "../../plugins/index.ts"
import type { ActionType } from "./Action.ts"

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
export const ActionError = Schema.Struct({ code: Schema.String, detail: Schema.NullOr(Schema.String) }).annotate({
  identifier: "ActionError"
})
export type ActionError = typeof ActionError.Type

/**
 * What came of an action. `done`: its effect is in the unit of work, `null` if nothing changed. `refused`: nothing of it is, for good.
 * `wait`: nothing of it is, and it is performed anew then. `calling`: a plugin is asked, and `pluginCallEnds` tells how that ends.
 */
export type ActionResult =
  | { readonly kind: "done"; readonly effect: ActionEffect | null }
  | { readonly kind: "refused"; readonly error: ActionError }
  | { readonly kind: "wait"; readonly until: DateTime.Utc }
  | { readonly kind: "calling"; readonly callId: PluginCallId }

/** What an action would do now: its fields as they would be, or why it would be refused. */
export interface TriedAction {
  readonly type: ActionType
  /** `null` where it could not be made. */
  readonly rendered: Schema.Json
  readonly refusal: ActionError | null
}

/** The row that an action has written; nothing where nothing changed. */
export const done = (effect: ActionEffect | null): ActionResult => ({ kind: "done", effect })
