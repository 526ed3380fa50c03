import { Context, DateTime, Effect, type Schema } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import {
  canView,
  CurrentActor,
  type NotFound,
  paged,
  type PageRequest,
  type PluginId,
  type Slice,
  type TenantScoped,
  type Transaction
} from "../../../kernel/index.ts"
import { callPermissions } from "../../webhooks/index.ts"
import type { PluginCallError, PluginCaller, PluginCallId, PluginCallState } from "./PluginCall.ts"
import { PluginCallAttempt, PluginCallLog } from "./PluginCallLog.ts"

/** Call of an action, from its request to its end. */
export interface StoredPluginCall {
  readonly id: PluginCallId
  readonly pluginId: PluginId
  readonly action: string
  /** `run:step:visit`: the plugin deduplicates by this key. */
  readonly key: string
  readonly caller: PluginCaller
  readonly runId: string
  readonly contactId: ContactId | null
  readonly conversationId: string | null
  readonly input: Schema.Json
  readonly state: typeof PluginCallState.Type
  readonly output: Schema.Json
  readonly error: PluginCallError | null
  readonly tries: number
  /** Time of the next request, or of the timeout of the answer; `null` after the end. */
  readonly dueAt: DateTime.Utc | null
  readonly at: DateTime.Utc
  /** Requests with their results, oldest first. */
  readonly log: ReadonlyArray<PluginCallAttempt>
}

/** Filter of listed calls; `null` means any. `from` is inclusive, `to` is exclusive. */
export interface PluginCallFilter {
  readonly state: ReadonlyArray<typeof PluginCallState.Type> | null
  readonly action: string | null
  readonly runId: string | null
  readonly from: DateTime.Utc | null
  readonly to: DateTime.Utc | null
}

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
    /** Returns calls with their requests, both latest first. The row key is the time of the call and the id. */
    readonly list: (
      pluginId: PluginId,
      filter: PluginCallFilter,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<PluginCallLog>>
    /** Deletes at most `limit` ended calls that were requested before this time. Returns their number. */
    readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
    /** Deletes the requests of at most `limit` calls whose latest request is before this time. Returns the number of calls. */
    readonly sweepLogs: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
    /** Blanks requests, answers and contact ids of calls about these contacts. Calls that have not ended fail and are not sent. */
    readonly blank: (contactIds: ReadonlyArray<string>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/integrations/plugins/PluginCalls") {}

const allCalls: PluginCallFilter = { state: null, action: null, runId: null, from: null, to: null }

const withoutDetails = (call: PluginCallLog) =>
  new PluginCallLog({
    ...call,
    error: null,
    log: call.log.map((attempt) => new PluginCallAttempt({ ...attempt, request: null, response: null }))
  })

/** Pages through the calls of a plugin, latest first. */
export const pageOfCalls = Effect.fnUntraced(function* (
  pluginId: PluginId,
  request: Partial<PluginCallFilter>,
  page: PageRequest
) {
  const calls = yield* PluginCalls
  const filter = { ...allCalls, ...request }
  const { data, nextCursor } = yield* paged(
    `plugin_calls/${pluginId}`,
    page,
    (slice) => calls.list(pluginId, filter, slice),
    ({ at, id }) => [DateTime.formatIso(at), id]
  )
  const actor = yield* CurrentActor
  // The digest and the size of a request reveal its content. An answer and a message of the plugin can repeat the request.
  const isVisible = callPermissions.every((permission) => canView(actor, permission))
  return { data: isVisible ? data : data.map(withoutDetails), nextCursor }
})

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
