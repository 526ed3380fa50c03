import { type JsonSchema, Predicate, Schema } from "effect"
import { ActorRef, Causation, OrganizationId, Permission, Timestamp } from "../../kernel/index.ts"
import type { EventTypeInfo } from "../../platform/events/index.ts"
import { deliveryOnlyTypes, testType } from "./deliveryOnlyTypes.ts"
import { WebhookDeliveryId, WebhookPayloadVersion } from "./WebhookSubscription.ts"

const described = (description: string) => ({ description })

/** Fields of every delivery in addition to its type and data. */
export const WebhookEnvelope = Schema.Struct({
  timestamp: Timestamp.annotateKey(described("When it happened.")),
  version: WebhookPayloadVersion,
  id: WebhookDeliveryId.annotateKey(described("The `webhook-id`, the same for all attempts and replays.")),
  organizationId: OrganizationId,
  position: Schema.NullOr(Schema.Int).annotateKey(described("Position in the feed; `null` for tests.")),
  cursor: Schema.NullOr(Schema.String).annotateKey(
    described("Cursor of this event for `GET /events`; `null` for tests.")
  ),
  actor: ActorRef,
  causation: Schema.NullOr(Causation).annotateKey(
    described("Automations and workflows that caused the event; `null` for events of people and stores.")
  ),
  resource: Schema.Json.annotateKey(
    described("Resource of the event as in `GET`, for subscriptions with `full`; otherwise `null`.")
  ),
  test: Schema.optionalKey(Schema.Literal(true)).annotateKey(described("Only for tests."))
})

/** Headers of every delivery, with their descriptions. */
export const webhookHeaders = {
  "webhook-id": "Id of the delivery, the same for all attempts and replays. Use it to ignore duplicates.",
  "webhook-timestamp": "Time of this attempt, in seconds since 1970. Reject requests older than five minutes.",
  "webhook-signature":
    "`v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body`; one per active secret, separated by spaces.",
  "parley-attempt": "Number of this attempt, from 1."
} as const

/** Published event type: the schema and an example of its delivery, and its permission. */
export const PublishedEventType = Schema.Struct({
  type: Schema.String,
  permission: Permission.annotateKey(described("Required permission.")),
  inFeed: Schema.Boolean.annotateKey(
    described(
      "Whether the event feed has it and subscriptions can select it. False for calls of automations and tests."
    )
  ),
  version: WebhookPayloadVersion,
  headers: Schema.Array(Schema.String).annotateKey(described("Headers of every delivery.")),
  schema: Schema.Record(Schema.String, Schema.Json).annotateKey(
    described("Body of a delivery as JSON Schema 2020-12. New fields can be added.")
  ),
  example: Schema.Record(Schema.String, Schema.Json).annotateKey(described("Body of a delivery."))
}).annotate({ identifier: "EventType" })
export type PublishedEventType = typeof PublishedEventType.Type

export const PublishedEventTypes = Schema.Struct({ data: Schema.Array(PublishedEventType) }).annotate({
  identifier: "PublishedEventTypes"
})
export type PublishedEventTypes = typeof PublishedEventTypes.Type

type Node = JsonSchema.JsonSchema
type Nodes = Readonly<Record<string, Node>>

const envelopeDocument = Schema.toJsonSchemaDocument(WebhookEnvelope)

/** Inlines all references of a schema, so it is readable without other schemas. */
const inlineReferences = (value: unknown, definitions: Nodes): unknown => {
  if (Array.isArray(value)) return value.map((each) => inlineReferences(each, definitions))
  if (!Predicate.isObject(value)) return value
  const target = definitions[String(value["$ref"]).replace("#/$defs/", "")]
  if (target !== undefined) return inlineReferences(target, definitions)
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inlineReferences(part, definitions)]))
}

/** Returns the schema of a delivery's body. */
const schemaOf = ({ schema: { $defs = {}, ...data }, type }: EventTypeInfo): unknown => {
  const { definitions, schema } = envelopeDocument
  const body: Node = {
    type: "object",
    properties: { type: { type: "string", const: type }, ...(schema["properties"] as Nodes), data },
    required: ["type", ...(schema["required"] as ReadonlyArray<string>), "data"]
  }
  return inlineReferences(body, { ...definitions, ...($defs as Nodes) })
}

const envelopeExample = {
  timestamp: "2026-11-20T09:30:00.000Z",
  version: "v1",
  id: "9f2c1b7a-3d4e-5f60-8a1b-2c3d4e5f6071",
  organizationId: "01934a10-5e00-7c11-8f3d-6a7b8c9d0e1f",
  position: 42,
  cursor: "eyJrIjpbIjQyIl19",
  actor: { kind: "user", id: "01934f6e-8c2b-7d10-9f3a-5b1c2d3e4f50" },
  causation: null
} as const

const toPublished = (known: EventTypeInfo, inFeed: boolean): PublishedEventType => ({
  type: known.type,
  permission: known.permission,
  inFeed,
  version: "v1",
  headers: Object.keys(webhookHeaders),
  schema: schemaOf(known) as Readonly<Record<string, Schema.Json>>,
  example: {
    type: known.type,
    ...envelopeExample,
    ...(!inFeed && { position: null, cursor: null }),
    data: known.example,
    resource: null,
    ...(known.type === testType && { test: true })
  }
})

export const toPublishedEventType = (known: EventTypeInfo): PublishedEventType => toPublished(known, true)

/** Types of deliveries that are not events. */
export const publishedDeliveryTypes: ReadonlyArray<PublishedEventType> = deliveryOnlyTypes.map((known) =>
  toPublished(known, false)
)
