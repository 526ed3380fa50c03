import { parsePhoneNumberFromString } from "libphonenumber-js/max"
import { areaCodeZones } from "./areaCodeZones.ts"
import { countryZones } from "./countryZones.ts"

interface Located {
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

const zonesOfNumber = (phone: string): Zones | undefined => {
  if (phone.startsWith(northAmerica)) {
    const zones = byAreaCode.get(phone.slice(northAmerica.length, northAmerica.length + areaCodeLength))
    if (zones !== undefined) return zones
  }
  const country = parsePhoneNumberFromString(phone)?.country
  return country === undefined ? undefined : byCountry.get(country)
}

/** Possible time zones of a contact, from east to west: its own, else the zones of its number's area code or country, else the organization's. */
export const contactZones = ({ phone, timezone }: Located, organizationZone: string): Zones => {
  if (timezone !== null) return [timezone]
  return (phone === null ? undefined : zonesOfNumber(phone)) ?? [organizationZone]
}

/** The last time zone of a contact to reach a local time. */
export const contactZoneOf = (contact: Located, organizationZone: string): string =>
  contactZones(contact, organizationZone).at(-1) ?? organizationZone
