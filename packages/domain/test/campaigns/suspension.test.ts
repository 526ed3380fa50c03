import { assert, layer } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { setOrganizationStatus } from "@parley/domain/platform"
import { Broadcast, Broadcasts, type BroadcastStatus, createBroadcast, holdIfSuspended } from "@parley/domain/campaigns"
import { listEvents } from "@parley/domain/composition"
import { asOperatorOf, givenOrganization, TestKit } from "@parley/testkit"
import { Effect } from "effect"

const given = Effect.fnUntraced(function* (status: BroadcastStatus) {
  const broadcast = yield* createBroadcast({ name: status })
  const broadcasts = yield* Broadcasts
  return yield* transact(broadcasts.save(new Broadcast({ ...broadcast, status }), null))
})

const hold = ({ id }: Broadcast) =>
  transact(
    Effect.gen(function* () {
      const { broadcast, goesOn } = yield* holdIfSuspended(yield* (yield* Broadcasts).lock(id))
      return [goesOn, broadcast.status, broadcast.pause?.reason ?? null, broadcast.pause?.by ?? null]
    })
  )

layer(TestKit.layer)("broadcasts of a suspended organization", (it) => {
  it.effect("are paused while they are sending, and wait while they are scheduled", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      yield* Effect.gen(function* () {
        const [sending, scheduled] = [yield* given("sending"), yield* given("scheduled")]
        assert.deepStrictEqual(yield* hold(sending), [true, "sending", null, null])
        yield* setOrganizationStatus({ status: "suspended" })
        assert.deepStrictEqual(yield* hold(sending), [false, "paused", "suspended", null])
        assert.deepStrictEqual(yield* hold(sending), [false, "paused", "suspended", null])
        assert.deepStrictEqual(yield* hold(scheduled), [false, "scheduled", null, null])
        const { data } = yield* listEvents({ page: { limit: 100, cursor: null } })
        assert.deepStrictEqual(
          data.flatMap(({ event }) => (event.event.type === "broadcast.status_changed" ? [event.event] : [])),
          [
            {
              type: "broadcast.status_changed",
              broadcastId: sending.id,
              from: "sending",
              to: "paused",
              reason: "suspended"
            }
          ]
        )
        yield* setOrganizationStatus({ status: "active" })
        assert.deepStrictEqual(yield* hold(scheduled), [true, "scheduled", null, null])
      }).pipe(asOperatorOf(organization))
    })
  )
})
