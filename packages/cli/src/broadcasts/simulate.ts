import { BroadcastSimulation, ContactId, Timestamp } from "@parley/domain"
import { Console, DateTime, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printJson } from "../console/print.ts"
import { card, table } from "../console/Table.ts"
import { typedFlag } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { broadcast } from "./broadcast.ts"

const encode = Schema.encodeSync(BroadcastSimulation)

const at = (time: DateTime.Utc | null) => (time === null ? "" : DateTime.formatIso(time))

const cardOf = ({ contact, firstAt, lastAt, limitedBy, plan, toSend, warnings }: BroadcastSimulation) =>
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

/** Says how a broadcast would go. */
export const simulateCommand = Command.make(
  "simulate",
  {
    org: Flags.org,
    broadcast,
    at: typedFlag("at", Timestamp).pipe(
      Flag.withMetavar("time"),
      Flag.withDescription("When it would start (by its schedule, or now)"),
      Flag.optional
    ),
    contact: typedFlag("contact", ContactId).pipe(
      Flag.withMetavar("id"),
      Flag.withDescription("Say what would become of this contact"),
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
          ? printJson(encode(simulation))
          : Console.log(
              [cardOf(simulation), ...(simulation.hours.length === 0 ? [] : [hoursOf(simulation)])].join("\n\n")
            )
      )
    )
  })
).pipe(
  Command.withDescription("Say how a broadcast would go, hour by hour, without sending anything"),
  Command.withExamples([
    { command: "parley broadcasts simulate --org acme 0197..." },
    { command: "parley broadcasts simulate 0197... --at 2026-12-01T09:00:00Z --contact 0196..." }
  ])
)
