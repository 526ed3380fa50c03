import { DateTime, Effect, Schema } from "effect"
import { Contacts } from "../../crm/index.ts"
import { InboundDeliveries } from "../../platform/deliveries/index.ts"
import { defineJob, type JobCounts } from "../../platform/jobs/index.ts"
import { PrivacyRequestId } from "../Ids.ts"
import {
  noSubject,
  type DataSubject,
  type StoredPrivacyRequest,
  PrivacyRequest,
  PrivacyRequests
} from "../PrivacyRequest.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { StoreCustomers } from "../StoreCustomer.ts"
import { toGuestIdentities, toCustomerIdentities } from "../customerIdentities.ts"
import { appendEvent } from "../events.ts"
import { storeSource } from "../receiving/deliveryEnvelopes.ts"
import { eraseCustomers } from "./eraseCustomers.ts"
import { countRequestOrders } from "./requestRecords.ts"
import { eraseBatch } from "./storeRemoval.ts"

/** Stores the end of a request, and deletes the person it is about. */
export const endPrivacyRequest = Effect.fnUntraced(function* (
  kept: StoredPrivacyRequest,
  state: "done" | "ignored",
  counts: JobCounts
) {
  const now = yield* DateTime.now
  const { contactId, id, kind, storeConnectionId } = kept.request
  const request = new PrivacyRequest({
    ...kept.request,
    // An erased contact is not referenced.
    contactId: kind === "data_request" ? contactId : null,
    state,
    counts,
    doneAt: now,
    reason: state === "ignored" ? "The shop was connected again." : null,
    updatedAt: now
  })
  yield* (yield* PrivacyRequests).save({ ...kept, request, asked: null })
  yield* appendEvent({
    type: "privacy_request.done",
    privacyRequestId: id,
    storeConnectionId,
    contactId: request.contactId
  })
  return request
})

const toCustomerIds = ({ externalCustomerId }: DataSubject) => (externalCustomerId === null ? [] : [externalCustomerId])

/** Finds the person of the request, so that all stored data can be handed over. */
const prepare = Effect.fnUntraced(function* (kept: StoredPrivacyRequest, connection: StoreConnection) {
  const asked = kept.asked ?? noSubject
  const known = yield* (yield* StoreCustomers).lock(connection.id, toCustomerIds(asked))
  const { emails, phones } = toGuestIdentities({ email: asked.email, phones: [asked.phone] }, connection)
  const own = toCustomerIds(asked).flatMap((externalId) => toCustomerIdentities(connection, externalId))
  const linked = known.flatMap(({ customer }) => customer.contactId ?? [])[0]
  const contacts = yield* Contacts
  const [byCustomer] = yield* contacts.lockByIdentity(own)
  const [byPhone] = yield* contacts.lockByIdentity(phones)
  const [byEmail] = yield* contacts.lockByIdentity(emails)
  const contactId = linked ?? byCustomer?.id ?? byPhone?.id ?? byEmail?.id ?? null
  const updatedAt = yield* DateTime.now
  const orders = yield* countRequestOrders(kept)
  const counts = { customers: known.length, orders, contacts: contactId === null ? 0 : 1 }
  const request = new PrivacyRequest({ ...kept.request, contactId, state: "ready", counts, updatedAt })
  yield* (yield* PrivacyRequests).save({ ...kept, request })
  return true
})

const erasePerson = Effect.fnUntraced(function* (kept: StoredPrivacyRequest, connection: StoreConnection) {
  const asked = kept.asked ?? noSubject
  const forgotten = yield* eraseCustomers(connection, toCustomerIds(asked), asked)
  yield* (yield* InboundDeliveries).forget(storeSource, kept.request.receivedAt)
  yield* endPrivacyRequest(kept, "done", { ...forgotten })
  return true
})

const eraseShop = Effect.fnUntraced(function* (kept: StoredPrivacyRequest, connection: StoreConnection) {
  const { forgotten, state } = yield* eraseBatch(connection.id, kept.request.receivedAt)
  const sum = (kept.request.counts["records"] ?? 0) + forgotten
  if (state === "more") {
    const updatedAt = yield* DateTime.now
    const request = new PrivacyRequest({ ...kept.request, counts: { records: sum }, updatedAt })
    yield* (yield* PrivacyRequests).save({ ...kept, request })
    return false
  }
  yield* (yield* InboundDeliveries).forget(storeSource, kept.request.receivedAt)
  yield* endPrivacyRequest(kept, state === "done" ? "done" : "ignored", { records: sum })
  return true
})

/** Processes a batch of a request. Returns whether the request is finished. */
const processBatch = Effect.fnUntraced(function* (id: PrivacyRequestId) {
  const kept = yield* (yield* PrivacyRequests).lock(id)
  if (kept === null || kept.request.state !== "open") return true
  const [connection] = yield* (yield* StoreConnections).find([kept.request.storeConnectionId])
  // The store was removed, together with its data.
  if (connection === undefined) {
    yield* endPrivacyRequest(kept, "done", {})
    return true
  }
  switch (kept.request.kind) {
    case "data_request":
      return yield* prepare(kept, connection)
    case "redact_customer":
      return yield* erasePerson(kept, connection)
    case "redact_shop":
      return yield* eraseShop(kept, connection)
  }
})

/** Processes a privacy request of a shop. */
export const privacyJob = defineJob({
  name: "stores.privacy",
  needs: null,
  input: Schema.Struct({ privacyRequestId: PrivacyRequestId }),
  checkpoint: Schema.Struct({ steps: Schema.Int }),
  step: Effect.fnUntraced(function* ({ privacyRequestId }, checkpoint) {
    const done = yield* processBatch(privacyRequestId)
    const steps = (checkpoint?.steps ?? 0) + 1
    return { checkpoint: { steps }, done, progress: { done: steps, total: null }, counts: {} }
  })
})
