import { Context, DateTime, Effect, Layer, type Schema } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import {
  type ValidationIssue,
  Ids,
  type PluginId,
  type Tenancy,
  type TenantScoped,
  type Transaction,
  ValidationFailed,
  withContext
} from "../../../kernel/index.ts"
import { Lanes, type TaskName } from "../../../platform/background/index.ts"
import { utf8Bytes } from "../../../platform/files/index.ts"
import { maxPluginBytes } from "../PluginManifest.ts"
import { Plugins } from "../Plugins.ts"
import { PluginCallRefused } from "../errors.ts"
import { validateSchemaValue } from "../schemas/valueValidation.ts"
import { type PluginCaller, PluginCallId } from "./PluginCall.ts"
import { type StoredPluginCall, PluginCalls } from "./PluginCalls.ts"
import { callRetryDelay, maxCallWait, type PluginResponse } from "./pluginResponses.ts"

/** Call of an action that ends after its action: a plugin call or an HTTP request. */
export interface ActionCall {
  readonly kind: "plugin_call" | "http_call"
  readonly id: string
  readonly caller: PluginCaller
  readonly runId: string
  readonly output: Schema.Json
  readonly error: { readonly code: string; readonly message: string } | null
  readonly tries: number
}

/** Listener of an area for the ends of its calls. */
export interface ActionCallListener<R> {
  /** Runs in the unit of work that ends the call. Ignores calls of other areas, and calls that their run no longer waits for. */
  readonly ended: (call: ActionCall) => Effect.Effect<void, never, R>
  /** Returns whether the area requested this call and no longer waits for its result. Then no request is sent. */
  readonly isGivenUp: (call: ActionCall) => Effect.Effect<boolean, never, R>
}

/** Call listeners of all areas. */
export class ActionCallListeners extends Context.Service<
  ActionCallListeners,
  TenantScoped<{
    readonly ended: (call: ActionCall) => Effect.Effect<void, never, Transaction>
    readonly isGivenUp: (call: ActionCall) => Effect.Effect<boolean>
  }>
>()("@parley/domain/integrations/plugins/ActionCallListeners") {}

type ListenerServices<End> = End extends ActionCallListener<infer R> ? Exclude<R, Tenancy | Transaction> : never

/** Combines the call listeners. */
export const layerActionCallListeners = <End extends ActionCallListener<unknown>>(
  ends: ReadonlyArray<End>
): Layer.Layer<ActionCallListeners, never, ListenerServices<End>> =>
  Layer.effect(
    ActionCallListeners,
    Effect.contextWith((outside: Context.Context<ListenerServices<End>>) => {
      const reading = withContext<Tenancy>(outside)
      const writing = withContext<Tenancy | Transaction>(outside)
      return Effect.succeed(
        ActionCallListeners.of({
          ended: (call) => Effect.forEach(ends, (end) => writing(end.ended(call)), { discard: true }),
          isGivenUp: Effect.fnUntraced(function* (call) {
            for (const end of ends) if (yield* reading(end.isGivenUp(call))) return true
            return false
          })
        })
      )
    })
  )

/** Returns a plugin call as its listeners see it. */
export const toActionCall = (call: StoredPluginCall): ActionCall => ({ ...call, kind: "plugin_call" })

/** Name of the background task for plugin actions. Each plugin has a lane. */
export const pluginCallTaskName: TaskName = "plugin calls"

/** Schedules the lane of a plugin's calls. */
const scheduleCallLane = Effect.fnUntraced(function* (key: PluginId, dueAt: DateTime.Utc) {
  yield* (yield* Lanes).open({ task: pluginCallTaskName, key, priority: "bulk", dueAt })
})

/** Request for a plugin action, with its caller. `key` is `run:step:visit`: equal keys name the same call. */
export interface PluginCallRequest {
  readonly pluginId: PluginId
  readonly action: string
  readonly input: Schema.Json
  readonly caller: PluginCaller
  readonly runId: string
  readonly key: string
  readonly contactId: ContactId | null
  readonly conversationId: string | null
}

/** Returns all errors of an action's input. */
export const validateActionInput = (
  schema: Schema.Json,
  input: Schema.Json,
  pointer: string
): ReadonlyArray<ValidationIssue> =>
  utf8Bytes(JSON.stringify(input)).length > maxPluginBytes
    ? [{ pointer, message: "Expected an input of at most 64 KiB" }]
    : validateSchemaValue(schema, input, pointer)

/** Starts a plugin call in the current unit of work. Calls with equal keys are deduplicated. Listeners receive the result when the call ends. */
export const startPluginCall = Effect.fnUntraced(function* ({ action: key, input, ...asked }: PluginCallRequest) {
  const plugin = yield* (yield* Plugins).find(asked.pluginId)
  if (plugin === null || plugin.status !== "enabled") return yield* new PluginCallRefused({ reason: "plugin_disabled" })
  const action = plugin.manifest.actions?.find((each) => each.key === key)
  if (action === undefined) return yield* new PluginCallRefused({ reason: "plugin_action_unknown" })
  const errors = validateActionInput(action.input as Schema.Json, input, "/input")
  if (errors.length > 0) return yield* new ValidationFailed({ errors })
  const at = yield* DateTime.now
  const call: StoredPluginCall = {
    id: PluginCallId.make(yield* (yield* Ids).derived(asked.pluginId, asked.key)),
    ...asked,
    action: key,
    input,
    state: "pending",
    output: null,
    error: null,
    tries: 0,
    dueAt: at,
    at,
    log: []
  }
  if (yield* (yield* PluginCalls).add(call)) yield* scheduleCallLane(asked.pluginId, at)
  return call.id
})

const unreachableError = {
  code: "plugin_unreachable",
  pluginCode: null,
  message: "The plugin did not answer, or postponed its answer, in all attempts."
} as const

/** Applies a plugin's response to a call at this time. */
const applyPluginResponse = (call: StoredPluginCall, verdict: PluginResponse, now: DateTime.Utc): StoredPluginCall => {
  switch (verdict.kind) {
    case "done":
      return { ...call, state: "done", output: verdict.output, dueAt: null }
    case "failed":
      return { ...call, state: "failed", error: verdict.error, dueAt: null }
    case "later":
      return { ...call, state: "awaiting_completion", dueAt: DateTime.addDuration(now, maxCallWait) }
    case "again": {
      const gap = callRetryDelay(call.caller, call.tries)
      return gap === null
        ? { ...call, state: "failed", error: unreachableError, dueAt: null }
        : { ...call, dueAt: DateTime.addDuration(now, gap) }
    }
  }
}

/** Whether the caller continues. An automation does not wait for a delayed answer, because later events of the contact would wait too. */
const isOverForCaller = ({ caller, state }: StoredPluginCall): boolean =>
  state === "done" || state === "failed" || (state === "awaiting_completion" && caller === "automation")

/** Stores the result of a response to a locked call, and notifies the listeners if their run can continue. */
export const settleCall = Effect.fnUntraced(function* (call: StoredPluginCall, verdict: PluginResponse) {
  const settled = applyPluginResponse(call, verdict, yield* DateTime.now)
  yield* (yield* PluginCalls).save(settled)
  if (isOverForCaller(settled)) yield* (yield* ActionCallListeners).ended(toActionCall(settled))
  return settled
})
