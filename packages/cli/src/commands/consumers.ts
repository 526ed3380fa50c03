import { CurrentOrganization } from "@parley/domain/kernel"
import {
  type FailingEvent,
  listParkedEvents,
  replayParkedEvents,
  ParkedEventView,
  EventConsumersView,
  skipParkedEvent,
  EventConsumerName,
  EventCursor
} from "@parley/domain/platform"
import { forgetEventConsumer, listEventConsumers, rewindEventConsumer } from "@parley/domain/composition"
import { wholeNumber, WrongUsage } from "@parley/service/configuration"
import { Console, DateTime, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { pageFlags } from "../console/listing.ts"
import { printJson, table } from "../console/print.ts"
import { confirm } from "../console/prompts.ts"
import { ageOf } from "../console/text.ts"
import { typedArgument, typedFlag } from "../console/typed.ts"
import { inOrganizationMeant, organizationNamed } from "../tenant/selection.ts"
import { operate } from "../tenant/target.ts"
import { consumersTable } from "./workers.ts"

const encodeAll = Schema.encodeEffect(Schema.toCodecJson(EventConsumersView))
const encodeParked = Schema.encodeEffect(Schema.toCodecJson(Schema.Array(ParkedEventView)))
const encodeOne = Schema.encodeEffect(Schema.toCodecJson(EventCursor))

const consumer = typedArgument("consumer", EventConsumerName).pipe(
  Argument.withDescription("Name of the consumer in `parley consumers list`")
)

const position = wholeNumber(1, Number.MAX_SAFE_INTEGER)

const anyOrg = Flags.org.pipe(Flag.withDescription("Only this organization: its slug or id"))

/** Limit of the memory use. A longer list is not readable. */
const mostParked = 100_000

const retryOf = (retryAt: DateTime.Utc | null, now: DateTime.Utc) =>
  retryAt === null || DateTime.isLessThanOrEqualTo(retryAt, now) ? "now" : `in ${ageOf(now, retryAt)}`

const failingTable = (failing: ReadonlyArray<FailingEvent>, now: DateTime.Utc) =>
  table(failing, [
    { heading: "FAILING", of: ({ consumer }) => consumer },
    { heading: "ORGANIZATION", of: ({ organization }) => organization },
    { heading: "POSITION", of: ({ position }) => String(position), align: "right" },
    { heading: "TYPE", of: ({ type }) => type },
    { heading: "ATTEMPTS", of: ({ attempts }) => String(attempts), align: "right" },
    { heading: "RETRY", of: ({ retryAt }) => retryOf(retryAt, now) },
    { heading: "REASON", of: ({ reason }) => reason ?? "" }
  ])

const parkedTable = (events: ReadonlyArray<ParkedEventView>, now: DateTime.Utc) =>
  table(events, [
    { heading: "ORGANIZATION", of: ({ organization }) => organization },
    { heading: "CONSUMER", of: ({ consumer }) => consumer },
    { heading: "POSITION", of: ({ position }) => String(position), align: "right" },
    { heading: "TYPE", of: ({ type }) => type },
    { heading: "ATTEMPTS", of: ({ attempts }) => String(attempts), align: "right" },
    { heading: "PARKED", of: ({ parkedAt }) => `${ageOf(parkedAt, now)} ago`, align: "right" },
    { heading: "REPLAY", of: ({ isReplayed }) => (isReplayed ? "requested" : "") },
    { heading: "REASON", of: ({ reason }) => reason }
  ])

const list = Command.make(
  "list",
  pageFlags,
  Effect.fn(function* ({ json, limit, quiet }) {
    yield* operate(
      Effect.gen(function* () {
        const all = yield* listEventConsumers()
        const shown = { ...all, consumers: all.consumers.slice(0, limit) }
        if (quiet) return yield* Effect.forEach(shown.consumers, ({ name }) => Console.log(name), { discard: true })
        if (json) return yield* printJson(yield* Effect.orDie(encodeAll(shown)))
        const now = yield* DateTime.now
        yield* Console.log(consumersTable(shown.consumers, now))
        if (shown.failing.length > 0) yield* Console.log(`\n${failingTable(shown.failing, now)}`)
      })
    )
  })
).pipe(
  Command.withDescription("Show the backlog, the current retry and the parked events of each consumer"),
  Command.withAlias("ls"),
  Command.withExamples([{ command: "parley consumers list" }, { command: "parley consumers list --json" }])
)

const parked = Command.make(
  "parked",
  { consumer: consumer.pipe(Argument.optional), org: anyOrg, limit: Flags.limit, json: Flags.json },
  Effect.fn(function* ({ json, limit, org, consumer }) {
    yield* operate(
      Effect.gen(function* () {
        const organization = Option.isSome(org) ? yield* organizationNamed(org.value) : null
        const filter = { consumer: Option.getOrNull(consumer), organizationId: organization?.id ?? null }
        const found = yield* listParkedEvents({ ...filter, limit: limit + 1 })
        const rows = found.slice(0, limit)
        if (json) yield* printJson(yield* Effect.orDie(encodeParked(rows)))
        else if (rows.length === 0) yield* Console.error("No event is parked.")
        else yield* Console.log(parkedTable(rows, yield* DateTime.now))
        if (found.length > limit) yield* Console.error("There are more. Raise --limit to see them.")
      })
    )
  })
).pipe(
  Command.withDescription("List the events that consumers could not handle, with the reason"),
  Command.withExamples([
    { command: "parley consumers parked" },
    { command: "parley consumers parked crm.clear_tags --org acme" }
  ])
)

const organizationsWithParked = Effect.fnUntraced(function* (consumer: EventConsumerName) {
  const events = yield* listParkedEvents({ consumer, organizationId: null, limit: mostParked })
  return Array.from(new Set(events.map(({ organizationId }) => organizationId)))
})

const replay = Command.make(
  "replay",
  {
    consumer,
    org: anyOrg,
    position: typedFlag("position", position).pipe(
      Flag.withMetavar("integer"),
      Flag.withDescription("Only the event at this position of the organization's log"),
      Flag.optional
    )
  },
  Effect.fn(function* ({ org, position, consumer }) {
    if (Option.isSome(position) && Option.isNone(org)) {
      return yield* new WrongUsage({ message: "A position belongs to one organization. Specify it with --org." })
    }
    yield* operate(
      Effect.gen(function* () {
        const places = Option.isSome(org)
          ? [(yield* organizationNamed(org.value)).id]
          : yield* organizationsWithParked(consumer)
        const counts = yield* Effect.forEach(places, (id) =>
          Effect.provideService(
            replayParkedEvents({ name: consumer, position: Option.getOrNull(position) }),
            CurrentOrganization,
            { id }
          )
        )
        const count = counts.reduce((sum, each) => sum + each, 0)
        yield* Console.log(`Parked events that ${consumer} handles again: ${count}.`)
      })
    )
  })
).pipe(
  Command.withDescription("Handle parked events again: all of a consumer, those of an organization, or one"),
  Command.withExamples([
    { command: "parley consumers replay crm.clear_tags" },
    { command: "parley consumers replay crm.clear_tags --org acme --position 1207" }
  ])
)

const skip = Command.make(
  "skip",
  {
    consumer,
    position: typedArgument("position", position).pipe(
      Argument.withDescription("Position of the event in the organization's log")
    ),
    org: Flags.org,
    yes: Flags.yes
  },
  Effect.fn(function* ({ org, position, consumer, yes }) {
    yield* confirm(`Skip the event ${position} of ${org}? ${consumer} will never handle it.`, yes)
    yield* operate(inOrganizationMeant(org, skipParkedEvent({ name: consumer, position })))
    yield* Console.log(`${consumer} skips the event ${position}.`)
  })
).pipe(
  Command.withDescription("Discard a parked event: the consumer never handles it"),
  Command.withExamples([{ command: "parley consumers skip crm.clear_tags 1207 --org acme" }])
)

const rewind = Command.make(
  "rewind",
  {
    consumer,
    org: Flags.org,
    to: typedFlag("to", wholeNumber(0, Number.MAX_SAFE_INTEGER)).pipe(
      Flag.withMetavar("integer"),
      Flag.withDescription("Last position that counts as handled; 0 to start with the first event")
    ),
    yes: Flags.yes,
    json: Flags.json
  },
  Effect.fn(function* ({ json, org, consumer, to, yes }) {
    yield* confirm(`Rewind ${consumer}? It handles every event of ${org} after position ${to} again.`, yes)
    yield* operate(
      inOrganizationMeant(
        org,
        Effect.gen(function* () {
          const cursor = yield* rewindEventConsumer({ name: consumer, to })
          if (json) return yield* printJson(yield* Effect.orDie(encodeOne(cursor)))
          yield* Console.log(`${consumer} continues after position ${cursor.position}, up to ${cursor.head}.`)
        })
      )
    )
  })
).pipe(
  Command.withDescription("Move a consumer back in an organization's log. It handles the later events again"),
  Command.withExamples([{ command: "parley consumers rewind crm.clear_tags --org acme --to 1200" }])
)

const forget = Command.make(
  "forget",
  { consumer, yes: Flags.yes },
  Effect.fn(function* ({ consumer, yes }) {
    yield* confirm(`Forget ${consumer}, with its positions and parked events in all organizations?`, yes)
    yield* operate(forgetEventConsumer({ name: consumer }))
    yield* Console.log(`${consumer} is forgotten.`)
  })
).pipe(
  Command.withDescription("Delete the state of a consumer that no longer exists in the code, in all organizations"),
  Command.withExamples([{ command: "parley consumers forget crm.old_name" }])
)

export const consumers = Command.make("consumers").pipe(
  Command.withSubcommands([list, parked, replay, skip, rewind, forget])
)
