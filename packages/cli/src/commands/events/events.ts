import { PublishedEventType } from "@parley/domain/integrations"
import { DomainEvent } from "@parley/domain/composition"
import { WrongUsage } from "@parley/service/configuration"
import { Console, DateTime, Effect, Option, Schema, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { printRows, type View } from "../../console/print.ts"
import { sinceFlag } from "../../console/typed.ts"
import type { Followed, Tenant } from "../../tenant/Tenant.ts"
import { inTenant } from "../../tenant/inTenant.ts"

/** Flags for the start and the types of followed events. */
export const fromFlags = {
  events: Flag.String("events").pipe(
    Flag.withMetavar("types"),
    Flag.withDescription("Event types, such as message.received,order.*; repeatable"),
    Flag.atLeast(0)
  ),
  after: Flag.String("after").pipe(
    Flag.withMetavar("cursor"),
    Flag.withDescription("Start after this cursor of the feed (default: now)"),
    Flag.optional
  ),
  since: sinceFlag("Start time: an age such as 10m, or a time (default: now)")
}

/** Values of the start flags. */
interface From {
  readonly events: ReadonlyArray<string>
  readonly after: Option.Option<string>
  readonly since: Option.Option<DateTime.Utc>
}

const typesIn = (events: ReadonlyArray<string>) =>
  events.flatMap((each) => each.split(",")).flatMap((each) => (each.trim() === "" ? [] : [each.trim()]))

/** Streams the selected events. */
export const followed = Effect.fnUntraced(function* (tenant: Tenant, { after, events, since }: From) {
  if (Option.isSome(after) && Option.isSome(since)) {
    return yield* new WrongUsage({ message: "Specify either --after with a cursor, or --since." })
  }
  const type = typesIn(events).filter((each) => each !== "*")
  const isMeant = ({ at }: Followed) => Option.isNone(since) || !DateTime.isLessThan(at, since.value)
  return tenant.events
    .follow({
      ...(Option.isSome(after) && { after: after.value }),
      ...(Option.isSome(since) && { since: since.value }),
      ...(type.length > 0 && { type })
    })
    .pipe(Stream.filter(isMeant))
})

const encode = Schema.encodeSync(Schema.toCodecJson(DomainEvent))

const line = ({ actor, at, event, position }: Followed) => {
  const { type, ...data } = event
  return `${DateTime.formatIso(at)}  ${position}  ${type}  ${actor.kind}:${actor.id}  ${JSON.stringify(data)}`
}

const tailCommand = Command.make(
  "tail",
  { org: Flags.org, ...fromFlags, json: Flags.json },
  Effect.fn(function* ({ json, org, ...from }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* (tenant) {
        const events = yield* followed(tenant, from)
        yield* Stream.runForEach(events, (row) => {
          const { actor, at, causation, cursor, event, position } = row
          return Console.log(
            json
              ? JSON.stringify({ cursor, position, at: DateTime.formatIso(at), actor, causation, event: encode(event) })
              : line(row)
          )
        })
      })
    )
  })
).pipe(
  Command.withDescription("Print events as they occur, one per line, until Ctrl-C"),
  Command.withExamples([{ command: "parley events tail --org acme --events 'message.*' --since 10m" }])
)

const view: View<PublishedEventType> = {
  schema: PublishedEventType,
  none: "There are no event types.",
  columns: [
    { heading: "TYPE", of: ({ type }) => type },
    { heading: "PERMISSION", of: ({ permission }) => permission }
  ]
}

const typesCommand = Command.make(
  "types",
  { org: Flags.org, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ json, org, quiet }) {
    yield* inTenant(org, ({ events }) =>
      Effect.flatMap(events.listTypes(), ({ data }) =>
        printRows(view, { json, quiet }, data, false, ({ type }) => type)
      )
    )
  })
).pipe(Command.withDescription("List the event types; --json adds schemas and examples"))

export const events = Command.make("events").pipe(Command.withSubcommands([tailCommand, typesCommand]))
