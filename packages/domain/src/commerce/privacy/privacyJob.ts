import { DateTime, Effect, Schema } from "effect"
import { Contacts } from "../../crm/index.ts"
import { Deliveries } from "../../platform/deliveries/index.ts"
import { defineJob, type JobCounts } from "../../platform/jobs/index.ts"
import { PrivacyRequestId } from "../Ids.ts"
import {
  askedNobody,
  type AskedPerson,
  type KeptPrivacyRequest,
  PrivacyRequest,
  PrivacyRequests
} from "../PrivacyRequest.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { StoreCustomers } from "../StoreCustomer.ts"
import { guestKnownBy, identityOf } from "../customerIdentities.ts"
import { appendEvent } from "../events.ts"
import { storeSource } from "../receiving/deliveryEnvelopes.ts"
import { forgetCustomers } from "./forgetCustomers.ts"
import { eraseSome } from "./storeRemoval.ts"

/** Keeps that a request has ended. Whom it was about is forgotten, too. */
export const endRequest = Effect.fnUntraced(function* (
  kept: KeptPrivacyRequest,
  state: "done" | "ignored",
  counts: JobCounts
) {
  const now = yield* DateTime.now
  const { contactId, id, kind, storeConnectionId } = kept.request
  const request = new PrivacyRequest({
    ...kept.request,
    // Who was forgotten is not named any more.
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

const customerIds = ({ externalCustomerId }: AskedPerson) => (externalCustomerId === null ? [] : [externalCustomerId])

/** Finds who is asked for, so that all that is known can be handed over. */
const prepare = Effect.fnUntraced(function* (kept: KeptPrivacyRequest, connection: StoreConnection) {
  const asked = kept.asked ?? askedNobody
  const known = yield* (yield* StoreCustomers).lock(connection.id, customerIds(asked))
  const { emails, phones } = guestKnownBy({ email: asked.email, phones: [asked.phone] }, connection)
  const own = customerIds(asked).flatMap((externalId) => identityOf(connection, externalId))
  const linked = known.flatMap(({ customer }) => customer.contactId ?? [])[0]
  const contacts = yield* Contacts
  const [byCustomer] = yield* contacts.lockByIdentity(own)
  const [byPhone] = yield* contacts.lockByIdentity(phones)
  const [byEmail] = yield* contacts.lockByIdentity(emails)
  const contactId = linked ?? byCustomer?.id ?? byPhone?.id ?? byEmail?.id ?? null
  const updatedAt = yield* DateTime.now
  const counts = { customers: known.length, contacts: contactId === null ? 0 : 1 }
  const request = new PrivacyRequest({ ...kept.request, contactId, state: "ready", counts, updatedAt })
  yield* (yield* PrivacyRequests).save({ ...kept, request })
  return true
})

const forgetPerson = Effect.fnUntraced(function* (kept: KeptPrivacyRequest, connection: StoreConnection) {
  const asked = kept.asked ?? askedNobody
  const forgotten = yield* forgetCustomers(connection, customerIds(asked), asked)
  yield* (yield* Deliveries).forget(storeSource, kept.request.receivedAt)
  yield* endRequest(kept, "done", { ...forgotten })
  return true
})

const forgetShop = Effect.fnUntraced(function* (kept: KeptPrivacyRequest, connection: StoreConnection) {
  const { forgotten, state } = yield* eraseSome(connection.id, kept.request.receivedAt)
  const sum = (kept.request.counts["records"] ?? 0) + forgotten
  if (state === "more") {
    const updatedAt = yield* DateTime.now
    const request = new PrivacyRequest({ ...kept.request, counts: { records: sum }, updatedAt })
    yield* (yield* PrivacyRequests).save({ ...kept, request })
    return false
  }
  yield* (yield* Deliveries).forget(storeSource, kept.request.receivedAt)
  yield* endRequest(kept, state === "done" ? "done" : "ignored", { records: sum })
  return true
})

/** A part of what a shop has asked; says whether that was all. */
const doSome = Effect.fnUntraced(function* (id: PrivacyRequestId) {
  const kept = yield* (yield* PrivacyRequests).lock(id)
  if (kept === null || kept.request.state !== "open") return true
  const [connection] = yield* (yield* StoreConnections).find([kept.request.storeConnectionId])
  // The store was removed, with all that was known of it.
  if (connection === undefined) {
    yield* endRequest(kept, "done", {})
    return true
  }
  switch (kept.request.kind) {
    case "data_request":
      return yield* prepare(kept, connection)
    case "redact_customer":
      return yield* forgetPerson(kept, connection)
    case "redact_shop":
      return yield* forgetShop(kept, connection)
  }
})

/** Does what a shop has asked about personal data. */
export const privacyJob = defineJob({
  name: "stores.privacy",
  needs: null,
  input: Schema.Struct({ privacyRequestId: PrivacyRequestId }),
  checkpoint: Schema.Struct({ steps: Schema.Int }),
  step: Effect.fnUntraced(function* ({ privacyRequestId }, checkpoint) {
    const done = yield* doSome(privacyRequestId)
    const steps = (checkpoint?.steps ?? 0) + 1
    return { checkpoint: { steps }, done, progress: { done: steps, total: null }, counts: {} }
  })
})
