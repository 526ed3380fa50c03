import { DateTime, Effect } from "effect"
import type { DeliveryId } from "../../platform/deliveries/index.ts"
import { startJob } from "../../platform/jobs/index.ts"
import { nextId } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { PrivacyRequestId, type StoreConnectionId } from "../Ids.ts"
import { type AskedPerson, PrivacyRequest, type PrivacyRequestKind } from "../PrivacyRequest.ts"
import { PrivacyRequests } from "../PrivacyRequests.ts"
import { privacyJob } from "./privacyJob.ts"

/** How long there is for it by law. */
const goodFor = { days: 30 } as const

/** What a shop asks about personal data, and what it came with. */
export interface AskedByShop {
  readonly storeConnectionId: StoreConnectionId
  readonly deliveryId: DeliveryId
  readonly kind: PrivacyRequestKind
  readonly asked: AskedPerson
  readonly at: DateTime.Utc
}

/** Keeps what a shop asks, and has it done. */
export const receivePrivacyRequest = Effect.fnUntraced(function* ({
  asked,
  at,
  deliveryId,
  kind,
  storeConnectionId
}: AskedByShop) {
  const now = yield* DateTime.now
  const id = yield* nextId(PrivacyRequestId)
  const request = new PrivacyRequest({
    id,
    storeConnectionId,
    kind,
    contactId: null,
    state: "open",
    receivedAt: at,
    dueAt: DateTime.add(at, goodFor),
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
