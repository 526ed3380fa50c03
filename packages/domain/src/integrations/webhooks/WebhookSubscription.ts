import { Schema } from "effect"
import { isStorable, Permission, Timestamp, Uuid } from "../../kernel/index.ts"
import { SingleLineText } from "../../platform/identity/index.ts"
import { EventFilter } from "./EventFilter.ts"

export const WebhookSubscriptionId = Uuid.pipe(Schema.brand("WebhookSubscriptionId"))
export type WebhookSubscriptionId = typeof WebhookSubscriptionId.Type

/** Delivery id. It is the same in each attempt and each replay, because it is derived from subscription and event position. */
export const WebhookDeliveryId = Uuid.pipe(Schema.brand("WebhookDeliveryId"))
export type WebhookDeliveryId = typeof WebhookDeliveryId.Type

const SubscriptionName = SingleLineText.check(
  Schema.isMaxCodePoints(120, { message: "Expected at most 120 characters" })
)

/** Pattern of event types: a type, a prefix such as `order.*`, or `*` for all. */
export const EventPattern = Schema.String.check(
  Schema.isMaxCodePoints(100, { message: "Expected at most 100 characters" }),
  Schema.isPattern(/^(?:\*|[a-z_]+\.(?:[a-z_]+|\*))$/u, {
    message: "Expected an event type such as message.received, a prefix such as order.*, or *"
  })
)

const EventPatterns = Schema.Array(EventPattern).check(
  Schema.isMaxLength(100, { message: "Expected at most 100 types" }),
  Schema.isUnique({ message: "Expected each type once" })
)

/** URL of the receiver. A write validates it and reports its errors. */
const WebhookUrl = Schema.String.check(
  isStorable,
  Schema.isBetweenCodePoints(1, 2_000, { message: "Expected 1 to 2000 characters" })
)

/** `thin`: only ids. `full`: with the resource in the form of GET at each attempt. */
export const WebhookPayload = Schema.Literals(["thin", "full"])

/** Version of the payload. New fields can be added to a version. */
export const WebhookPayloadVersion = Schema.Literals(["v1"])

/** `none`: several requests concurrently. `subject`: one at a time for each contact, or for each resource without a contact. */
export const WebhookOrdering = Schema.Literals(["none", "subject"])
export type WebhookOrdering = typeof WebhookOrdering.Type

/** Reason of the disabling: an answer 410, failures for days, or a request of a person. */
export const DisabledReason = Schema.Literals(["gone", "failing", "manual"])
export type DisabledReason = typeof DisabledReason.Type

export const HeaderName = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/u, { message: "Expected the name of a header" })
)

export const HeaderValue = Schema.String.check(
  Schema.isMaxCodePoints(1_024, { message: "Expected at most 1024 characters" }),
  Schema.isPattern(/^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/u, {
    message: "Expected visible ASCII characters, without spaces at the ends"
  })
)

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
    description: "Additional headers. Their values are never shown."
  }),
  permissions: Schema.Array(Permission).annotate({
    description:
      "Permissions of the last editor. Only events with these permissions are delivered, even if the editor's permissions change."
  }),
  status: Schema.Literals(["enabled", "disabled"]),
  disabledReason: Schema.NullOr(DisabledReason),
  circuit: Schema.Literals(["closed", "open"]).annotate({
    description: "`open` after ten failures in a row: one delivery is tried at a time, and the others wait."
  }),
  lastSuccessAt: Schema.NullOr(Timestamp),
  disabledAtPosition: Schema.NullOr(Schema.Int).annotate({
    description: "Last delivered position before the disabling. After enabling, replay from here."
  }),
  version: Schema.Int
}) {}

const requiredFields = {
  name: SubscriptionName,
  url: WebhookUrl,
  events: EventPatterns.annotateKey({
    description: "Event types, prefixes such as `order.*`, or `*` for all types that you can see; at most 100."
  })
}

const choices = {
  filter: Schema.optionalKey(EventFilter),
  payload: Schema.optionalKey(WebhookPayload),
  payloadVersion: Schema.optionalKey(WebhookPayloadVersion),
  ordering: Schema.optionalKey(WebhookOrdering)
}

export const NewWebhookSubscription = Schema.Struct({
  ...requiredFields,
  ...choices,
  headers: Schema.optionalKey(Schema.Record(HeaderName, HeaderValue)).annotateKey({
    description: "Up to ten additional headers. Their values are stored encrypted and never shown."
  })
}).annotate({ identifier: "NewWebhookSubscription" })
export type NewWebhookSubscription = typeof NewWebhookSubscription.Type

/** Changes of a subscription; an absent field stays. */
export const WebhookSubscriptionPatch = Schema.Struct({
  name: Schema.optionalKey(requiredFields.name),
  url: Schema.optionalKey(requiredFields.url),
  events: Schema.optionalKey(requiredFields.events),
  ...choices,
  headers: Schema.optionalKey(Schema.Record(HeaderName, Schema.NullOr(HeaderValue))).annotateKey({
    description: "Replaces all headers; `null` keeps the value of a header."
  })
}).annotate({ identifier: "WebhookSubscriptionPatch" })
export type WebhookSubscriptionPatch = typeof WebhookSubscriptionPatch.Type

/** New subscription with its secret, which only this answer shows. */
export class CreatedWebhookSubscription extends Schema.Class<CreatedWebhookSubscription>("WebhookSubscribed")({
  ...WebhookSubscription.fields,
  secret: Schema.RedactedFromValue(Schema.String).annotate({
    description: "Signing secret of the deliveries. It is in this answer only."
  })
}) {}

/** Time that the former secret also signs, in seconds. */
export const SecretRotation = Schema.Struct({
  overlapSeconds: Schema.optionalKey(
    Schema.Number.check(
      Schema.isInt({ message: "Expected a whole number" }),
      Schema.isBetween({ minimum: 0, maximum: 604_800 }, { message: "Expected a whole number from 0 to 604800" })
    )
  ).annotateKey({ description: "Default: one day (86400)." })
}).annotate({ identifier: "SecretRotation" })
export type SecretRotation = typeof SecretRotation.Type

/** New secret, and the end of the former one. */
export class RotatedSecret extends Schema.Class<RotatedSecret>("RotatedSecret")({
  secret: Schema.RedactedFromValue(Schema.String),
  previousSecretExpiresAt: Timestamp
}) {}
