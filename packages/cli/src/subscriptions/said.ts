import { EventFilter, EventPattern, NewWebhookSubscription, WebhookOrdering, WebhookPayload } from "@parley/domain"
import { Effect, Option } from "effect"
import { CliError, Flag } from "effect/cli"
import { jsonFlag } from "../console/json.ts"
import { typedFlag } from "../console/typed.ts"

const readHeader = (text: string) => {
  const at = text.indexOf("=")
  return at > 0
    ? Effect.succeed([text.slice(0, at), text.slice(at + 1)] as const)
    : Effect.fail(
        new CliError.InvalidValue({
          option: "header",
          value: text,
          expected: "Expected the name of a header and its value, such as x-team=orders",
          kind: "flag"
        })
      )
}

/** What is said of a webhook subscription besides its name and its address. */
export const saidFlags = {
  event: typedFlag("event", EventPattern).pipe(
    Flag.withMetavar("type"),
    Flag.withDescription("A type of event, the beginning of some such as order.*, or * for all; repeat it for more"),
    Flag.atLeast(0)
  ),
  filter: jsonFlag("filter", EventFilter).pipe(
    Flag.withDescription('Only events that fit, such as {"field":"event.to","op":"is","value":"resolved"}'),
    Flag.optional
  ),
  payload: Flag.Literals("payload", WebhookPayload.literals).pipe(
    Flag.withDescription("Ids alone, or with the resource as GET answers it (thin)"),
    Flag.optional
  ),
  ordering: Flag.Literals("ordering", WebhookOrdering.literals).pipe(
    Flag.withDescription("Several at a time, or one at a time for each contact or resource (none)"),
    Flag.optional
  ),
  header: Flag.String("header").pipe(
    Flag.withMetavar("name=value"),
    Flag.withDescription("A header that is sent besides; repeat it for more"),
    Flag.mapEffect(readHeader),
    Flag.atLeast(0)
  )
}

/** What is said of the name, as it has to be. */
export const name = typedFlag("name", NewWebhookSubscription.fields.name).pipe(
  Flag.withDescription("What it is called")
)

/** What a command line says of a webhook subscription; what it does not say is left out. */
interface Said {
  readonly event: ReadonlyArray<string>
  readonly filter: Option.Option<EventFilter>
  readonly payload: Option.Option<typeof WebhookPayload.Type>
  readonly ordering: Option.Option<WebhookOrdering>
  readonly header: ReadonlyArray<readonly [string, string]>
}

/** What flags say besides the events. */
export const choicesOf = ({ filter, header, ordering, payload }: Said) => ({
  ...(Option.isSome(filter) && { filter: filter.value }),
  ...(Option.isSome(payload) && { payload: payload.value }),
  ...(Option.isSome(ordering) && { ordering: ordering.value }),
  ...(header.length > 0 && { headers: Object.fromEntries(header) })
})
