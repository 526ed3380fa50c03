import { Context, DateTime, Effect, Option, type Redacted, Schema } from "effect"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u

/** Lower-case UUID. Each kind of resource brands it, because ids of other kinds must not be accepted. */
export const Uuid = Schema.String.check(Schema.isPattern(uuid, { message: "Expected a lowercase UUID" })).annotate({
  format: "uuid"
})

/** Creates the identifiers and the secrets of the domain. */
export class Ids extends Context.Service<
  Ids,
  {
    /** A UUIDv7: later ones sort after earlier ones. */
    readonly next: Effect.Effect<string>
    /** Base64url text of this many random bytes. */
    readonly secret: (bytes: number) => Effect.Effect<Redacted.Redacted>
    /** A UUIDv5: always the same for this name in the namespace, which is a UUID. */
    readonly derived: (namespace: string, name: string) => Effect.Effect<string>
  }
>()("@parley/domain/kernel/Ids") {}

/** Returns the next id of one kind: `yield* nextId(MemberId)`. */
export const nextId = <Id>(kind: { readonly make: (value: string) => Id }) =>
  Effect.flatMap(Ids, (ids) => Effect.map(ids.next, (value) => kind.make(value)))

const rfc3339 =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

const february = 2
const monthsWith30Days: ReadonlySet<number> = new Set([4, 6, 9, 11])

const isLeapYear = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

const daysInMonth = (year: number, month: number) => {
  if (month === february) return isLeapYear(year) ? 29 : 28
  return monthsWith30Days.has(month) ? 30 : 31
}

const isExistingDay = (text: string) =>
  Number(text.slice(8, 10)) <= daysInMonth(Number(text.slice(0, 4)), Number(text.slice(5, 7)))

const minTimestampMillis = DateTime.toEpochMillis(DateTime.makeUnsafe("0001-01-01T00:00:00Z"))

/** Last instant with a four-digit year. */
export const maxTimestamp = DateTime.makeUnsafe("9999-12-31T23:59:59.999Z")

const maxTimestampMillis = DateTime.toEpochMillis(maxTimestamp)

/** The year must have four digits in UTC. */
const isInYearRange = (text: string) =>
  Option.exists(DateTime.make(text), (time) => {
    const millis = DateTime.toEpochMillis(time)
    return millis >= minTimestampMillis && millis <= maxTimestampMillis
  })

/** Describes text that matches the format but is not a valid instant. */
const timestampIssue = (text: string): string | true => {
  if (!rfc3339.test(text)) return true
  if (!isExistingDay(text)) return "Expected a day of that month"
  return isInYearRange(text) || "Expected a time in the years 0001 to 9999, in UTC"
}

/** Instant: RFC 3339 in UTC on the wire. A day that its month does not have is rejected, not shifted. */
export const Timestamp = Schema.String.check(
  Schema.makeFilter(timestampIssue),
  Schema.isPattern(rfc3339, { message: "Expected a time such as 2026-03-01T09:30:00Z" })
).pipe(Schema.decodeTo(Schema.DateTimeUtcFromString), Schema.annotateEncoded({ format: "date-time" }))
export type Timestamp = typeof Timestamp.Type

/** ISO 4217 currency code. */
export const Currency = Schema.String.check(
  Schema.isPattern(/^[A-Z]{3}$/u, { message: "Expected an ISO 4217 currency code such as EUR" })
)
export type Currency = typeof Currency.Type

/** Amount in the smallest unit of the currency. */
export const Money = Schema.Struct({ amountMinor: Schema.Int, currency: Currency }).annotate({ identifier: "Money" })
export type Money = typeof Money.Type

/**
 * Creates objects of a class without validation, for bulk results whose values were validated at input. The object holds the given values, so mutable
 * values must belong to this object alone.
 */
export const unvalidated =
  <Class extends { readonly fields: Schema.Struct.Fields; readonly prototype: object }>({ prototype }: Class) =>
  (fields: Schema.Struct.Type<Class["fields"]>): Class["prototype"] =>
    Object.assign(Object.create(prototype), fields)

/** Copies an object of a class with some changed fields, which were validated at input. */
export const unvalidatedUpdate =
  <Class extends { readonly fields: Schema.Struct.Fields; readonly prototype: object }>({ prototype }: Class) =>
  (before: Class["prototype"], change: Partial<Schema.Struct.Type<Class["fields"]>>): Class["prototype"] =>
    Object.assign(Object.create(prototype), before, change)
