import { Context, type DateTime, Effect, Schema } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import type { PluginCaller } from "../../../integrations/plugins/index.ts"
import type { HttpMethod, WebhookSubscriptionId } from "../../../integrations/webhooks/index.ts"
import { type NotFound, type TenantScoped, type Transaction, Uuid } from "../../../kernel/index.ts"

export const HttpCallId = Uuid.pipe(Schema.brand("HttpCallId"))
export type HttpCallId = typeof HttpCallId.Type

/** Request with rendered texts. It contains no secrets. */
export interface HttpCallRequest {
  readonly method: HttpMethod
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON of the body; `null` without a body. */
  readonly body: { readonly json: Schema.Json } | null
  readonly timeoutSeconds: number
  /** Subscription whose secrets sign the request and whose headers it has. */
  readonly webhookSubscriptionId: WebhookSubscriptionId | null
}

/** Answer of an HTTP request, as texts and conditions read it. */
export const HttpAnswer = Schema.Struct({ status: Schema.NullOr(Schema.Int), body: Schema.Json })
export type HttpAnswer = typeof HttpAnswer.Type

/** Reason of a failed request. */
export interface HttpCallError {
  readonly code: string
  readonly message: string
}

/** HTTP request of an action, from its first attempt to its end. */
export interface StoredHttpCall {
  readonly id: HttpCallId
  /** Scheme, host and port. Requests to one origin share a lane. */
  readonly origin: string
  /** `run:step:visit`: the receiver deduplicates by this key. */
  readonly key: string
  readonly caller: PluginCaller
  readonly runId: string
  readonly contactId: string | null
  /** `null` after the erasure of the contact. */
  readonly request: HttpCallRequest | null
  readonly state: "pending" | "done" | "failed"
  /** Last answer; `null` without one, and after the erasure of the contact. */
  readonly output: HttpAnswer | null
  readonly error: HttpCallError | null
  readonly tries: number
  /** Time of the next attempt; `null` after the end. */
  readonly dueAt: DateTime.Utc | null
  readonly at: DateTime.Utc
}

/** HTTP requests of actions. */
export class HttpCalls extends Context.Service<
  HttpCalls,
  TenantScoped<{
    /** Calls with these ids, unordered. */
    readonly find: (ids: ReadonlyArray<HttpCallId>) => Effect.Effect<ReadonlyArray<StoredHttpCall>>
    /** Locks the call for a change. Other callers of `lock` wait until this unit of work ends. */
    readonly lock: (id: HttpCallId) => Effect.Effect<StoredHttpCall, NotFound, Transaction>
    /** Adds the call unless it exists. Returns whether it was added. */
    readonly add: (call: StoredHttpCall) => Effect.Effect<boolean, never, Transaction>
    /** Stores the state, the answer, the attempts and the due time. */
    readonly save: (call: StoredHttpCall) => Effect.Effect<void, never, Transaction>
    /** Returns the due calls to an origin, earliest first. */
    readonly due: (origin: string, now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<StoredHttpCall>>
    /** Returns the next due time of the calls to an origin; `null` without pending calls. */
    readonly nextDue: (origin: string) => Effect.Effect<DateTime.Utc | null>
    /** Deletes at most `limit` ended calls that were requested before this time. Returns their number. */
    readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
    /** Blanks requests, answers and contact ids of calls about these contacts. Pending calls fail, so an attempt under way stores nothing. */
    readonly blank: (contactIds: ReadonlyArray<string>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/automation/automations/requests/HttpCalls") {}

/** Contact data owner of HTTP requests: their data is deleted with the contact. */
export const httpCallData = {
  permission: "contacts.read" as const,
  isBlankedFirst: true as const,
  timeline: () => Effect.succeed([]),
  export: () => Effect.succeed({}),
  nothing: {},
  move: () => Effect.void,
  moveBack: () => Effect.void,
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>) {
    yield* (yield* HttpCalls).blank(contactIds)
  })
}
