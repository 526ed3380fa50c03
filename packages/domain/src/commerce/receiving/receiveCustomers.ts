import { DateTime, Effect, Option, Schema } from "effect"
import {
  ContactId,
  Contacts,
  buildContact,
  findSuppressed,
  type IdentityRef,
  saveReceivedContacts
} from "../../crm/index.ts"
import { nextId, transact } from "../../kernel/index.ts"
import { Plans, plans } from "../../platform/entitlements/index.ts"
import { SingleLineText } from "../../platform/identity/index.ts"
import { defineJob, JobId } from "../../platform/jobs/index.ts"
import { StoreConnectionId, StoreCustomerId } from "../Ids.ts"
import { CustomerMatcher } from "../CustomerMatcher.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreConnections, withStoreLock } from "../StoreConnections.ts"
import {
  type CustomerMatch,
  matchCustomer,
  type StoredCustomer,
  StoreCustomer,
  StoreCustomers,
  noCustomerMatch
} from "../StoreCustomer.ts"
import { toGuestIdentities, toCustomerIdentities, applyCustomerReport } from "../customerIdentities.ts"
import { appendEvent } from "../events.ts"
import { consentsOf, messageConsent } from "../messageConsent.ts"
import { indexByExternalId, latestPerRecord, isSameContent } from "../recordRules.ts"
import type { CustomerRecord } from "../shopRecords.ts"

/** Concurrent additions used up the capacity for contacts. */
class CapacityLost extends Schema.TaggedError<CapacityLost>()("RoomTaken", {}) {}

/** Result of receiving customers. */
export interface ReceivedCustomers {
  /** Whether some customers have no contact because the plan has no capacity. */
  readonly isFull: boolean
}

/** Maximum number of attempts for a batch during concurrent additions of contacts. */
const maxTries = 5

const decodeName = Schema.decodeUnknownOption(SingleLineText)

/** Whether a customer without a contact gets a new one. */
const isContactWanted = ({ makeContacts }: StoreConnection, stored: StoredCustomer, { linkedBy }: CustomerMatch) =>
  makeContacts !== "never" &&
  linkedBy !== "manual" &&
  stored.customer.phone !== null &&
  (makeContacts === "reachable" || messageConsent(consentsOf(stored)).state === "subscribed")

const collectIdentities = (connection: StoreConnection, { email, externalId, phones }: CustomerRecord) => ({
  own: toCustomerIdentities(connection, externalId),
  ...toGuestIdentities({ email, phones }, connection)
})

const toContactDraft = (
  id: ContactId,
  { customer }: StoredCustomer,
  identities: ReadonlyArray<IdentityRef>,
  now: DateTime.Utc
) =>
  buildContact(
    id,
    {
      name: Option.getOrNull(decodeName(customer.name?.trim())),
      phone: customer.phone,
      email: customer.email,
      locale: customer.locale,
      identities: identities.map(({ value }) => ({ kind: "store_customer", value }))
    },
    "store",
    now
  )

const timesOf = ({ changedAt, chatConsentAt, smsConsentAt }: StoredCustomer) => ({
  changedAt,
  chatConsentAt,
  smsConsentAt
})

const isChanged = (before: StoredCustomer | null, after: StoredCustomer) =>
  before === null ||
  !isSameContent({ ...before.customer, ...timesOf(before) }, { ...after.customer, ...timesOf(after) })

const appendLinks = Effect.fnUntraced(function* (before: StoredCustomer | null, { customer }: StoredCustomer) {
  const [from, to] = [before?.customer.contactId ?? null, customer.contactId]
  if (from === to) return
  const which = { storeCustomerId: customer.id, storeConnectionId: customer.storeConnectionId }
  if (from !== null) yield* appendEvent({ type: "customer.unlinked", ...which, contactId: from })
  if (to !== null) yield* appendEvent({ type: "customer.linked", ...which, contactId: to })
})

/** Returns the number of contacts that can be added. */
const loadContactCapacity = Effect.fnUntraced(function* ({ makeContacts }: StoreConnection) {
  if (makeContacts === "never") return { room: 0, max: Infinity }
  const max = plans[yield* (yield* Plans).current()].limits.contacts
  return { room: Math.max(0, max - (yield* (yield* Contacts).count())), max }
})

const receive = Effect.fnUntraced(function* (
  connection: StoreConnection,
  records: ReadonlyArray<CustomerRecord>,
  isImport: boolean,
  now: DateTime.Utc
) {
  const [contacts, customers] = [yield* Contacts, yield* StoreCustomers]
  const known = records.map((record) => collectIdentities(connection, record))
  const identities = known.flatMap(({ emails, own, phones }) => [...own, ...phones, ...emails])
  // Contacts are locked before the records that depend on them.
  const found = yield* contacts.lockByIdentity(identities)
  const optOuts = yield* findSuppressed([...identities, ...found.flatMap((contact) => contact.identities)])
  const joining = new CustomerMatcher(found, now, optOuts)
  const kept = indexByExternalId(
    yield* customers.lock(
      connection.id,
      records.map(({ externalId }) => externalId)
    ),
    ({ customer }) => customer.externalId
  )
  const { max, room: free } = yield* loadContactCapacity(connection)
  let room = free
  let isFull = false

  const join = Effect.fnUntraced(function* (record: CustomerRecord, reported: StoredCustomer) {
    const { emails, own, phones } = collectIdentities(connection, record)
    const { conflictContactId, contactId, linkedBy } = reported.customer
    const joined: CustomerMatch = matchCustomer(
      { contactId, linkedBy, conflictContactId },
      { identity: joining.holderOf(own), phone: joining.holderOf(phones), email: joining.holderOf(emails) }
    )
    const { contactId: holder } = joined
    if (holder !== null) {
      const isHeld = joined.linkedBy === "manual" || joining.holderOf(own) === holder
      return isHeld || own.every(({ value }) => joining.hold(holder, value)) ? joined : noCustomerMatch
    }
    if (!isContactWanted(connection, reported, joined)) return joined
    if (room <= 0) {
      isFull = true
      return joined
    }
    room -= 1
    const id = yield* nextId(ContactId)
    joining.add(toContactDraft(id, reported, own, now))
    return { contactId: id, linkedBy: "made", conflictContactId: null } satisfies CustomerMatch
  })

  const changed: Array<{ readonly before: StoredCustomer | null; readonly after: StoredCustomer }> = []
  for (const record of records) {
    const before = kept.get(record.externalId) ?? null
    const reported = applyCustomerReport(
      before,
      record,
      connection,
      before?.customer.id ?? (yield* nextId(StoreCustomerId)),
      now
    )
    if (reported === before) continue
    const joined = yield* join(record, reported)
    if (connection.takeConsent && joined.contactId !== null) {
      joining.say(joined.contactId, messageConsent(record), connection.provider)
    }
    const after = { ...reported, customer: new StoreCustomer({ ...reported.customer, ...joined }) }
    if (isChanged(before, after)) changed.push({ before, after })
  }

  const { added, all, altered, consents } = joining
  yield* saveReceivedContacts({ added, altered, consents, identityPairs: [], all, isImport })
  if (added.length > 0 && (yield* contacts.count()) > max) return yield* new CapacityLost()
  yield* customers.put(changed.map(({ after }) => after))
  for (const { after, before } of changed) yield* appendLinks(before, after)
  const received: ReceivedCustomers = { isFull }
  return received
}, transact)

/**
 * Stores customers as a shop reports them. Links each customer to its contact, or creates one if the settings allow it. Retries if a concurrent call
 * adds one of the contacts or uses the last capacity. `isImport`: first import of the store.
 */
export const receiveCustomers = (
  { id }: Pick<StoreConnection, "id">,
  records: ReadonlyArray<CustomerRecord>,
  isImport = false
) =>
  withStoreLock(id, (connection, now) =>
    receive(connection, latestPerRecord(records), isImport, now).pipe(Effect.retry({ times: maxTries }), Effect.orDie)
  )

/** Number of customers in one step. */
const batchSize = 500

/** Converts a stored customer to the record of its last report. */
const toCustomerRecord = ({ changedAt, chatConsentAt, customer, smsConsentAt }: StoredCustomer): CustomerRecord => ({
  externalId: customer.externalId,
  name: customer.name,
  phones: customer.phone === null ? [] : [customer.phone],
  email: customer.email,
  locale: customer.locale,
  tags: customer.tags,
  ...consentsOf({ customer, chatConsentAt, smsConsentAt }),
  emailConsent: { state: customer.emailConsent, at: null },
  updatedAt: changedAt
})

/** Applies the current settings to known customers: creates their contacts and applies their consent from the shop. */
export const makeContactsJob = defineJob({
  name: "stores.make_contacts",
  needs: null,
  input: Schema.Struct({ jobId: JobId, storeConnectionId: StoreConnectionId }),
  checkpoint: Schema.Struct({ after: Schema.NullOr(Schema.String), seen: Schema.Int, isFull: Schema.Boolean }),
  step: Effect.fnUntraced(function* ({ storeConnectionId }, checkpoint) {
    const { after, isFull, seen } = checkpoint ?? { after: null, seen: 0, isFull: false }
    const page = yield* (yield* StoreCustomers).list(
      { storeConnectionId, contactId: null, updatedSince: null, q: null },
      { limit: batchSize, after: after === null ? null : [after] }
    )
    const [connection] = yield* (yield* StoreConnections).find([storeConnectionId])
    const wanted = page.filter(({ customer }) => customer.contactId === null || connection?.takeConsent === true)
    const received = yield* receiveCustomers({ id: storeConnectionId }, wanted.map(toCustomerRecord))
    const next = {
      after: page.at(-1)?.customer.id ?? after,
      seen: seen + page.length,
      isFull: isFull || received?.isFull === true
    }
    const done = page.length < batchSize
    if (done && next.isFull) {
      const reason = "The contact limit of the plan is reached: some customers did not become contacts."
      const at = yield* DateTime.now
      yield* (yield* StoreConnections).keepProgress(storeConnectionId, {
        lastError: { code: "contacts_limit", reason, at }
      })
    }
    return {
      checkpoint: next,
      done,
      progress: { done: next.seen, total: null },
      counts: { customers: next.seen }
    }
  })
})
