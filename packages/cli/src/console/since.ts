import { Timestamp } from "@parley/domain"
import { DateTime, Duration, Effect, Schema } from "effect"
import { CliError, Flag } from "effect/cli"

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

/** A time in the past: how long ago it was, or when. */
export const sinceFlag = (description: string) =>
  Flag.String("since").pipe(
    Flag.withMetavar("time"),
    Flag.withDescription(description),
    Flag.mapEffect(readSince),
    Flag.optional
  )
