import { Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { NotFound, transact, useCase } from "../../kernel/index.ts"
import { PrivacyRequestState } from "../Errors.ts"
import type { PrivacyRequestId } from "../Ids.ts"
import { endRequest } from "../privacy/endRequest.ts"
import { PrivacyRequests } from "../PrivacyRequests.ts"

/** Says that an export was handed over to whoever has asked for it. */
export const completePrivacyRequest = useCase(
  "privacyRequests.complete",
  { access: { permission: "store_connections.manage" } },
  Effect.fnUntraced(function* (id: PrivacyRequestId) {
    const kept = yield* (yield* PrivacyRequests).lock(id)
    if (kept === null) return yield* new NotFound({ resource: "privacy request" })
    const { counts, state } = kept.request
    if (state !== "ready") return yield* new PrivacyRequestState({ requestState: state })
    const done = yield* endRequest(kept, "done", counts)
    yield* record(
      "privacy_request.completed",
      { kind: "privacy_request", id },
      { before: { state }, after: { state: done.state } }
    )
    return done
  }, transact)
)
