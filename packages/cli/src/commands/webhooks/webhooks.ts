import { WebhookDelivery, WebhookDeliveryLog } from "@parley/domain/integrations"
import { Console, Effect, Schema } from "effect"
import { Command } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { collect, listFlags, queryOf } from "../../console/listing.ts"
import { card, printJson, printList, printOne, table } from "../../console/print.ts"
import { inTenant, sortedListOf } from "../../tenant/inTenant.ts"
import { createCommand, deleteCommand, disableCommand, enableCommand, updateCommand } from "./editing.ts"
import { redeliverCommand, replayCommand, rotateSecretCommand, testCommand } from "./redelivery.ts"
import {
  attemptColumns,
  delivery,
  deliveryFilters,
  deliveryView,
  detailLines,
  listView,
  subscription,
  subscriptionListOptions,
  view
} from "./subscription.ts"

const listCommand = sortedListOf(listView, subscriptionListOptions, ({ webhookSubscriptions }, query) =>
  webhookSubscriptions.list({ query })
).pipe(
  Command.withDescription("List the webhook subscriptions, newest first by default"),
  Command.withExamples([{ command: "parley webhooks list --filter event=order.paid --filter status=enabled" }])
)

const showCommand = Command.make(
  "show",
  { org: Flags.org, subscription, json: Flags.json },
  Effect.fn(function* ({ json, org, subscription }) {
    yield* inTenant(org, ({ webhookSubscriptions }) =>
      Effect.flatMap(webhookSubscriptions.get({ params: { id: subscription } }), (found) =>
        printOne(view, { json }, found)
      )
    )
  })
).pipe(Command.withDescription("Show a webhook subscription and the state of its receiver"))

const deliveriesCommand = Command.make(
  "deliveries",
  {
    org: Flags.org,
    subscription,
    ...listFlags(deliveryFilters)
  },
  Effect.fn(function* ({ filter, json, limit, org, quiet, subscription }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ webhookSubscriptions }) {
        const { isCut, rows } = yield* collect(limit, (page) =>
          webhookSubscriptions.listDeliveries({ params: { id: subscription }, query: { ...filter, ...queryOf(page) } })
        )
        yield* printList(deliveryView, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(
  Command.withDescription("List the deliveries of the last 30 days, latest first"),
  Command.withExamples([{ command: "parley webhooks deliveries 0196... --filter state=failed" }])
)

const encodeLog = Schema.encodeSync(Schema.toCodecJson(WebhookDeliveryLog))

const deliveryCommand = Command.make(
  "delivery",
  { org: Flags.org, subscription, delivery, json: Flags.json },
  Effect.fn(function* ({ delivery, json, org, subscription }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ webhookSubscriptions }) {
        const found = yield* webhookSubscriptions.getDelivery({ params: { id: subscription, deliveryId: delivery } })
        if (json) return yield* printJson(encodeLog(found))
        const { log, ...plain } = found
        yield* printOne(deliveryView, {}, new WebhookDelivery(plain))
        if (log.length > 0) yield* Console.log(`\n${table(log, attemptColumns)}`)
        const [latest] = log
        if (latest !== undefined && latest.request !== null) yield* Console.log(`\n${card(detailLines(latest))}`)
      })
    )
  })
).pipe(Command.withDescription("Show a delivery, its last attempts, and the request and answer of the latest one"))

export const webhooks = Command.make("webhooks").pipe(
  Command.withSubcommands([
    listCommand,
    showCommand,
    createCommand,
    updateCommand,
    deleteCommand,
    enableCommand,
    disableCommand,
    testCommand,
    rotateSecretCommand,
    deliveriesCommand,
    deliveryCommand,
    redeliverCommand,
    replayCommand
  ])
)
