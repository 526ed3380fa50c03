import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../kernel/index.ts"
import type { PrivacyState } from "../PrivacyRequest.ts"
import { PrivacyRequests } from "../PrivacyRequests.ts"

/** What shops have asked about personal data, newest first. */
export const listPrivacyRequests = useCase(
  "privacyRequests.list",
  { access: { permission: "store_connections.manage" } },
  Effect.fnUntraced(function* (state: PrivacyState | null, page: PageRequest) {
    const requests = yield* PrivacyRequests
    return yield* paged(
      `privacy_requests:${state ?? ""}`,
      page,
      (slice) => Effect.map(requests.list(state, slice), (all) => all.map(({ request }) => request)),
      ({ id }) => [id]
    )
  })
)
