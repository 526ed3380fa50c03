import {
  EventFilter,
  EventPattern,
  NewWebhookSubscription,
  WebhookOrdering,
  WebhookPayload,
  WebhookSubscription
} from "@parley/domain/integrations"
import { WrongUsage } from "@parley/service/configuration"
import { Console, Effect, Option, Redacted, Schema } from "effect"
import { Argument, CliError, Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { printJson, printOne } from "../../console/print.ts"
import { confirm } from "../../console/prompts.ts"
import { jsonFlag, typedArgument, typedFlag } from "../../console/typed.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { subscription, view } from "./subscription.ts"

const readHeader = (text: string) => {
  const at = text.indexOf("=")
  return at > 0
    ? Effect.succeed([text.slice(0, at), text.slice(at + 1)] as const)
    : Effect.fail(
        new CliError.InvalidValue({
          option: "header",
          value: text,
          expected: "Expected the name of a header and its value, for example x-team=orders",
          kind: "flag"
        })
      )
}

/** Flags of a webhook subscription, except its name and URL. */
const saidFlags = {
  event: typedFlag("event", EventPattern).pipe(
    Flag.withMetavar("type"),
    Flag.withDescription("Event type, prefix such as order.*, or * for all; repeatable"),
    Flag.atLeast(0)
  ),
  filter: jsonFlag("filter", EventFilter).pipe(
    Flag.withDescription('Filter of events, for example {"field":"event.to","op":"is","value":"resolved"}'),
    Flag.optional
  ),
  payload: Flag.Literals("payload", WebhookPayload.literals).pipe(
    Flag.withDescription("Only ids, or with the resource as in the GET answer (thin)"),
    Flag.optional
  ),
  ordering: Flag.Literals("ordering", WebhookOrdering.literals).pipe(
    Flag.withDescription("Parallel deliveries, or one at a time per contact or resource (none)"),
    Flag.optional
  ),
  header: Flag.String("header").pipe(
    Flag.withMetavar("name=value"),
    Flag.withDescription("Additional request header; repeatable"),
    Flag.mapEffect(readHeader),
    Flag.atLeast(0)
  )
}

const name = typedFlag("name", NewWebhookSubscription.fields.name).pipe(Flag.withDescription("Name"))

/** Values of the flags of a webhook subscription. Absent flags are omitted. */
interface Said {
  readonly event: ReadonlyArray<string>
  readonly filter: Option.Option<EventFilter>
  readonly payload: Option.Option<typeof WebhookPayload.Type>
  readonly ordering: Option.Option<WebhookOrdering>
  readonly header: ReadonlyArray<readonly [string, string]>
}

/** Converts the flags, except the event types. */
const choicesOf = ({ filter, header, ordering, payload }: Said) => ({
  ...(Option.isSome(filter) && { filter: filter.value }),
  ...(Option.isSome(payload) && { payload: payload.value }),
  ...(Option.isSome(ordering) && { ordering: ordering.value }),
  ...(header.length > 0 && { headers: Object.fromEntries(header) })
})

const url = NewWebhookSubscription.fields.url

const encode = Schema.encodeSync(view.schema)

export const createCommand = Command.make(
  "create",
  {
    org: Flags.org,
    url: typedArgument("url", url).pipe(Argument.withDescription("URL of the receiver")),
    name,
    ...saidFlags,
    json: Flags.json
  },
  Effect.fn(function* ({ json, name, org, url, ...input }) {
    const payload = { name, url, events: input.event, ...choicesOf(input) }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* (tenant) {
        const { secret, ...made } = yield* tenant.webhookSubscriptions.create({ payload })
        const subscribed = new WebhookSubscription(made)
        const shown = Redacted.value(secret)
        if (json) return yield* printJson({ ...(encode(subscribed) as object), secret: shown })
        yield* printOne(view, {}, subscribed)
        yield* Console.log(`SECRET  ${shown}`)
        yield* Console.error(
          `Store the secret: it is not shown again. Test it: parley webhooks test ${subscribed.id} --org ${tenant.name}`
        )
      })
    )
  })
).pipe(
  Command.withDescription("Post new events to a URL, and print the signing secret"),
  Command.withExamples([
    {
      command: "parley webhooks create https://erp.example/hook --name ERP --event message.received --event 'order.*'"
    }
  ])
)

export const updateCommand = Command.make(
  "update",
  {
    org: Flags.org,
    subscription,
    name: Flag.optional(name),
    url: typedFlag("url", url).pipe(Flag.withDescription("URL of the receiver"), Flag.optional),
    ...saidFlags,
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ json, name, org, quiet, subscription, url, ...input }) {
    const payload = {
      ...(Option.isSome(name) && { name: name.value }),
      ...(Option.isSome(url) && { url: url.value }),
      ...(input.event.length > 0 && { events: input.event }),
      ...choicesOf(input)
    }
    if (Object.keys(payload).length === 0) {
      return yield* new WrongUsage({
        message: "Specify a change: --name, --url, --event, --filter, --payload, --ordering or --header."
      })
    }
    yield* inTenant(org, ({ webhookSubscriptions }) =>
      Effect.flatMap(webhookSubscriptions.update({ params: { id: subscription }, headers: {}, payload }), (changed) =>
        printOne(view, { json, quiet }, changed)
      )
    )
  })
).pipe(Command.withDescription("Change a webhook subscription. Absent flags change nothing"))

export const deleteCommand = Command.make(
  "delete",
  { org: Flags.org, subscription, yes: Flags.yes },
  Effect.fn(function* ({ org, subscription, yes }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* (tenant) {
        yield* confirm(
          `Delete the webhook subscription ${subscription} of ${tenant.name} and its pending deliveries?`,
          yes
        )
        yield* tenant.webhookSubscriptions.delete({ params: { id: subscription }, headers: {} })
        yield* Console.error(`The webhook subscription ${subscription} is deleted.`)
      })
    )
  })
).pipe(Command.withDescription("Delete a webhook subscription and discard pending deliveries"))

export const enableCommand = Command.make(
  "enable",
  { org: Flags.org, subscription, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ json, org, quiet, subscription }) {
    yield* inTenant(org, ({ webhookSubscriptions }) =>
      Effect.flatMap(webhookSubscriptions.enable({ params: { id: subscription }, headers: {} }), (enabled) =>
        printOne(view, { json, quiet }, enabled)
      )
    )
  })
).pipe(Command.withDescription("Enable the subscription for new events"))

export const disableCommand = Command.make(
  "disable",
  { org: Flags.org, subscription, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ json, org, quiet, subscription }) {
    yield* inTenant(org, ({ webhookSubscriptions }) =>
      Effect.flatMap(webhookSubscriptions.disable({ params: { id: subscription }, headers: {} }), (disabled) =>
        printOne(view, { json, quiet }, disabled)
      )
    )
  })
).pipe(Command.withDescription("Disable the subscription and discard pending deliveries"))
