import type { DomainEvent, WebhookEnvelope } from "@parley/domain"
import type { Plain } from "../PromiseClient.ts"

type Body<Type extends string, Data> = Plain<typeof WebhookEnvelope.Type> & { readonly type: Type; readonly data: Data }

type BodyOf<Event extends { readonly type: string }> = Event extends unknown
  ? Body<Event["type"], Plain<Omit<Event, "type">>>
  : never

/** The type of an event that a subscription may have delivered. */
export type WebhookEventType = DomainEvent["type"] | "webhook.test"

/** The body of a delivery: `type` says which event it is, and so what `data` has. Further types and fields will come. */
export type WebhookEvent = BodyOf<DomainEvent> | Body<"webhook.test", {}>
