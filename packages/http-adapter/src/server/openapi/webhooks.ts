import type { EventTypeInfo } from "@parley/domain/platform"
import {
  deliveryOnlyTypes,
  publishedDeliveryTypes,
  type PublishedEventType,
  toPublishedEventType,
  WebhookEnvelope,
  webhookHeaders
} from "@parley/domain/integrations"
import { eventTypes } from "@parley/domain/composition"
import { type JsonSchema, Predicate, Schema } from "effect"
import { type Answer, type Parameter, refTo, type Webhook } from "../../api/describe.ts"
import { tidy } from "./schemas.ts"

type Json = JsonSchema.JsonSchema
type Schemas = Readonly<Record<string, Json>>

/** The same schema with its definitions under `components`. */
const pointed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(pointed)
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      key === "$ref" && Predicate.isString(part) ? part.replace("#/$defs/", "#/components/schemas/") : pointed(part)
    ])
  )
}

const tidied = (schema: Json): Json => tidy(pointed(schema) as Json, (name) => name)

const envelopeName = "WebhookEnvelope"

/** Shared parts of webhook bodies, and the referenced schemas. */
export const webhookSchemas = (): Schemas => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(WebhookEnvelope)
  const referred = eventTypes.flatMap(({ schema: { $defs = {} } }) => Object.entries($defs as Schemas))
  return Object.fromEntries(
    [...Object.entries(definitions), ...referred, [envelopeName, schema] as const].map(([name, each]) => [
      name,
      tidied(each)
    ])
  )
}

const parameterName = (header: string) =>
  header.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())

const examples: Readonly<Record<keyof typeof webhookHeaders, string | number>> = {
  "webhook-id": "9f2c1b7a-3d4e-5f60-8a1b-2c3d4e5f6071",
  "webhook-timestamp": 1_795_167_000,
  "webhook-signature": "v1,Fxw0AGsmH5oUBn7M0eyxwTTAdhVNMrxYkyVvIVwyBNs=",
  "parley-attempt": 1
}

const headers = Object.keys(webhookHeaders) as ReadonlyArray<keyof typeof webhookHeaders>

/** The headers of every webhook. */
export const webhookParameters: Readonly<Record<string, Parameter>> = Object.fromEntries(
  headers.map((name) => [
    parameterName(name),
    {
      name,
      in: "header",
      required: true,
      description: webhookHeaders[name],
      schema: { type: Predicate.isNumber(examples[name]) ? "integer" : "string" },
      example: examples[name]
    }
  ])
)

const responses: Readonly<Record<string, Answer>> = {
  "2XX": { description: "The event was accepted. The body of the answer is ignored." },
  "410": { description: "The subscription is disabled, and deliveries stop." },
  "4XX": { description: "The delivery is retried for three days." },
  "5XX": { description: "The delivery is retried for three days. `Retry-After` of up to one hour is respected." }
}

const pascal = (type: string) => type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())

const webhookOf = (known: EventTypeInfo, { example }: Pick<PublishedEventType, "example">): Webhook => {
  const { $defs: _, ...data } = known.schema
  return {
    operationId: `on${pascal(known.type)}`,
    summary: known.type,
    description: "Posted to the matching webhook subscriptions.",
    tags: ["Webhook subscriptions"],
    security: [],
    "x-permission": known.permission,
    parameters: headers.map((name) => refTo("parameters", parameterName(name))),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            allOf: [refTo("schemas", envelopeName)],
            type: "object",
            properties: { type: { type: "string", enum: [known.type] }, data: tidied(data) },
            required: ["type", "data"]
          },
          example
        }
      }
    },
    responses
  }
}

/** Every type of delivery as its webhook body. */
export const webhooks = (): Readonly<Record<string, { readonly post: Webhook }>> =>
  Object.fromEntries([
    ...eventTypes.map((known) => [known.type, { post: webhookOf(known, toPublishedEventType(known)) }] as const),
    ...deliveryOnlyTypes.flatMap((known, index) => {
      const published = publishedDeliveryTypes[index]
      return published === undefined ? [] : [[known.type, { post: webhookOf(known, published) }] as const]
    })
  ])
