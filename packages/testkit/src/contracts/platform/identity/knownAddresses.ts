import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { knownAddressLifetime, KnownAddresses, maxKnownAddresses } from "@parley/domain/platform"
import { DateTime, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { runContract, type StorageContract } from "../../contract.ts"
import { after, freshText, present } from "../../given.ts"

const given = Effect.gen(function* () {
  const now = yield* present
  const known = yield* KnownAddresses
  const account = freshText("account")
  const note = (address: string, at: DateTime.Utc = now) => transact(known.note(account, address, at))
  const slotOf = (address: string, since: DateTime.Utc = DateTime.subtract(now, { days: 90 })) =>
    known.slotOf(account, address, since)
  return { account, known, note, now, slotOf }
})

const addresses = Array.from({ length: maxKnownAddresses }, (_, index) => `address ${index}`)

export const knownAddresses: StorageContract = {
  port: "KnownAddresses",
  promises: (it) => {
    it.effect("knows an address that was noted, for its account and for no other", () =>
      Effect.gen(function* () {
        const { known, note, now, slotOf } = yield* given
        assert.isNull(yield* slotOf("home"))
        yield* note("home")
        assert.strictEqual(yield* slotOf("home"), 0)
        assert.isNull(yield* slotOf("office"))
        assert.isNull(yield* known.slotOf(freshText("account"), "home", DateTime.subtract(now, { days: 90 })))
      })
    )

    it.effect("gives each address a permanent slot", () =>
      Effect.gen(function* () {
        const { note, slotOf } = yield* given
        yield* Effect.forEach(addresses, (address) => note(address))
        yield* Effect.forEach(addresses.toReversed(), (address) => note(address))
        assert.deepStrictEqual(
          yield* Effect.forEach(addresses, (address) => slotOf(address)),
          addresses.map((_, index) => index)
        )
      })
    )

    it.effect("lets the address seen longest ago give way when every slot is taken", () =>
      Effect.gen(function* () {
        const { note, now, slotOf } = yield* given
        yield* Effect.forEach(addresses, (address, index) => note(address, after(now, Duration.hours(2 * index))))
        const [first = "", second = ""] = addresses
        yield* note(first, after(now, "10 hours"))
        yield* note("new", after(now, "11 hours"))
        assert.deepStrictEqual([yield* slotOf(first), yield* slotOf(second), yield* slotOf("new")], [0, null, 1])
      })
    )

    it.effect("knows only what was seen after the time that is asked for", () =>
      Effect.gen(function* () {
        const { note, now, slotOf } = yield* given
        yield* note("home")
        assert.strictEqual(yield* slotOf("home", DateTime.subtract(now, { milliseconds: 1 })), 0)
        assert.isNull(yield* slotOf("home", now))
        yield* note("home", after(now, "1 day"))
        assert.strictEqual(yield* slotOf("home", now), 0)
      })
    )

    it.effect("forgets the addresses of an account, and of no other", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* given, yield* given]
        yield* Effect.forEach([one, other], ({ note }) => note("home"))
        yield* transact(one.known.forget(one.account))
        assert.deepStrictEqual([yield* one.slotOf("home"), yield* other.slotOf("home")], [null, 0])
      })
    )

    it.effect("a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        const { account, known, note, now, slotOf } = yield* given
        yield* note("home")
        yield* known
          .forget(account)
          .pipe(
            Effect.andThen(known.note(account, "office", now)),
            Effect.andThen(Effect.fail("refused")),
            transact,
            Effect.flip
          )
        assert.deepStrictEqual([yield* slotOf("home"), yield* slotOf("office")], [0, null])
      })
    )

    it.effect("sweeps out what is not known any more, and nothing else", () =>
      Effect.gen(function* () {
        const { known, note, now, slotOf } = yield* given
        const later = DateTime.addDuration(now, knownAddressLifetime)
        yield* note("old")
        yield* note("new", later)
        yield* TestClock.adjust(knownAddressLifetime)
        assert.isAtLeast(yield* known.sweep, 1)
        assert.strictEqual(yield* known.sweep, 0)
        assert.deepStrictEqual([yield* slotOf("old"), yield* slotOf("new")], [null, 1])
      })
    )
  }
}

export const knownAddressesContract = runContract(knownAddresses)
