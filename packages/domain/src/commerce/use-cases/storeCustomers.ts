import { DateTime, Effect } from "effect"
import { type ContactId, Contacts, updateContact } from "../../crm/index.ts"
import { NotFound, paged, type PageRequest, transact, useCase } from "../../kernel/index.ts"
import { recordAudit } from "../../platform/audit/index.ts"
import { allRecords, type CommerceQuery, type StoreCustomerId } from "../Ids.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { StoreCustomer, StoreCustomers } from "../StoreCustomer.ts"
import { customerIdentity } from "../customerIdentities.ts"
import { appendEvent } from "../events.ts"
import { requireQueryTargets } from "../loadViews.ts"

export const getStoreCustomer = useCase(
  { name: "storeCustomers.get", access: { permission: "commerce.read" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: StoreCustomerId }) {
    return (yield* (yield* StoreCustomers).get(id)).customer
  })
)

/** Lists the customers of stores, newest first. */
export const listStoreCustomers = useCase(
  { name: "storeCustomers.list", access: { permission: "commerce.read" } },
  Effect.fnUntraced(function* ({ page, ...request }: { readonly page: PageRequest } & Partial<CommerceQuery>) {
    const query = { ...allRecords, ...request }
    yield* requireQueryTargets(query)
    const customers = yield* StoreCustomers
    const { data, nextCursor } = yield* paged(
      "commerce/customers",
      page,
      (slice) => customers.list(query, slice),
      ({ customer }) => [customer.id]
    )
    return { data: data.map(({ customer }) => customer), nextCursor }
  })
)

/** Loads the identities that contacts know a customer by. Empty before the first consent in the shop. */
const loadIdentities = Effect.fnUntraced(function* ({ externalId, storeConnectionId }: StoreCustomer) {
  const { provider, shopId } = yield* (yield* StoreConnections).get(storeConnectionId)
  return shopId === null
    ? []
    : [{ kind: "store_customer" as const, value: customerIdentity(provider, shopId, externalId).value }]
})

/** Links a customer to a contact, or to none. No matching rule overrides this decision. */
export const linkStoreCustomer = useCase(
  {
    name: "storeCustomers.link",
    access: { permission: "contacts.manage" },
    audit: "store_customer.linked",
    emits: ["customer.linked"]
  },
  Effect.fnUntraced(
    function* ({ id, contactId }: { readonly id: StoreCustomerId; readonly contactId: ContactId | null }) {
      const customers = yield* StoreCustomers
      const identities = yield* loadIdentities((yield* customers.get(id)).customer)
      const contacts = yield* Contacts
      if (contactId !== null && (yield* contacts.find([contactId])).length === 0) {
        return yield* new NotFound({ resource: "contact", pointer: "/contactId" })
      }
      // Contacts are locked before the records that depend on them.
      const holders = yield* contacts.lockByIdentity(identities)
      for (const holder of holders) {
        if (holder.id !== contactId)
          yield* updateContact({ id: holder.id, removeIdentities: identities, ifVersion: null })
      }
      if (contactId !== null && !holders.some((holder) => holder.id === contactId)) {
        yield* updateContact({ id: contactId, addIdentities: identities, ifVersion: null })
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
      yield* recordAudit(
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
    // The call changes no consent and expects no version.
    Effect.catchTags({ ContactOptedOut: Effect.die, VersionConflict: Effect.die }),
    transact
  )
)
