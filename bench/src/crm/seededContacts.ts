import { hash } from "node:crypto"

const firstMillis = Date.UTC(2022, 0, 1)
const wholeMillis = 1_400 * 86_400_000

/** Number of small organizations in addition to the large one. */
const small = 2_000

/** Numbers of `seed-contacts`: even ones belong to the large organization, odd ones cycle through the small ones. */
export interface Seeding {
  readonly total: number
  readonly millisBetween: number
}

/** Distribution of this number of contacts over time. */
export const seedingOf = (total: number): Seeding => ({ total, millisBetween: wholeMillis / total })

/** Number of the contact at this place in its organization. */
export const numberIn = (organization: number, place: number) =>
  organization === 0 ? 2 * place : 2 * (small * place + organization - 1) + 1

/** How many contacts the organization has. */
export const sizeOf = (organization: number, { total }: Seeding) =>
  Math.floor(total / 2 / (organization === 0 ? 1 : small))

const timed = (millis: number) => {
  const time = Math.floor(millis).toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}`
}

/** The id of the contact with this number. */
export const contactIdAt = (number: number, { millisBetween }: Seeding) => {
  const rest = hash("md5", String(number)).slice(0, 15)
  const count = (number & 4_095).toString(16).padStart(3, "0")
  return `${timed(firstMillis + number * millisBetween)}-7${count}-8${rest.slice(0, 3)}-${rest.slice(3)}`
}

/** An id from the time when this share of the contacts existed. */
export const idAfter = (share: number) => `${timed(firstMillis + share * wholeMillis)}-7000-8000-000000000000`

/** The same, in the words of pgbench. */
export const inPgbench = { firstMillis, wholeMillis, small }
