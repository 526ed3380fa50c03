import { assert, it } from "@effect/vitest"
import type { LoggedEvent } from "@parley/domain/platform"
import { OrderId, StoreConnectionId } from "@parley/domain/commerce"
import { DateTime } from "effect"
import { takeCountBatch, type ConsumedEvent } from "../../src/analytics/counting/eventCounts.ts"

const id = "01985d5c-0000-7000-8000-000000000001"

const stored = (position: number, orders: number): LoggedEvent<ConsumedEvent> => ({
  position,
  at: DateTime.makeUnsafe(0),
  actor: { kind: "system", id: "stores" },
  causation: null,
  event: {
    type: "orders.stored",
    storeConnectionId: StoreConnectionId.make(id),
    orderIds: Array.from({ length: orders }, () => OrderId.make(id))
  }
})

it("Import events are counted in batches of at most two thousand orders; a larger event is a batch alone", () => {
  const events = Array.from({ length: 500 }, (_, place) => stored(place + 1, 500))
  assert.lengthOf(takeCountBatch(events, 0), 4)
  assert.lengthOf(takeCountBatch(events, 100), 104)
  assert.lengthOf(takeCountBatch(events, 500), 500)
  assert.lengthOf(takeCountBatch([stored(1, 9_000), stored(2, 1)], 0), 1)
  assert.isEmpty(takeCountBatch([], 0))
})
