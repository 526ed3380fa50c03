import { DateTime, Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { type ContactId, Contacts, updateContact } from "../../crm/index.ts"
import { NotFound, transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import type { StoreCustomerId } from "../Ids.ts"
import { customerIdentity } from "../joining/customerIdentity.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { StoreCustomer } from "../StoreCustomer.ts"
import { StoreCustomers } from "../StoreCustomers.ts"

/** What contacts know a customer by; nothing where nobody has agreed in the shop yet. */
const identitiesOf = Effect.fnUntraced(function* ({ externalId, storeConnectionId }: StoreCustomer) {
  const { provider, shopId } = yield* (yield* StoreConnections).get(storeConnectionId)
  return shopId === null
    ? []
    : [{ kind: "store_customer" as const, value: customerIdentity(provider, shopId, externalId).value }]
})

/** Says which contact a customer is, or that it is nobody: no rule undoes that. */
export const linkStoreCustomer = useCase(
  "storeCustomers.link",
  { access: { permission: "contacts.manage" } },
  Effect.fnUntraced(
    function* (id: StoreCustomerId, contactId: ContactId | null) {
      const customers = yield* StoreCustomers
      const identities = yield* identitiesOf((yield* customers.get(id)).customer)
      const contacts = yield* Contacts
      if (contactId !== null && (yield* contacts.find([contactId])).length === 0) {
        return yield* new NotFound({ resource: "contact", pointer: "/contactId" })
      }
      // Contacts are locked before what hangs on them.
      const holders = yield* contacts.lockByIdentity(identities)
      for (const holder of holders) {
        if (holder.id !== contactId) yield* updateContact(holder.id, { removeIdentities: identities }, null)
      }
      if (contactId !== null && !holders.some((holder) => holder.id === contactId)) {
        yield* updateContact(contactId, { addIdentities: identities }, null)
      }
      const { customer: named } = yield* customers.get(id)
      const [kept] = yield* customers.lock(named.storeConnectionId, [named.externalId])
      if (kept === undefined || kept.closedAt !== null) return yield* new NotFound({ resource: "customer" })
      const before = kept.customer
      const customer = new StoreCustomer({
        ...before,
        contactId,
        linkedBy: "manual",
        conflictContactId: null,
        updatedAt: yield* DateTime.now
      })
      yield* customers.put([{ ...kept, customer }])
      yield* record(
        "store_customer.linked",
        { kind: "store_customer", id },
        {
          before: { contactId: before.contactId, linkedBy: before.linkedBy },
          after: { contactId, linkedBy: "manual" }
        }
      )
      const { storeConnectionId } = customer
      if (before.contactId !== null && before.contactId !== contactId) {
        yield* appendEvent({
          type: "customer.unlinked",
          storeCustomerId: id,
          storeConnectionId,
          contactId: before.contactId
        })
      }
      if (contactId !== null && before.contactId !== contactId) {
        yield* appendEvent({ type: "customer.linked", storeCustomerId: id, storeConnectionId, contactId })
      }
      return customer
    },
    // Nothing is said of consent, and no version is asked for.
    Effect.catchTags({ ContactOptedOut: Effect.die, VersionConflict: Effect.die }),
    transact
  )
)
