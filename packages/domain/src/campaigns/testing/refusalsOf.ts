import { Effect } from "effect"
import {
  type Contact,
  Contacts,
  findSuppressed,
  identityName,
  type IdentityRef,
  type PhoneNumber,
  sameIdentity
} from "../../crm/index.ts"

const asPhone = (value: PhoneNumber): IdentityRef => ({ kind: "phone", value })

/** The numbers of people who are not to be written to, with why. */
export const refusalsOf = Effect.fnUntraced(function* (to: ReadonlyArray<PhoneNumber>) {
  const identities = to.map(asPhone)
  const contacts: ReadonlyArray<Contact> = yield* (yield* Contacts).findByIdentity(identities)
  const suppressed = yield* findSuppressed(identities)
  return (number: PhoneNumber) => {
    const identity = asPhone(number)
    const contact = contacts.find((each) => each.identities.some((mine) => sameIdentity(mine, identity)))
    if (contact !== undefined && contact.blockedAt !== null) {
      return { code: "blocked", providerCode: null, reason: "This contact is blocked." }
    }
    const hasOptedOut = contact?.consent.marketing === "unsubscribed" || suppressed.has(identityName(identity))
    return hasOptedOut ? { code: "unsubscribed", providerCode: null, reason: "This person has opted out." } : null
  }
})
