import { Timestamp } from "@parley/domain/kernel"
import { ContactId, PhoneNumberInput } from "@parley/domain/crm"
import {
  AudiencePreview,
  type CostEstimate,
  BroadcastSimulation,
  BroadcastTest,
  type NewAudiencePreview,
  VariantKey
} from "@parley/domain/campaigns"
import { Console, DateTime, Effect, Option, Schema, Struct } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { fineAmountText } from "../../console/text.ts"
import { card, printJson, table } from "../../console/print.ts"
import { typedArgument, typedFlag } from "../../console/typed.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { broadcast, countsBy } from "./broadcast.ts"

const previewed = [
  "exclude",
  "holdOut",
  "ignoreFrequencyCaps",
  "ignoreQuietHours",
  "name",
  "replyHours",
  "schedule",
  "splitKey",
  "templateId",
  "throttle",
  "upliftDays",
  "variables",
  "variants"
] as const satisfies ReadonlyArray<Exclude<keyof NewAudiencePreview, "broadcastId" | "freeze">>

const encode = Schema.encodeSync(AudiencePreview)

const costText = ({ amount, currency, state, withoutRate }: CostEstimate) => {
  if (amount === null) return `no rate card in ${currency}`
  const text = fineAmountText({ amount, currency })
  return state === "complete" ? text : `${text}, and ${withoutRate ?? 0} messages without a rate`
}

const cardOf = (preview: AudiencePreview) => {
  const { audienceSnapshotId, costs, excluded, expiresAt, heldOut, matched, notes, toSend, variants, warnings } =
    preview
  return card([
    ["MATCHED", String(matched)],
    ...countsBy("EXCLUDED", excluded),
    ["HELD OUT", String(heldOut)],
    ["TO SEND", String(toSend)],
    ...(variants ?? []).map(({ key, toSend }) => [`TO SEND: ${key}`, String(toSend)] as const),
    ...(costs === null ? [] : [["COST", costText(costs)] as const]),
    ...warnings.map(({ detail, pointer }) => ["WARNING", pointer === "" ? detail : `${pointer}: ${detail}`] as const),
    ...notes.map(({ detail }) => ["NOTE", detail] as const),
    ...(audienceSnapshotId === null ? [] : [["SNAPSHOT", audienceSnapshotId] as const]),
    ...(expiresAt === null ? [] : [["KEPT UNTIL", DateTime.formatIso(expiresAt)] as const])
  ])
}

export const previewCommand = Command.make(
  "preview",
  {
    org: Flags.org,
    broadcast,
    freeze: Flag.Boolean("freeze").pipe(
      Flag.withDescription("Store this list of recipients for 24 hours, for send --snapshot"),
      Flag.withDefault(false)
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ broadcast, freeze, json, org }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ broadcasts }) {
        const found = yield* broadcasts.get({ params: { id: broadcast } })
        const { audience, chatAccountId } = found
        const preview = yield* broadcasts.preview({
          payload: {
            ...Struct.pick(found, previewed),
            ...(audience !== null && { audience }),
            ...(chatAccountId !== null && { chatAccountId }),
            broadcastId: broadcast,
            freeze
          }
        })
        yield* json ? printJson(encode(preview)) : Console.log(cardOf(preview))
      })
    )
  })
).pipe(
  Command.withDescription("Count the current recipients of a broadcast, and the exclusions by reason"),
  Command.withExamples([{ command: "parley broadcasts preview --org acme 0197... --freeze" }])
)

const simulateEncode = Schema.encodeSync(BroadcastSimulation)

const at = (time: DateTime.Utc | null) => (time === null ? "" : DateTime.formatIso(time))

const simulateCardOf = ({ contact, firstAt, lastAt, limitedBy, plan, toSend, warnings }: BroadcastSimulation) =>
  card([
    ["TO SEND", String(toSend)],
    ["FIRST", at(firstAt)],
    ["LAST", at(lastAt)],
    ["LIMITED BY", limitedBy.join(" ")],
    ["PLAN", `${plan.used} of ${plan.max} used this month`],
    ...warnings.map(({ detail }) => ["WARNING", detail] as const),
    ...(contact === null
      ? []
      : [["CONTACT", contact.reason === null ? contact.outcome : `${contact.outcome}: ${contact.reason}`] as const])
  ])

const hoursOf = ({ hours }: BroadcastSimulation) =>
  table(hours, [
    { heading: "HOUR", of: (hour) => at(hour.at) },
    { heading: "MESSAGES", of: ({ count }) => String(count), align: "right" }
  ])

export const simulateCommand = Command.make(
  "simulate",
  {
    org: Flags.org,
    broadcast,
    at: typedFlag("at", Timestamp).pipe(
      Flag.withMetavar("time"),
      Flag.withDescription("Start time (default: its schedule, or now)"),
      Flag.optional
    ),
    contact: typedFlag("contact", ContactId).pipe(
      Flag.withMetavar("id"),
      Flag.withDescription("Show the result for this contact"),
      Flag.optional
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ at, broadcast, contact, json, org }) {
    const payload = {
      ...(Option.isSome(at) && { at: at.value }),
      ...(Option.isSome(contact) && { contactId: contact.value })
    }
    yield* inTenant(org, ({ broadcasts }) =>
      Effect.flatMap(broadcasts.simulate({ params: { id: broadcast }, payload }), (simulation) =>
        json
          ? printJson(simulateEncode(simulation))
          : Console.log(
              [simulateCardOf(simulation), ...(simulation.hours.length === 0 ? [] : [hoursOf(simulation)])].join("\n\n")
            )
      )
    )
  })
).pipe(
  Command.withDescription("Estimate the progress of a broadcast by hour, without sending"),
  Command.withExamples([
    { command: "parley broadcasts simulate --org acme 0197..." },
    { command: "parley broadcasts simulate 0197... --at 2026-12-01T09:00:00Z --contact 0196..." }
  ])
)

const testEncode = Schema.encodeSync(BroadcastTest)

const tableOf = ({ results }: BroadcastTest) =>
  table(results, [
    { heading: "TO", of: ({ to }) => to },
    { heading: "STATUS", of: ({ status }) => status },
    { heading: "REASON", of: ({ error }) => error?.reason ?? "" }
  ])

export const testCommand = Command.make(
  "test",
  {
    org: Flags.org,
    broadcast,
    to: typedArgument("phone", PhoneNumberInput).pipe(
      Argument.withDescription("Up to five phone numbers with country code"),
      Argument.between(1, 5)
    ),
    contact: typedFlag("contact", ContactId).pipe(
      Flag.withMetavar("id"),
      Flag.withDescription("Contact whose values the message contains"),
      Flag.optional
    ),
    variant: Flag.Literals("variant", VariantKey.literals).pipe(
      Flag.withDescription("Variant to send (the first one)"),
      Flag.optional
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ broadcast, contact, json, org, to, variant }) {
    const payload = {
      to,
      ...(Option.isSome(contact) && { contactId: contact.value }),
      ...(Option.isSome(variant) && { variant: variant.value })
    }
    yield* inTenant(org, ({ broadcasts }) =>
      Effect.flatMap(broadcasts.test({ params: { id: broadcast }, payload }), (tried) =>
        json ? printJson(testEncode(tried)) : Console.log(tableOf(tried))
      )
    )
  })
).pipe(
  Command.withDescription("Send a test message of a broadcast to a few numbers. It is not counted"),
  Command.withExamples([{ command: "parley broadcasts test --org acme 0197... +491701234567 --contact 0196..." }])
)
