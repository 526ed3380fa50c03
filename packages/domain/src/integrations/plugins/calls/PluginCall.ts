import { Context, type DateTime, Effect, Schema } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import {
  isStorable,
  type NotFound,
  type PluginId,
  StorableJson,
  type TenantScoped,
  type Transaction,
  Uuid
} from "../../../kernel/index.ts"

export const PluginCallId = Uuid.pipe(Schema.brand("PluginCallId"))
export type PluginCallId = typeof PluginCallId.Type

/** Reasons why an action failed. */
export const PluginCallErrorCode = Schema.Literals([
  "plugin_answer_invalid",
  "plugin_disabled",
  "plugin_output_invalid",
  "plugin_refused",
  "plugin_timeout",
  "plugin_unreachable",
  "run_ended"
])
export type PluginCallErrorCode = typeof PluginCallErrorCode.Type

/** Reason of a failed action, with the plugin's own message if the plugin refused it. */
export const PluginCallError = Schema.Struct({
  code: PluginCallErrorCode,
  pluginCode: Schema.NullOr(Schema.String),
  message: Schema.String
}).annotate({ identifier: "PluginCallError" })
export type PluginCallError = typeof PluginCallError.Type

/** `pending`: the request is due now or later. `awaiting_completion`: the plugin will answer later. */
export const PluginCallState = Schema.Literals(["pending", "awaiting_completion", "done", "failed"])

/** Callers of plugin actions: a workflow can wait for the answer, an automation cannot. */
export type PluginCaller = "automation" | "workflow"

/** Call of an action, from its request to its end. */
export interface StoredPluginCall {
  readonly id: PluginCallId
  readonly pluginId: PluginId
  readonly action: string
  /** `run:step:visit`: the plugin deduplicates by this key. */
  readonly key: string
  readonly caller: PluginCaller
  readonly runId: string
  readonly contactId: string | null
  readonly conversationId: string | null
  readonly input: Schema.Json
  readonly state: typeof PluginCallState.Type
  readonly output: Schema.Json
  readonly error: PluginCallError | null
  readonly tries: number
  /** Time of the next request, or of the timeout of the answer; `null` after the end. */
  readonly dueAt: DateTime.Utc | null
  readonly at: DateTime.Utc
}

/** State of a call. */
export class PluginCall extends Schema.Class<PluginCall>("PluginCall")({
  id: PluginCallId,
  action: Schema.String,
  state: PluginCallState,
  error: Schema.NullOr(PluginCallError)
}) {}

/** Result of an action with a late answer: its output or its error. */
export const PluginCallCompletion = Schema.Struct({
  output: Schema.optionalKey(StorableJson).annotateKey({
    description: "Value that matches the `output` of the manifest."
  }),
  error: Schema.optionalKey(
    Schema.Struct({
      code: Schema.String.check(
        isStorable,
        Schema.isMaxCodePoints(100, { message: "Expected at most 100 characters" })
      ),
      message: Schema.String.check(
        isStorable,
        Schema.isMaxCodePoints(500, { message: "Expected at most 500 characters" })
      )
    })
  )
}).annotate({ identifier: "PluginCallCompletion" })
export type PluginCallCompletion = typeof PluginCallCompletion.Type

/** Calls of plugin actions. */
export class PluginCalls extends Context.Service<
  PluginCalls,
  TenantScoped<{
    readonly find: (id: PluginCallId) => Effect.Effect<StoredPluginCall | null>
    /** Locks the call for a change. Other callers of `lock` wait until this unit of work ends. */
    readonly lock: (id: PluginCallId) => Effect.Effect<StoredPluginCall, NotFound, Transaction>
    /** Adds the call unless it exists. Returns whether it was added. */
    readonly add: (call: StoredPluginCall) => Effect.Effect<boolean, never, Transaction>
    readonly save: (call: StoredPluginCall) => Effect.Effect<void, never, Transaction>
    /** Returns the due calls of a plugin, earliest first. */
    readonly due: (
      pluginId: PluginId,
      now: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredPluginCall>>
    /** Returns the next due time of a plugin's calls; `null` without pending calls. */
    readonly nextDue: (pluginId: PluginId) => Effect.Effect<DateTime.Utc | null>
    /** Deletes at most `limit` ended calls that were requested before this time. Returns their number. */
    readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
    /** Blanks requests, answers and contact ids of calls about these contacts. Calls that have not ended fail and are not sent. */
    readonly blank: (contactIds: ReadonlyArray<string>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/integrations/plugins/PluginCalls") {}

/** Contact data owner of plugin calls: their data is deleted with the contact. */
export const pluginCallData = {
  permission: "contacts.read" as const,
  isBlankedFirst: true as const,
  timeline: () => Effect.succeed([]),
  export: () => Effect.succeed({}),
  nothing: {},
  move: () => Effect.void,
  moveBack: () => Effect.void,
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>) {
    yield* (yield* PluginCalls).blank(contactIds)
  })
}
