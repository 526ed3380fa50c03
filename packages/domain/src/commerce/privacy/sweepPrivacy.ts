import { DateTime, Effect } from "effect"
import { startJob } from "../../platform/jobs/index.ts"
import { transact } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { type KeptPrivacyRequest, PrivacyRequest } from "../PrivacyRequest.ts"
import { PrivacyRequests } from "../PrivacyRequests.ts"
import { privacyJob } from "./privacyJob.ts"

/** How long before it is due a request is told to be. */
const early = { days: 7 } as const

/** A request that nothing has happened to for so long has lost its job: it was cancelled, or has failed. */
const longestRest = { minutes: 30 } as const

const mostAtOnce = 100

const again = Effect.fnUntraced(function* ({ request: { id } }: KeptPrivacyRequest) {
  const requests = yield* PrivacyRequests
  const kept = yield* requests.lock(id)
  if (kept === null || kept.request.state !== "open") return
  const updatedAt = yield* DateTime.now
  yield* requests.save({ ...kept, request: new PrivacyRequest({ ...kept.request, updatedAt }) })
  yield* startJob(privacyJob, { privacyRequestId: id })
}, transact)

const tell = Effect.fnUntraced(function* ({ request: { id } }: KeptPrivacyRequest) {
  const requests = yield* PrivacyRequests
  const kept = yield* requests.lock(id)
  if (kept === null || kept.toldDueAt !== null) return
  const { contactId, storeConnectionId } = kept.request
  yield* requests.save({ ...kept, toldDueAt: yield* DateTime.now })
  yield* appendEvent({ type: "privacy_request.due", privacyRequestId: id, storeConnectionId, contactId })
}, transact)

/** Has requests done whose job did not, and tells of those that are due soon. */
export const sweepPrivacy = Effect.gen(function* () {
  const requests = yield* PrivacyRequests
  const now = yield* DateTime.now
  yield* Effect.forEach(yield* requests.resting("open", DateTime.subtract(now, longestRest), mostAtOnce), again)
  yield* Effect.forEach(yield* requests.due(DateTime.add(now, early), mostAtOnce), tell)
})
