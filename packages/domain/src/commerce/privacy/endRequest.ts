import { DateTime, Effect } from "effect"
import type { JobCounts } from "../../platform/jobs/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { type KeptPrivacyRequest, PrivacyRequest } from "../PrivacyRequest.ts"
import { PrivacyRequests } from "../PrivacyRequests.ts"

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
