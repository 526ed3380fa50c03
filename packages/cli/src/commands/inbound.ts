import {
  InboundDelivery,
  InboundDeliveryId,
  InboundDeliveryState,
  listInboundDeliveries,
  parkInboundDelivery,
  replayInboundDelivery,
  getInboundDelivery
} from "@parley/domain/platform"
import { Console, DateTime, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { collect, listFlags, narrowed, one } from "../console/listing.ts"
import { printJson, printList, printOne, type View } from "../console/print.ts"
import { typedArgument } from "../console/typed.ts"
import { inOrganizationMeant } from "../tenant/selection.ts"
import { operate } from "../tenant/target.ts"

const view: View<InboundDelivery> = {
  schema: InboundDelivery,
  none: "The delivery does not exist.",
  columns: [
    { heading: "ID", of: (delivery) => delivery.id },
    { heading: "SOURCE", of: (delivery) => delivery.source },
    { heading: "STATE", of: (delivery) => delivery.state },
    { heading: "RECEIVED", of: (delivery) => DateTime.formatIso(delivery.receivedAt) },
    { heading: "ATTEMPTS", of: (delivery) => String(delivery.attempts) },
    { heading: "EVENTS", of: (delivery) => (delivery.events === null ? "" : String(delivery.events)) },
    { heading: "UNKNOWN", of: (delivery) => (delivery.unknown === null ? "" : String(delivery.unknown)) },
    { heading: "REASON", of: (delivery) => delivery.reason ?? "" }
  ]
}

const delivery = typedArgument("delivery", InboundDeliveryId).pipe(Argument.withDescription("Id of the delivery"))

const list = Command.make(
  "list",
  {
    org: Flags.org,
    state: Flag.Literals("state", InboundDeliveryState.literals).pipe(
      Flag.withDescription("Only deliveries in this state"),
      Flag.optional
    ),
    ...listFlags({ state: one(InboundDeliveryState) })
  },
  Effect.fn(function* ({ filter, json, limit, org, quiet, state }) {
    const asked = yield* narrowed(filter, { ...(Option.isSome(state) && { state: state.value }) })
    yield* operate(
      inOrganizationMeant(
        org,
        Effect.gen(function* () {
          const { isCut, rows } = yield* collect(limit, (page) =>
            listInboundDeliveries({ state: asked.state ?? null, page })
          )
          yield* printList(view, { json, quiet }, rows, isCut)
        })
      )
    )
  })
).pipe(
  Command.withDescription("List the deliveries from providers, newest first"),
  Command.withAlias("ls"),
  Command.withExamples([{ command: "parley inbound list --org acme --state parked" }])
)

const show = Command.make(
  "show",
  { org: Flags.org, delivery, json: Flags.json },
  Effect.fn(function* ({ delivery, json, org }) {
    yield* operate(
      inOrganizationMeant(
        org,
        Effect.gen(function* () {
          const { body, delivery: found } = yield* getInboundDelivery({ id: delivery })
          const text = new TextDecoder().decode(body)
          if (json) return yield* printJson({ id: found.id, state: found.state, body: text })
          yield* printOne(view, {}, found)
          yield* Console.log(`\n${text}`)
        })
      )
    )
  })
).pipe(Command.withDescription("Show a delivery with its content"))

const replay = Command.make(
  "replay",
  { org: Flags.org, delivery, json: Flags.json },
  Effect.fn(function* ({ delivery, json, org }) {
    yield* operate(
      inOrganizationMeant(
        org,
        Effect.flatMap(replayInboundDelivery({ id: delivery }), (found) => printOne(view, { json }, found))
      )
    )
  })
).pipe(Command.withDescription("Process a delivery again. Parts that are already stored change nothing"))

const park = Command.make(
  "park",
  {
    org: Flags.org,
    delivery,
    reason: Flag.String("reason").pipe(Flag.withDescription("Reason, for other operators")),
    json: Flags.json
  },
  Effect.fn(function* ({ delivery, json, org, reason }) {
    yield* operate(
      inOrganizationMeant(
        org,
        Effect.flatMap(parkInboundDelivery({ id: delivery, reason }), (found) => printOne(view, { json }, found))
      )
    )
  })
).pipe(Command.withDescription("Park a delivery that cannot be processed"))

export const inbound = Command.make("inbound").pipe(Command.withSubcommands([list, show, replay, park]))
