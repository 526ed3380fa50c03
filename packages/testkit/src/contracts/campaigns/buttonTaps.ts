import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { type BroadcastId, ButtonTaps } from "@parley/domain/campaigns"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { givenOrganization, inside } from "../given.ts"
import { givenBroadcast } from "./given.ts"

const tallied = (id: BroadcastId) =>
  Effect.map(
    Effect.flatMap(ButtonTaps, (taps) => taps.tally(id)),
    (tallies) => tallies.map(({ button, count, variant }) => `${variant ?? "-"} ${button} ${count}`).toSorted()
  )

const tap = (broadcastId: BroadcastId, button: string, variant: "a" | "b" | null = null, count = 1) => {
  return { broadcastId, button, variant, count }
}

export const buttonTaps: StorageContract = {
  port: "ButtonTaps",
  promises: (it) => {
    it.effect("adds up how often each button of a broadcast's variants was tapped", () =>
      Effect.gen(function* () {
        const within = inside(yield* givenOrganization())
        const elsewhere = inside(yield* givenOrganization())
        const { id, other } = yield* Effect.gen(function* () {
          const taps = yield* ButtonTaps
          const { id } = yield* givenBroadcast()
          const { id: other } = yield* givenBroadcast()
          assert.isEmpty(yield* tallied(id))
          yield* transact(taps.add([]))
          yield* transact(taps.add([tap(id, "Yes", "a"), tap(other, "Yes"), tap(id, "No", "a"), tap(id, "Yes", "a")]))
          yield* transact(taps.add([tap(id, "Yes", "b", 3), tap(id, "Yes", "a", 2)]))
          return { id, other }
        }).pipe(within)
        assert.deepStrictEqual(yield* within(tallied(id)), ["a No 1", "a Yes 4", "b Yes 3"])
        assert.deepStrictEqual(yield* within(tallied(other)), ["- Yes 1"])
        assert.isEmpty(yield* elsewhere(tallied(id)))
      })
    )

    it.effect("forgets what a unit of work that fails has added", () =>
      Effect.gen(function* () {
        const taps = yield* ButtonTaps
        const { id } = yield* givenBroadcast()
        yield* Effect.flip(transact(Effect.andThen(taps.add([tap(id, "Yes")]), Effect.fail("no"))))
        assert.isEmpty(yield* tallied(id))
      }).pipe((effect) => Effect.flatMap(givenOrganization(), (organization) => inside(organization)(effect)))
    )
  }
}

export const buttonTapsContract = runContract(buttonTaps)
