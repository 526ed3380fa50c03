import { DateTime, Effect } from "effect"
import { nextId, transact } from "../../kernel/index.ts"
import type { InboundDeliveryId } from "../../platform/deliveries/index.ts"
import { startJob } from "../../platform/jobs/index.ts"
import { PrivacyRequestId, type StoreConnectionId } from "../Ids.ts"
import {
  type DataSubject,
  type StoredPrivacyRequest,
  PrivacyRequest,
  type PrivacyRequestKind,
  PrivacyRequests
} from "../PrivacyRequest.ts"
import { PrivacyRequestStatusInvalid } from "../errors.ts"
import { appendEvent } from "../events.ts"
import { privacyJob } from "./privacyJob.ts"

/** Legal deadline of a request. */
const legalDeadline = { days: 30 } as const

/** A privacy request of a shop, with its delivery. */
export interface ReceivedPrivacyRequest {
  readonly storeConnectionId: StoreConnectionId
  readonly deliveryId: InboundDeliveryId
  readonly kind: PrivacyRequestKind
  readonly asked: DataSubject
  readonly at: DateTime.Utc
}

/** Stores a privacy request, and starts its job. */
export const receivePrivacyRequest = Effect.fnUntraced(function* ({
  asked,
  at,
  deliveryId,
  kind,
  storeConnectionId
}: ReceivedPrivacyRequest) {
  const now = yield* DateTime.now
  const id = yield* nextId(PrivacyRequestId)
  const request = new PrivacyRequest({
    id,
    storeConnectionId,
    kind,
    contactId: null,
    state: "open",
    receivedAt: at,
    dueAt: DateTime.add(at, legalDeadline),
    doneAt: null,
    reason: null,
    counts: {},
    createdAt: now,
    updatedAt: now
  })
  const isNew = yield* (yield* PrivacyRequests).insert({ request, deliveryId, asked, toldDueAt: null })
  if (!isNew) return
  yield* appendEvent({ type: "privacy_request.received", privacyRequestId: id, storeConnectionId, contactId: null })
  yield* startJob(privacyJob, { privacyRequestId: id })
})

/** Time between the notice of a request and its due date. */
const dueNoticePeriod = { days: 7 } as const

/** After this time without a change, the job of a request was cancelled or has failed. */
const maxIdle = { minutes: 30 } as const

const batchSize = 100

const restartJob = Effect.fnUntraced(function* ({ request: { id } }: StoredPrivacyRequest) {
  const requests = yield* PrivacyRequests
  const kept = yield* requests.lock(id)
  if (kept === null || kept.request.state !== "open") return
  const updatedAt = yield* DateTime.now
  yield* requests.save({ ...kept, request: new PrivacyRequest({ ...kept.request, updatedAt }) })
  yield* startJob(privacyJob, { privacyRequestId: id })
}, transact)

const publishDue = Effect.fnUntraced(function* ({ request: { id } }: StoredPrivacyRequest) {
  const requests = yield* PrivacyRequests
  const kept = yield* requests.lock(id)
  if (kept === null || kept.toldDueAt !== null) return
  const { contactId, storeConnectionId } = kept.request
  yield* requests.save({ ...kept, toldDueAt: yield* DateTime.now })
  yield* appendEvent({ type: "privacy_request.due", privacyRequestId: id, storeConnectionId, contactId })
}, transact)

/** Restarts requests without a running job, and publishes notices of requests that are due soon. */
export const sweepPrivacyRequests = Effect.gen(function* () {
  const requests = yield* PrivacyRequests
  const now = yield* DateTime.now
  yield* Effect.forEach(yield* requests.resting("open", DateTime.subtract(now, maxIdle), batchSize), restartJob)
  yield* Effect.forEach(yield* requests.due(DateTime.add(now, dueNoticePeriod), batchSize), publishDue)
})

/** Returns a request if its export can be handed over. */
export const requireReadyRequest = Effect.fnUntraced(function* (id: PrivacyRequestId) {
  const kept = yield* (yield* PrivacyRequests).get(id)
  const { state } = kept.request
  return state === "ready" ? kept : yield* new PrivacyRequestStatusInvalid({ requestState: state })
})
