import { Duration, Option, Schema, SchemaTransformation } from "effect"

const units = { m: Duration.minutes, h: Duration.hours, d: Duration.days, w: Duration.weeks }

const isUnit = (text: string | undefined): text is keyof typeof units => text !== undefined && text in units

/** Reads a length of time such as `90d`: a whole number of minutes, hours, days or weeks. */
export const parseLifetime = (text: string): Option.Option<Duration.Duration> => {
  const [, count, unit] = /^([1-9]\d{0,5})([a-z])$/.exec(text) ?? []
  return isUnit(unit) ? Option.some(units[unit](Number(count))) : Option.none()
}

const expected = "Expected a whole number and a unit: 30m, 12h, 90d or 4w"

/** A length of time as it is typed. */
export const Lifetime = Schema.String.check(
  Schema.makeFilter((text: string) => Option.isSome(parseLifetime(text)) || expected)
).pipe(
  Schema.decodeTo(
    Schema.Duration,
    SchemaTransformation.transform({
      decode: (text) => Option.getOrElse(parseLifetime(text), () => Duration.zero),
      encode: (duration) => `${Math.round(Duration.toMinutes(duration))}m`
    })
  )
)
