import { type JsonSchema, Schema } from "effect"
import type { EventTypeInfo } from "../../platform/events/index.ts"
import { callType } from "./WebhookDelivery.ts"

/** Type of a test without a requested event type. */
export const testType = "webhook.test"

/** Data of a delivery that an automation or a workflow posts. */
const CallData = Schema.Struct({
  runId: Schema.String.annotateKey({ description: "Run that posted it." }),
  contactId: Schema.NullOr(Schema.String),
  conversationId: Schema.NullOr(Schema.String),
  body: Schema.Json.annotateKey({ description: "The `body` of the action with its rendered texts." })
})

const noEvent = {
  permission: "webhook_subscriptions.manage",
  resourcePermission: null,
  resourceShownWith: []
} as const

/** Types of deliveries that are not in the event feed. No subscription selects them by `events`. */
export const deliveryOnlyTypes: ReadonlyArray<EventTypeInfo> = [
  {
    ...noEvent,
    type: callType,
    fields: Object.keys(CallData.fields),
    schema: Schema.toJsonSchemaDocument(CallData).schema as JsonSchema.JsonSchema,
    example: {
      runId: "9f2c1b7a-3d4e-5f60-8a1b-2c3d4e5f6072",
      contactId: "01934b78-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
      conversationId: null,
      body: { order: "#1024", note: "Refunded" }
    }
  },
  {
    ...noEvent,
    type: testType,
    fields: [],
    schema: { type: "object", properties: {}, required: [] },
    example: {}
  }
]
