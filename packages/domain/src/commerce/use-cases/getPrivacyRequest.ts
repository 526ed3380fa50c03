import { Effect } from "effect"
import { useCase } from "../../kernel/index.ts"
import type { PrivacyRequestId } from "../Ids.ts"
import { PrivacyRequests } from "../PrivacyRequests.ts"

/** Reads one request of a shop about personal data. */
export const getPrivacyRequest = useCase(
  "privacyRequests.get",
  { access: { permission: "store_connections.manage" } },
  Effect.fnUntraced(function* (id: PrivacyRequestId) {
    return (yield* (yield* PrivacyRequests).get(id)).request
  })
)
