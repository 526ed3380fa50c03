import { Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import { PrivacyRequestState } from "../Errors.ts"
import type { PrivacyRequestId } from "../Ids.ts"
import type { KeptPrivacyRequest } from "../PrivacyRequest.ts"
import { PrivacyRequests } from "../PrivacyRequests.ts"
import { StoreCustomers } from "../StoreCustomers.ts"

/** A request whose export can be handed over. */
export const requireReady = Effect.fnUntraced(function* (id: PrivacyRequestId) {
  const kept = yield* (yield* PrivacyRequests).get(id)
  const { state } = kept.request
  return state === "ready" ? kept : yield* new PrivacyRequestState({ requestState: state })
})

/** What the shop knew whoever asks by. */
export const privacyRecords = Effect.fnUntraced(function* ({ asked, request }: KeptPrivacyRequest) {
  const externalId = asked?.externalCustomerId ?? null
  if (externalId === null) return []
  const customers = yield* (yield* StoreCustomers).lock(request.storeConnectionId, [externalId])
  return customers.map(({ customer }) => customer)
}, transact)
