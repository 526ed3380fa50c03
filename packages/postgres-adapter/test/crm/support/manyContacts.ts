import { transact } from "@parley/domain/kernel"
import {
  type Attributes,
  Contact,
  ContactId,
  type ContactIdentity,
  Contacts,
  Tag,
  TagId,
  Tags,
  noConsent
} from "@parley/domain/crm"
import { DateTime, Effect } from "effect"

const start = DateTime.toEpochMillis(DateTime.makeUnsafe("2024-01-01T00:00:00.000Z"))

const given = ["Maria", "Anna", "José", "Zoé", "Omar", "Çağla", "Quirin", "Zbigniew"]
const family = ["Silva", "Schmidt", "Müller", "O'Brien", "Zygmeau", "Xylander", "Oliveira"]
const cities = ["Berlin", "Berlin", "Berlin", "Lisboa", "Lisboa", "Oslo", "Quito"]

const uuid = (time: number, place: number) => {
  const millis = time.toString(16).padStart(12, "0")
  const last = place.toString(16).padStart(12, "0")
  return `${millis.slice(0, 8)}-${millis.slice(8)}-7000-8000-${last}`
}

/** A number below `below` that looks drawn, the same one each time. */
const drawn = (place: number, salt: number, below: number) => {
  let hash = (place * 2_654_435_761 + salt * 40_503) >>> 0
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_519) >>> 0
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_917) >>> 0
  return ((hash ^ (hash >>> 16)) >>> 0) % below
}

const one = <A>(from: ReadonlyArray<A>, place: number, salt: number): A => {
  const found = from[drawn(place, salt, from.length)]
  if (found === undefined) throw new Error("There is nothing to draw from.")
  return found
}

/** Frequency of the tags, from half of the contacts to almost none. */
export const tagOdds = [2, 10, 50, 1_000, 10_000]

/** The tag with this place in `tagOdds`. */
export const tagAt = (place: number) => TagId.make(uuid(start, 0xf000 + place))

const contactAt = (place: number): Contact => {
  const createdAt = DateTime.makeUnsafe(start + place * 60_000)
  const name =
    drawn(place, 1, 25) === 0
      ? null
      : `${one(given, place, 2)} ${drawn(place, 16, 400) === 0 ? "100 % _" : one(family, place, 3)}`
  const phone = drawn(place, 4, 20) === 0 ? null : `+4915${String(place).padStart(9, "0")}`
  const email = drawn(place, 5, 3) === 0 ? `p${place}@example.com` : null
  const seen = drawn(place, 6, 3) === 0 ? null : DateTime.makeUnsafe(start + drawn(place, 7, 4_000) * 3_600_000)
  const identities = [
    ...(phone === null ? [] : [{ kind: "phone", value: phone } as const]),
    ...(email === null ? [] : [{ kind: "email", value: email } as const]),
    ...(drawn(place, 8, 500) === 0 || (phone === null && email === null)
      ? [{ kind: "external", value: `x${place}` } as const]
      : [])
  ].map((identity): ContactIdentity => ({ ...identity, source: "api", addedAt: createdAt }))
  const attributes: Attributes = {
    city: one(cities, place, 9),
    score: drawn(place, 10, 1_000),
    ...(drawn(place, 11, 2_000) === 0 && { wave: "first" })
  }
  return new Contact({
    id: ContactId.make(uuid(start + place * 60_000, place)),
    name,
    phone,
    email,
    identities,
    locale: one(["de", "pt-BR"], place, 12),
    timezone: null,
    attributes,
    tags: tagOdds.flatMap((odds, tag) => (drawn(place, 20 + tag, odds) === 0 ? [tagAt(tag)] : [])),
    consent:
      drawn(place, 13, 50) === 0 ? { marketing: "unsubscribed", source: "import", changedAt: createdAt } : noConsent,
    blockedAt: drawn(place, 14, 1_000) === 0 ? createdAt : null,
    lastSeenAt: seen,
    lastInboundAt: drawn(place, 15, 2) === 0 ? seen : null,
    createdAt,
    updatedAt: createdAt,
    version: 1
  })
}

/** This number of contacts with their tags in the store of the organization. */
export const givenManyContacts = Effect.fnUntraced(function* (count: number) {
  const contacts = yield* Contacts
  const tags = yield* Tags
  const at = DateTime.makeUnsafe(start)
  yield* transact(
    Effect.forEach(tagOdds, (odds, place) =>
      tags.insert(
        new Tag({
          id: tagAt(place),
          name: `One of ${odds}`,
          color: "#1f6feb",
          contactCount: 0,
          createdAt: at,
          updatedAt: at,
          version: 1
        })
      )
    )
  )
  const all = Array.from({ length: count }, (_, place) => contactAt(place))
  for (let from = 0; from < count; from += 1_000) {
    yield* transact(contacts.insert(all.slice(from, from + 1_000)))
  }
  return all
})
