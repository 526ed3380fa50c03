import type { DomainEvent, WebhookCall, WebhookEnvelope } from "@parley/domain"
import type { Plain } from "../PromiseClient.ts"

type Body<Type extends string, Data> = Plain<typeof WebhookEnvelope.Type> & { readonly type: Type; readonly data: Data }

type BodyOf<Event extends { readonly type: string }> = Event extends unknown
  ? Body<Event["type"], Plain<Omit<Event, "type">>>
  : never

/** The type of an event that a subscription may have delivered. */
export type WebhookEventType = DomainEvent["type"] | "automation.call" | "webhook.test"

/** What an automation or a workflow posts. The ids are `null` once the contact is erased. */
type Called = Body<"automation.call", Plain<Omit<WebhookCall, "actor" | "causation">>>

/** The body of a delivery: `type` says which event it is, and so what `data` has. Further types and fields will come. */
export type WebhookEvent = BodyOf<DomainEvent> | Called | Body<"webhook.test", {}>
