import type { ContactId } from "../../crm/index.ts"
import type { LinkedBy } from "../StoreCustomer.ts"

/** Which contact a customer is, and by what; which other one it may be. */
export interface Join {
  readonly contactId: ContactId | null
  readonly linkedBy: LinkedBy | null
  readonly conflictContactId: ContactId | null
}

/** Which contacts are known by what a customer is known by; `null` where there is none. */
export interface Holders {
  readonly identity: ContactId | null
  readonly phone: ContactId | null
  readonly email: ContactId | null
}

/** Nobody. */
export const unjoined: Join = { contactId: null, linkedBy: null, conflictContactId: null }

const other = (holders: ReadonlyArray<ContactId | null>, contactId: ContactId): ContactId | null =>
  holders.find((holder) => holder !== null && holder !== contactId) ?? null

/**
 * Which contact a customer is. Whoever holds the identity of the customer is: no later phone or address moves that. Else whoever has the
 * phone, then whoever has the address; where those are two, the phone wins and the other one is kept as a conflict: nobody is merged by it. What somebody has said
 * stays, also that it is nobody.
 */
export const joinOf = (before: Join, { email, identity, phone }: Holders): Join => {
  if (identity !== null) {
    const linkedBy = before.contactId === identity && before.linkedBy !== null ? before.linkedBy : "identity"
    return {
      contactId: identity,
      linkedBy,
      conflictContactId: linkedBy === "manual" ? null : other([phone, email], identity)
    }
  }
  if (before.linkedBy === "manual") return before
  if (phone !== null) return { contactId: phone, linkedBy: "phone", conflictContactId: other([email], phone) }
  if (email !== null) return { contactId: email, linkedBy: "email", conflictContactId: null }
  return unjoined
}
