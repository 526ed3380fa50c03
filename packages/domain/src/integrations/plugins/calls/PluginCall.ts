import { Context, type DateTime, Effect, Schema } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import { type NotFound, type PluginId, type TenantScoped, type Transaction, Uuid } from "../../../kernel/index.ts"

/** A plugin that is asked to act. */
export const PluginCallId = Uuid.pipe(Schema.brand("PluginCallId"))
export type PluginCallId = typeof PluginCallId.Type

/** Why a plugin has not acted. */
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

/** Why a plugin has not acted, and in its own words where it has refused. */
export const PluginCallError = Schema.Struct({
  code: PluginCallErrorCode,
  pluginCode: Schema.NullOr(Schema.String),
  message: Schema.String
}).annotate({ identifier: "PluginCallError" })
export type PluginCallError = typeof PluginCallError.Type

/** `pending`: it is asked, or will be again. `waiting`: it has said that it answers later. */
export const PluginCallState = Schema.Literals(["pending", "waiting", "done", "failed"])

/** What asks a plugin to act: a workflow can wait for its answer, an automation cannot. */
export type PluginCaller = "automation" | "workflow"

/** A call of an action, from when it is asked for until it has ended. */
export interface StoredPluginCall {
  readonly id: PluginCallId
  readonly pluginId: PluginId
  readonly action: string
  /** `run:step:visit`: what the plugin knows a repetition by. */
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
  /** When it is asked next, or when it is too late for its answer; `null` once it has ended. */
  readonly dueAt: DateTime.Utc | null
  readonly at: DateTime.Utc
}

/** How a call stands. */
export class PluginCall extends Schema.Class<PluginCall>("PluginCall")({
  id: PluginCallId,
  action: Schema.String,
  state: PluginCallState,
  error: Schema.NullOr(PluginCallError)
}) {}

/** What came of an action that was answered later: its output, or why there is none. */
export const PluginCallCompletion = Schema.Struct({
  output: Schema.optionalKey(Schema.Json).annotateKey({ description: "As the `output` of the manifest says." }),
  error: Schema.optionalKey(
    Schema.Struct({
      code: Schema.String.check(Schema.isMaxCodePoints(100, { message: "Expected at most 100 characters" })),
      message: Schema.String.check(Schema.isMaxCodePoints(500, { message: "Expected at most 500 characters" }))
    })
  )
}).annotate({ identifier: "PluginCallCompletion" })
export type PluginCallCompletion = typeof PluginCallCompletion.Type

/** What plugins are asked to do. */
export class PluginCalls extends Context.Service<
  PluginCalls,
  TenantScoped<{
    readonly find: (id: PluginCallId) => Effect.Effect<StoredPluginCall | null>
    /** To change it: others who do wait until this unit of work ends. */
    readonly lock: (id: PluginCallId) => Effect.Effect<StoredPluginCall, NotFound, Transaction>
    /** One that is there already stays as it is; says whether it was not. */
    readonly add: (call: StoredPluginCall) => Effect.Effect<boolean, never, Transaction>
    readonly save: (call: StoredPluginCall) => Effect.Effect<void, never, Transaction>
    /** Those of a plugin whose time has come, the earliest first. */
    readonly due: (
      pluginId: PluginId,
      now: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredPluginCall>>
    /** When the next one of a plugin is due; `null` when none is. */
    readonly nextDue: (pluginId: PluginId) => Effect.Effect<DateTime.Utc | null>
    /** Forgets what has ended and was asked for before, at most so many; says how many. */
    readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
    /** Blanks what was said to plugins, and by them, about these contacts, and whom it was about. What has not ended has failed: nobody is asked any more. */
    readonly blank: (contactIds: ReadonlyArray<string>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/integrations/plugins/PluginCalls") {}

/** What was said to plugins about contacts, and by them, goes with the contacts. */
export const pluginCallData = {
  permission: "contacts.read" as const,
  timeline: () => Effect.succeed([]),
  export: () => Effect.succeed({}),
  nothing: {},
  move: () => Effect.void,
  moveBack: () => Effect.void,
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>) {
    yield* (yield* PluginCalls).blank(contactIds)
  })
}
