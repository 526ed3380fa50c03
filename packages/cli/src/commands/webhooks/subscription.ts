import { Timestamp } from "@parley/domain/kernel"
import {
  type WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryId,
  WebhookDeliveryState,
  WebhookDeliveryType,
  WebhookSubscription,
  WebhookSubscriptionId,
  WebhookSubscriptionSort
} from "@parley/domain/integrations"
import { DateTime, Schema } from "effect"
import { Argument } from "effect/cli"
import { one, Position, several } from "../../console/listing.ts"
import type { Column, View } from "../../console/print.ts"
import { typedArgument } from "../../console/typed.ts"

const at = (time: DateTime.Utc | null) => (time === null ? "" : DateTime.formatIso(time))

export const subscription = typedArgument("subscription", WebhookSubscriptionId).pipe(
  Argument.withDescription("Id of the webhook subscription")
)

export const delivery = typedArgument("webhook-delivery", WebhookDeliveryId).pipe(
  Argument.withDescription("Id of the delivery")
)

/** Filters and order of subscriptions. */
export const subscriptionListOptions = {
  filters: {
    q: one(Schema.NonEmptyString),
    status: one(WebhookSubscription.fields.status),
    event: one(WebhookDeliveryType)
  },
  sorts: WebhookSubscriptionSort.literals
}

/** Filters of deliveries. */
export const deliveryFilters = {
  state: several(WebhookDeliveryState),
  position: one(Position),
  type: one(WebhookDeliveryType),
  from: one(Timestamp),
  to: one(Timestamp)
}

const state = ({ disabledReason, status }: WebhookSubscription) =>
  disabledReason === null ? status : `${status} (${disabledReason})`

export const listView: View<WebhookSubscription> = {
  schema: WebhookSubscription,
  none: "This organization has no webhook subscription.",
  noMatch: "No webhook subscription matches the filter.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "NAME", of: ({ name }) => name },
    { heading: "URL", of: ({ url }) => url },
    { heading: "EVENTS", of: ({ events }) => events.join(" ") },
    { heading: "STATUS", of: state },
    { heading: "CIRCUIT", of: ({ circuit }) => circuit },
    { heading: "LAST SUCCESS", of: ({ lastSuccessAt }) => at(lastSuccessAt) }
  ]
}

export const view: View<WebhookSubscription> = {
  schema: WebhookSubscription,
  none: "There is no webhook subscription.",
  columns: [
    ...listView.columns,
    { heading: "FILTER", of: ({ filter }) => JSON.stringify(filter) },
    { heading: "PAYLOAD", of: ({ payload, payloadVersion }) => `${payload} ${payloadVersion}` },
    { heading: "ORDERING", of: ({ ordering }) => ordering },
    { heading: "HEADERS", of: ({ headers }) => Object.keys(headers).join(" ") },
    { heading: "PERMISSIONS", of: ({ permissions }) => permissions.join(" ") },
    {
      heading: "DISABLED AT POSITION",
      of: ({ disabledAtPosition }) => (disabledAtPosition === null ? "" : String(disabledAtPosition))
    },
    { heading: "VERSION", of: ({ version }) => String(version) }
  ]
}

export const deliveryView: View<WebhookDelivery> = {
  schema: WebhookDelivery,
  none: "No matching delivery was found.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "TYPE", of: ({ type }) => type },
    { heading: "POSITION", of: ({ position }) => (position === null ? "" : String(position)) },
    { heading: "STATE", of: ({ state: stands }) => stands },
    { heading: "ATTEMPTS", of: ({ attempts }) => String(attempts), align: "right" },
    { heading: "NEXT ATTEMPT", of: ({ nextAttemptAt }) => at(nextAttemptAt) },
    { heading: "DELIVERED", of: ({ deliveredAt }) => at(deliveredAt) }
  ]
}

export const attemptColumns: ReadonlyArray<Column<WebhookAttempt>> = [
  { heading: "NUMBER", of: ({ number }) => String(number), align: "right" },
  { heading: "AT", of: (attempt) => at(attempt.at) },
  { heading: "TRIGGER", of: ({ trigger }) => trigger },
  { heading: "TOOK", of: ({ durationMs }) => `${durationMs} ms`, align: "right" },
  { heading: "STATUS", of: ({ status }) => (status === null ? "" : String(status)) },
  { heading: "ERROR", of: ({ error }) => error ?? "" }
]

const headerText = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("; ")

/** Request and answer of an attempt. */
export const detailLines = ({ request, response }: WebhookAttempt): ReadonlyArray<readonly [string, string]> => [
  ["REQUEST HEADERS", request === null ? "" : headerText(request.headers)],
  ["BODY", request === null ? "" : `${request.bodyBytes} bytes, SHA-256 ${request.bodySha256}`],
  ["ANSWER HEADERS", response === null ? "" : headerText(response.headers)],
  ["ANSWER", response?.body ?? ""]
]
