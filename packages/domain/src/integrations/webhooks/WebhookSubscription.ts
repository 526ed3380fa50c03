import { Schema } from "effect"
import { Permission, Timestamp, Uuid } from "../../kernel/index.ts"
import { SingleLineText } from "../../platform/identity/index.ts"
import { EventFilter } from "./EventFilter.ts"

export const WebhookSubscriptionId = Uuid.pipe(Schema.brand("WebhookSubscriptionId"))
export type WebhookSubscriptionId = typeof WebhookSubscriptionId.Type

/** The same in each attempt and each replay: it is made of the subscription and of the event's position. */
export const WebhookDeliveryId = Uuid.pipe(Schema.brand("WebhookDeliveryId"))
export type WebhookDeliveryId = typeof WebhookDeliveryId.Type

const SubscriptionName = SingleLineText.check(
  Schema.isMaxCodePoints(120, { message: "Expected at most 120 characters" })
)

/** A type of event, the beginning of some such as `order.*`, or `*` for all. */
export const EventPattern = Schema.String.check(
  Schema.isMaxCodePoints(100, { message: "Expected at most 100 characters" }),
  Schema.isPattern(/^(?:\*|[a-z_]+\.(?:[a-z_]+|\*))$/u, {
    message: "Expected a type of event such as message.received, the beginning of some such as order.*, or *"
  })
)

const EventPatterns = Schema.Array(EventPattern).check(
  Schema.isMaxLength(100, { message: "Expected at most 100 types" }),
  Schema.isUnique({ message: "Expected each type once" })
)

/** Where deliveries are posted. What is wrong with an address is said when it is written. */
const WebhookUrl = Schema.String.check(
  Schema.isBetweenCodePoints(1, 2_000, { message: "Expected 1 to 2000 characters" })
)

/** `thin`: what happened, by ids. `full`: with the resource, as GET answers it at each attempt. */
export const WebhookPayload = Schema.Literals(["thin", "full"])

/** The version of what is posted. Fields are only added to one. */
export const WebhookPayloadVersion = Schema.Literals(["v1"])

/** `none`: several at a time. `subject`: one at a time for each contact, or else for each resource. */
export const WebhookOrdering = Schema.Literals(["none", "subject"])
export type WebhookOrdering = typeof WebhookOrdering.Type

/** Why nothing is delivered: the receiver answered 410, it has failed for days, or a person has said so. */
export const DisabledReason = Schema.Literals(["gone", "failing", "manual"])
export type DisabledReason = typeof DisabledReason.Type

const HeaderName = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/u, { message: "Expected the name of a header" })
)

const HeaderValue = Schema.String.check(
  Schema.isMaxCodePoints(1_024, { message: "Expected at most 1024 characters" }),
  Schema.isPattern(/^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/u, {
    message: "Expected visible ASCII characters, without spaces at the ends"
  })
)

/** An address that events are posted to. */
export class WebhookSubscription extends Schema.Class<WebhookSubscription>("WebhookSubscription")({
  id: WebhookSubscriptionId,
  name: SubscriptionName,
  url: WebhookUrl,
  events: EventPatterns,
  filter: EventFilter,
  payload: WebhookPayload,
  payloadVersion: WebhookPayloadVersion,
  ordering: WebhookOrdering,
  headers: Schema.Record(Schema.String, Schema.Null).annotate({
    description: "The headers that are sent besides. Their values are never shown."
  }),
  permissions: Schema.Array(Permission).annotate({
    description: "What whoever wrote it last was allowed to see: nothing else is delivered, whatever becomes of them."
  }),
  status: Schema.Literals(["enabled", "disabled"]),
  disabledReason: Schema.NullOr(DisabledReason),
  circuit: Schema.Literals(["closed", "open"]).annotate({
    description: "`open` after ten failures in a row: one delivery at a time is tried, and the rest wait."
  }),
  lastSuccessAt: Schema.NullOr(Timestamp),
  disabledAtPosition: Schema.NullOr(Schema.Int).annotate({
    description: "What came after this position was not delivered: replay from here once it is enabled again."
  }),
  version: Schema.Int
}) {}

const requiredFields = {
  name: SubscriptionName,
  url: WebhookUrl,
  events: EventPatterns.annotateKey({
    description: "Types of events, beginnings of some such as `order.*`, or `*` for all that you may see; 100 at most."
  })
}

const choices = {
  filter: Schema.optionalKey(EventFilter),
  payload: Schema.optionalKey(WebhookPayload),
  payloadVersion: Schema.optionalKey(WebhookPayloadVersion),
  ordering: Schema.optionalKey(WebhookOrdering)
}

/** What is said of a new subscription. */
export const NewWebhookSubscription = Schema.Struct({
  ...requiredFields,
  ...choices,
  headers: Schema.optionalKey(Schema.Record(HeaderName, HeaderValue)).annotateKey({
    description: "Up to ten headers that are sent besides. Their values are kept sealed and never shown."
  })
}).annotate({ identifier: "NewWebhookSubscription" })
export type NewWebhookSubscription = typeof NewWebhookSubscription.Type

/** What may be changed of a subscription; an absent field stays. */
export const WebhookSubscriptionPatch = Schema.Struct({
  name: Schema.optionalKey(requiredFields.name),
  url: Schema.optionalKey(requiredFields.url),
  events: Schema.optionalKey(requiredFields.events),
  ...choices,
  headers: Schema.optionalKey(Schema.Record(HeaderName, Schema.NullOr(HeaderValue))).annotateKey({
    description: "All headers from now on; `null` keeps the value that one has."
  })
}).annotate({ identifier: "WebhookSubscriptionPatch" })
export type WebhookSubscriptionPatch = typeof WebhookSubscriptionPatch.Type

/** A new subscription, with the secret that is shown this once. */
export class CreatedWebhookSubscription extends Schema.Class<CreatedWebhookSubscription>("WebhookSubscribed")({
  ...WebhookSubscription.fields,
  secret: Schema.RedactedFromValue(Schema.String).annotate({
    description: "What deliveries are signed with. It is shown in this answer only."
  })
}) {}

/** For how long the secret before this one signs as well, in seconds. */
export const SecretRotation = Schema.Struct({
  overlapSeconds: Schema.optionalKey(
    Schema.Number.check(
      Schema.isInt({ message: "Expected a whole number" }),
      Schema.isBetween({ minimum: 0, maximum: 604_800 }, { message: "Expected a whole number from 0 to 604800" })
    )
  ).annotateKey({ description: "A day, 86400, if it is not said." })
}).annotate({ identifier: "SecretRotation" })
export type SecretRotation = typeof SecretRotation.Type

/** A new secret, and until when the one before it signs as well. */
export class RotatedSecret extends Schema.Class<RotatedSecret>("RotatedSecret")({
  secret: Schema.RedactedFromValue(Schema.String),
  previousSecretExpiresAt: Timestamp
}) {}
