import {
  type DuplicateLink,
  Duplicates,
  identityKey,
  identityLookupKey,
  type IdentityRef,
  type OpenDuplicateLink
} from "@parley/domain/crm"
import { Effect, Layer } from "effect"
import { descending } from "../store/slice.ts"
import { rowAt, type Tenant } from "../store/State.ts"
import { Store } from "../store/Store.ts"
import { placeOf } from "./rows.ts"

const namesOf = (identities: ReadonlyArray<IdentityRef>) => new Set(identities.map(identityLookupKey))

/** The link from either side. */
const sidesOf = (link: DuplicateLink): ReadonlyArray<DuplicateLink> => [
  link,
  { ...link, one: link.other, other: link.one }
]

const isSame = (one: DuplicateLink, other: DuplicateLink) =>
  sidesOf(other).some(
    (side) =>
      identityLookupKey(one.one) === identityLookupKey(side.one) &&
      identityLookupKey(one.other) === identityLookupKey(side.other)
  )

const isBetween = (link: DuplicateLink, ones: ReadonlySet<string>, others: ReadonlySet<string>) =>
  sidesOf(link).some((side) => ones.has(identityLookupKey(side.one)) && others.has(identityLookupKey(side.other)))

/** Standing links from these identities, with the contacts of both. */
const seenFrom = ({ contactIdentities, duplicateLinks }: Tenant, identities: ReadonlyArray<IdentityRef>) => {
  const names = namesOf(identities)
  return duplicateLinks
    .filter(({ dismissedAt }) => dismissedAt === null)
    .flatMap(sidesOf)
    .filter(({ one }) => names.has(identityLookupKey(one)))
    .flatMap((link) => {
      const [contactId, otherId] = [link.one, link.other].map((ref) => rowAt(contactIdentities, placeOf(ref)))
      return contactId == null || otherId == null || contactId === otherId ? [] : [{ link, contactId, otherId }]
    })
}

const asKey = (ref: IdentityRef): IdentityRef => ({ kind: ref.kind, value: identityKey(ref) })

export const layer = Layer.effect(
  Duplicates,
  Effect.map(Store, (store) =>
    Duplicates.of({
      add: (links) =>
        store.writeTenant(({ duplicateLinks }) => {
          const added: Array<DuplicateLink> = []
          for (const link of links) {
            const known = [...duplicateLinks, ...added].some((each) => isSame(each, link))
            if (!known) added.push({ ...link, one: asKey(link.one), other: asKey(link.other) })
          }
          return [added.map(({ id }) => id), { duplicateLinks: [...duplicateLinks, ...added] }]
        }),
      list: (contactId, identities, slice) =>
        store.readTenant((tenant) =>
          descending(
            seenFrom(tenant, identities)
              .filter(({ otherId }) => otherId !== contactId)
              .map(({ link: { foundAt, id, one, other, source }, otherId }): OpenDuplicateLink => ({
                id,
                one,
                other,
                otherId,
                source,
                foundAt
              })),
            ({ id }) => id,
            slice
          )
        ),
      pairs: (identities) =>
        store.readTenant((tenant) => {
          const pairs = seenFrom(tenant, identities).map(
            ({ contactId, otherId }) => [`${contactId} ${otherId}`, { contactId, otherId }] as const
          )
          return [...new Map(pairs).values()]
        }),
      isDismissed: (ones, others) =>
        store.readTenant(({ duplicateLinks }) => {
          const [mine, theirs] = [namesOf(ones), namesOf(others)]
          return duplicateLinks.some((link) => link.dismissedAt !== null && isBetween(link, mine, theirs))
        }),
      dismiss: (ones, others, now) =>
        store.writeTenant(({ duplicateLinks }) => {
          const [mine, theirs] = [namesOf(ones), namesOf(others)]
          const isMeant = (link: DuplicateLink) => link.dismissedAt === null && isBetween(link, mine, theirs)
          return [
            duplicateLinks.filter(isMeant).length,
            { duplicateLinks: duplicateLinks.map((link) => (isMeant(link) ? { ...link, dismissedAt: now } : link)) }
          ]
        }),
      forget: (identities) =>
        store.writeTenant(({ duplicateLinks }) => {
          const names = namesOf(identities)
          const left = duplicateLinks.filter(
            ({ one, other }) => !names.has(identityLookupKey(one)) && !names.has(identityLookupKey(other))
          )
          return [undefined, { duplicateLinks: left }]
        })
    })
  )
)
