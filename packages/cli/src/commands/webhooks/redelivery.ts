import { Timestamp } from "@parley/domain/kernel"
import { EventPattern, type ReplayRequest, RotatedSecret, WebhookAttempt } from "@parley/domain/integrations"
import { wholeNumber, WrongUsage } from "@parley/service/configuration"
import { Console, DateTime, Effect, Option, Redacted, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { Refused } from "../../console/Failure.ts"
import * as Flags from "../../console/flags.ts"
import { card, printJson, printOne } from "../../console/print.ts"
import { sinceFlag, typedFlag } from "../../console/typed.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { attemptColumns, delivery, deliveryView, subscription } from "./subscription.ts"

const encodeAttempt = Schema.encodeSync(Schema.toCodecJson(WebhookAttempt))
const encodeSecret = Schema.encodeSync(Schema.toCodecJson(RotatedSecret))

export const testCommand = Command.make(
  "test",
  {
    org: Flags.org,
    subscription,
    type: Flag.String("type").pipe(Flag.withDescription("Event type of the example (webhook.test)"), Flag.optional),
    json: Flags.json
  },
  Effect.fn(function* ({ json, org, subscription, type }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ webhookSubscriptions }) {
        const attempt = yield* webhookSubscriptions.test({
          params: { id: subscription },
          payload: Option.isSome(type) ? { type: type.value } : {}
        })
        yield* json
          ? printJson(encodeAttempt(attempt))
          : Console.log(card(attemptColumns.map(({ heading, of }) => [heading, of(attempt)])))
        if (attempt.error !== null) {
          const why = attempt.status === null ? attempt.error : `${attempt.error} ${attempt.status}`
          return yield* new Refused({ message: `The receiver did not accept the event: ${why}.` })
        }
      })
    )
  })
).pipe(Command.withDescription("Post an example event now, and show the result"))

export const rotateSecretCommand = Command.make(
  "rotate-secret",
  {
    org: Flags.org,
    subscription,
    overlap: typedFlag("overlap", wholeNumber(0, 604_800)).pipe(
      Flag.withMetavar("seconds"),
      Flag.withDescription("Overlap with the previous secret, in seconds (86400)"),
      Flag.optional
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ json, org, overlap, subscription }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ webhookSubscriptions }) {
        const rotated = yield* webhookSubscriptions.rotateSecret({
          params: { id: subscription },
          payload: Option.isSome(overlap) ? { overlapSeconds: overlap.value } : {}
        })
        if (json) return yield* printJson(encodeSecret(rotated))
        yield* Console.log(Redacted.value(rotated.secret))
        yield* Console.error(
          `The previous secret is valid until ${DateTime.formatIso(rotated.previousSecretExpiresAt)}.`
        )
      })
    )
  })
).pipe(Command.withDescription("Create a new secret and print it. The previous secret also signs for a while"))

export const redeliverCommand = Command.make(
  "redeliver",
  { org: Flags.org, subscription, delivery, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ delivery, json, org, quiet, subscription }) {
    yield* inTenant(org, ({ webhookSubscriptions }) =>
      Effect.flatMap(webhookSubscriptions.redeliver({ params: { id: subscription, deliveryId: delivery } }), (wanted) =>
        printOne(deliveryView, { json, quiet }, wanted)
      )
    )
  })
).pipe(Command.withDescription("Retry a delivery now, regardless of its state"))

export const replayCommand = Command.make(
  "replay",
  {
    org: Flags.org,
    subscription,
    since: sinceFlag("Start time: an age such as 10m, or a time such as 2026-11-20T00:00:00Z; at most 30 days ago"),
    after: typedFlag("after", wholeNumber(0, Number.MAX_SAFE_INTEGER)).pipe(
      Flag.withMetavar("position"),
      Flag.withDescription("Start position of the feed, exclusive"),
      Flag.optional
    ),
    until: typedFlag("until", Timestamp).pipe(
      Flag.withMetavar("time"),
      Flag.withDescription("End time, exclusive"),
      Flag.optional
    ),
    all: Flag.Boolean("all").pipe(Flag.withDescription("Include delivered events"), Flag.withDefault(false)),
    type: typedFlag("type", EventPattern).pipe(
      Flag.withDescription("Event type or prefix such as order.*; repeatable"),
      Flag.atLeast(0)
    )
  },
  Effect.fn(function* ({ after, all, org, since, subscription, type, until }) {
    if (Option.isSome(after) === Option.isSome(since)) {
      return yield* new WrongUsage({ message: "Specify either --since with a time, or --after with a position." })
    }
    const payload: ReplayRequest = {
      ...(Option.isSome(since) && { since: since.value }),
      ...(Option.isSome(after) && { after: after.value }),
      ...(Option.isSome(until) && { until: until.value }),
      ...(all && { only: "all" }),
      ...(type.length > 0 && { types: type })
    }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ name, webhookSubscriptions }) {
        const { id } = yield* webhookSubscriptions.replay({ params: { id: subscription }, payload })
        yield* Console.log(id)
        yield* Console.error(
          `A job creates the deliveries. List them: parley webhooks deliveries ${subscription} --org ${name}`
        )
      })
    )
  })
).pipe(
  Command.withDescription("Deliver missed events again in a job, and print the id of the job"),
  Command.withExamples([{ command: "parley webhooks replay 0196... --since 2026-11-20T00:00:00Z" }])
)
