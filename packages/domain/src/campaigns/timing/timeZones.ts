import { DateTime, Option, Schema } from "effect"
import { parsePhoneNumberFromString } from "libphonenumber-js/max"
import { areaCodeZones } from "./areaCodeZones.ts"
import { countryZones } from "./countryZones.ts"

const pattern = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d$/u

const asUtc = (text: string) => DateTime.make(`${text}:00Z`)

const exists = (text: string) =>
  Option.exists(asUtc(text), (time) => DateTime.formatIso(time).startsWith(text) && !text.startsWith("0000"))

/** Local date and time without a zone. */
export const LocalTime = Schema.String.check(
  Schema.isPattern(pattern, { message: "Expected a day and a clock time such as 2026-12-01T09:00" }),
  Schema.makeFilter((text: string) => !pattern.test(text) || exists(text) || "Expected a day of that month")
)
export type LocalTime = typeof LocalTime.Type

/** Returns the instant of a local time at this offset from UTC. */
export const toInstantAtOffset = (local: LocalTime, hours: number): DateTime.Utc =>
  DateTime.subtract(DateTime.makeUnsafe(`${local}:00Z`), { hours })

/** Returns the instant of a local time in a zone. A skipped time moves by the length of the gap; the first of two equal times applies. */
export const toInstant = (local: LocalTime, zone: DateTime.TimeZone): DateTime.Utc =>
  DateTime.toUtc(
    DateTime.makeZonedUnsafe(`${local}:00Z`, {
      timeZone: zone,
      adjustForTimeZone: true,
      disambiguation: "compatible"
    })
  )

interface ContactLocation {
  readonly timezone: string | null
  readonly phone: string | null
}

type Zones = ReadonlyArray<string>

const northAmerica = "+1"
const areaCodeLength = 3

const byCountry: ReadonlyMap<string, Zones> = new Map(
  Object.entries(countryZones).map(([country, zones = ""]) => [country, zones.split(" ")])
)

const byAreaCode: ReadonlyMap<string, Zones> = new Map(
  Object.entries(areaCodeZones).flatMap(([names, codes]) => {
    const zones = names.split(" ")
    return codes.split(" ").map((code): readonly [string, Zones] => [code, zones])
  })
)

const findPhoneZones = (phone: string): Zones | undefined => {
  if (phone.startsWith(northAmerica)) {
    const zones = byAreaCode.get(phone.slice(northAmerica.length, northAmerica.length + areaCodeLength))
    if (zones !== undefined) return zones
  }
  const country = parsePhoneNumberFromString(phone)?.country
  return country === undefined ? undefined : byCountry.get(country)
}

/**
 * Returns the possible time zones of a contact, from east to west: its own, else the zones of its number's area code or country, else the
 * organization's.
 */
export const contactZones = ({ phone, timezone }: ContactLocation, organizationZone: string): Zones => {
  if (timezone !== null) return [timezone]
  return (phone === null ? undefined : findPhoneZones(phone)) ?? [organizationZone]
}

/** Returns the last time zone of a contact to reach a local time. */
export const lastContactZone = (contact: ContactLocation, organizationZone: string): string =>
  contactZones(contact, organizationZone).at(-1) ?? organizationZone
