import { DateTime, Effect, Redacted } from "effect"
import { Base64 } from "effect/encoding"
import { nextId, type OrganizationId, Vault } from "../../kernel/index.ts"
import { type ArrivedDelivery, DeliveryInbox, onlyLane } from "./Deliveries.ts"
import { DeliveryId } from "./Delivery.ts"

/** What was delivered, and whose it is. */
export interface Addressed {
  readonly organizationId: OrganizationId
  readonly body: Uint8Array
  /** What a repetition shares with it, if the provider says that; otherwise its bytes. */
  readonly sameAs?: string | null
  /** What it belongs to within the organization, if that must not wait for anything else there. */
  readonly lane?: string
}

/** Stores for good what was delivered, once it is known to come from the provider. What was seen before is left out. */
export const storeDeliveries = Effect.fnUntraced(function* (
  source: string,
  provider: string,
  found: ReadonlyArray<Addressed>
) {
  if (found.length === 0) return
  const vault = yield* Vault
  const receivedAt = yield* DateTime.now
  const arrived = yield* Effect.forEach(
    found,
    Effect.fnUntraced(function* ({ body, lane = onlyLane, organizationId, sameAs }) {
      const digest = yield* vault.digest(Redacted.make(sameAs ?? Base64.encode(body)))
      const id = yield* nextId(DeliveryId)
      return { organizationId, lane, id, source, provider, digest, body, receivedAt } satisfies ArrivedDelivery
    })
  )
  yield* (yield* DeliveryInbox).store(arrived)
})
