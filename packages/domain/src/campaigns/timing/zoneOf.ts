import { parsePhoneNumberFromString } from "libphonenumber-js/max"
import { countryZones } from "./countryZones.ts"

interface Located {
  readonly timezone: string | null
  readonly phone: string | null
}

const zoneOfNumber = (phone: string): string | undefined => {
  const country = parsePhoneNumberFromString(phone)?.country
  return country === undefined ? undefined : countryZones[country]
}

/** The time zone of a contact: its own, else the only one of its number's country, else the organization's. */
export const zoneOf = ({ phone, timezone }: Located, organizationZone: string): string =>
  timezone ?? (phone === null ? undefined : zoneOfNumber(phone)) ?? organizationZone
