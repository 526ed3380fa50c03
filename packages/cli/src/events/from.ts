import { Timestamp } from "@parley/domain"
import { WrongUsage } from "@parley/service/configuration"
import { DateTime, Duration, Effect, Option, Schema, Stream } from "effect"
import { CliError, Flag } from "effect/cli"
import type { Followed, Tenant } from "../tenant/Tenant.ts"

const units = { s: Duration.seconds, m: Duration.minutes, h: Duration.hours, d: Duration.days } as const

const ago = /^(\d{1,6})([smhd])$/u

const isUnit = (text: string | undefined): text is keyof typeof units => text !== undefined && text in units

const readSince = Effect.fnUntraced(function* (text: string) {
  const [, count, unit] = ago.exec(text) ?? []
  if (isUnit(unit)) return DateTime.subtractDuration(yield* DateTime.now, units[unit](Number(count)))
  const expected = "Expected how long ago, such as 10m or 2h, or a time such as 2026-11-20T09:30:00Z"
  return yield* Effect.mapError(
    Schema.decodeEffect(Timestamp)(text),
    () => new CliError.InvalidValue({ option: "since", value: text, expected, kind: "flag" })
  )
})

/** From where events are followed, and which. */
export const fromFlags = {
  events: Flag.String("events").pipe(
    Flag.withMetavar("types"),
    Flag.withDescription("Only events of these types, such as message.received,order.*; repeat it for more"),
    Flag.atLeast(0)
  ),
  after: Flag.String("after").pipe(
    Flag.withMetavar("cursor"),
    Flag.withDescription("Begin after this cursor of the feed, in the place of now"),
    Flag.optional
  ),
  since: Flag.String("since").pipe(
    Flag.withMetavar("time"),
    Flag.withDescription("Begin with what happened since then: 10m ago, or at a time"),
    Flag.mapEffect(readSince),
    Flag.optional
  )
}

/** What was said of where to begin. */
interface From {
  readonly events: ReadonlyArray<string>
  readonly after: Option.Option<string>
  readonly since: Option.Option<DateTime.Utc>
}

const typesIn = (events: ReadonlyArray<string>) =>
  events.flatMap((each) => each.split(",")).flatMap((each) => (each.trim() === "" ? [] : [each.trim()]))

/** The events that are meant, as they happen. */
export const followed = Effect.fnUntraced(function* (tenant: Tenant, { after, events, since }: From) {
  if (Option.isSome(after) && Option.isSome(since)) {
    return yield* new WrongUsage({ message: "Say from where: either --after and a cursor, or --since." })
  }
  const type = typesIn(events).filter((each) => each !== "*")
  const isMeant = ({ at }: Followed) => Option.isNone(since) || !DateTime.isLessThan(at, since.value)
  return tenant
    .follow({
      ...(Option.isSome(after) && { after: after.value }),
      ...(Option.isSome(since) && { since: since.value }),
      ...(type.length > 0 && { type })
    })
    .pipe(Stream.filter(isMeant))
})
