import { Context, type DateTime, type Effect } from "effect"
import type { Feature, NotFound, Slice, TenantScoped, Transaction, VersionConflict } from "../../kernel/index.ts"
import type { EndpointHealth } from "./health.ts"
import type { WebhookSubscriptionId } from "./Ids.ts"
import type { WebhookSubscription } from "./WebhookSubscription.ts"

/** What deliveries are signed with and what they carry, each sealed by the vault for the subscription. */
export interface WebhookSecrets {
  readonly secret: string
  /** Secrets of before that sign as well for a while, the latest first. */
  readonly former: ReadonlyArray<{ readonly sealed: string; readonly until: DateTime.Utc }>
  /** The headers that are sent besides, as JSON; `null` where there are none. */
  readonly headers: string | null
}

/** A subscription as it is kept. Its `circuit` and `lastSuccessAt` are those of its health. */
export interface KeptSubscription {
  readonly subscription: WebhookSubscription
  readonly secrets: WebhookSecrets
  readonly health: EndpointHealth
  /** Events up to this position were logged before it was there, or while it was disabled. */
  readonly startsAfter: number
  /** The feature of the plan whose it is, where it is none of those that people write: they never see it. */
  readonly feature: Feature | null
}

/** The addresses that the organization's events are posted to. */
export class WebhookSubscriptions extends Context.Service<
  WebhookSubscriptions,
  TenantScoped<{
    /** One that people have written. */
    readonly get: (id: WebhookSubscriptionId) => Effect.Effect<WebhookSubscription, NotFound>
    /** Those that people have written, newest first; the key of a row is its id. */
    readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<WebhookSubscription>>
    /** Of those that people have written. */
    readonly count: () => Effect.Effect<number>
    /** With all that is kept of it; `null` if there is none. */
    readonly find: (id: WebhookSubscriptionId) => Effect.Effect<KeptSubscription | null>
    /** As `find`, to change it: others who do wait until this unit of work ends. */
    readonly lock: (id: WebhookSubscriptionId) => Effect.Effect<KeptSubscription, NotFound, Transaction>
    /** Those that events are delivered to. */
    readonly enabled: () => Effect.Effect<ReadonlyArray<KeptSubscription>>
    readonly insert: (kept: KeptSubscription) => Effect.Effect<void, never, Transaction>
    /** Stores it with its version raised by one, if the stored version is still the expected one (`null`: whatever it is). */
    readonly save: (
      subscription: WebhookSubscription,
      expected: number | null
    ) => Effect.Effect<WebhookSubscription, NotFound | VersionConflict, Transaction>
    /** Stores what nobody says of it; its version stays. */
    readonly keep: (
      id: WebhookSubscriptionId,
      part: Partial<Omit<KeptSubscription, "subscription">>
    ) => Effect.Effect<void, never, Transaction>
    readonly remove: (
      id: WebhookSubscriptionId,
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
  }>
>()("@parley/domain/integrations/webhooks/WebhookSubscriptions") {}
