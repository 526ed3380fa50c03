import { Effect } from "effect"
import { NotFound, paged, type PageRequest, transact, useCase } from "../../kernel/index.ts"
import { recordAudit } from "../../platform/audit/index.ts"
import type { PrivacyRequestId } from "../Ids.ts"
import { PrivacyRequests, type PrivacyState } from "../PrivacyRequest.ts"
import { PrivacyRequestStatusInvalid } from "../errors.ts"
import { endPrivacyRequest } from "../privacy/privacyJob.ts"

export const getPrivacyRequest = useCase(
  { name: "privacyRequests.get", access: { permission: "store_connections.manage" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: PrivacyRequestId }) {
    return (yield* (yield* PrivacyRequests).get(id)).request
  })
)

/** Lists the privacy requests of shops, newest first. */
export const listPrivacyRequests = useCase(
  { name: "privacyRequests.list", access: { permission: "store_connections.manage" } },
  Effect.fnUntraced(function* ({
    state = null,
    page
  }: {
    readonly state?: PrivacyState | null
    readonly page: PageRequest
  }) {
    const requests = yield* PrivacyRequests
    return yield* paged(
      `privacy_requests:${state ?? ""}`,
      page,
      (slice) => Effect.map(requests.list(state, slice), (all) => all.map(({ request }) => request)),
      ({ id }) => [id]
    )
  })
)

/** Completes a request after its export was handed over to the requester. */
export const completePrivacyRequest = useCase(
  {
    name: "privacyRequests.complete",
    access: { permission: "store_connections.manage" },
    audit: "privacy_request.completed",
    emits: ["privacy_request.done"]
  },
  Effect.fnUntraced(function* ({ id }: { readonly id: PrivacyRequestId }) {
    const kept = yield* (yield* PrivacyRequests).lock(id)
    if (kept === null) return yield* new NotFound({ resource: "privacy request" })
    const { counts, state } = kept.request
    if (state !== "ready") return yield* new PrivacyRequestStatusInvalid({ requestState: state })
    const done = yield* endPrivacyRequest(kept, "done", counts)
    yield* recordAudit(
      "privacy_request.completed",
      { kind: "privacy_request", id },
      { before: { state }, after: { state: done.state } }
    )
    return done
  }, transact)
)
