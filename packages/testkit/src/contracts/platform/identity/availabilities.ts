import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { Availabilities, Availability, MemberId, Members } from "@parley/domain/platform"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenMember, givenOrganization, inside } from "../../given.ts"

const away = new Availability({ status: "away", capacity: 7 })

const save = (id: MemberId, availability: Availability) =>
  Effect.flatMap(Availabilities, (port) => transact(port.save(id, availability)))

export const availabilities: StorageContract = {
  port: "Availabilities",
  promises: (it) => {
    it.effect("stores the availability of each member, by default available for twenty conversations", () =>
      Effect.gen(function* () {
        const port = yield* Availabilities
        const organization = yield* givenOrganization()
        const [one, other] = [yield* givenMember(organization), yield* givenMember(organization)]
        yield* Effect.gen(function* () {
          assert.deepStrictEqual({ ...(yield* port.get(one.member.id)) }, { status: "available", capacity: 20 })
          yield* save(one.member.id, away)
          assert.deepStrictEqual(yield* port.get(one.member.id), away)
          assert.deepStrictEqual(yield* transact(port.lock(one.member.id)), away)
          assert.deepStrictEqual(yield* port.get(other.member.id), new Availability({}))
        }).pipe(inside(organization))
      })
    )

    it.effect("stays with another role, and is gone with the member", () =>
      Effect.gen(function* () {
        const port = yield* Availabilities
        const members = yield* Members
        const organization = yield* givenOrganization()
        const { member } = yield* givenMember(organization, "viewer")
        yield* Effect.gen(function* () {
          yield* save(member.id, away)
          yield* transact(members.setRole(member.id, "agent", null))
          assert.deepStrictEqual(yield* port.get(member.id), away)
          yield* transact(members.remove(member.id))
          assert.strictEqual((yield* Effect.flip(port.get(member.id)))._tag, "NotFound")
        }).pipe(inside(organization))
      })
    )

    it.effect("knows members of the organization only", () =>
      Effect.gen(function* () {
        const port = yield* Availabilities
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const { member } = yield* givenMember(one)
        yield* Effect.gen(function* () {
          for (const id of [member.id, freshId(MemberId)]) {
            assert.strictEqual((yield* Effect.flip(port.get(id)))._tag, "NotFound")
            assert.strictEqual((yield* Effect.flip(transact(port.lock(id))))._tag, "NotFound")
            assert.strictEqual((yield* Effect.flip(save(id, away)))._tag, "NotFound")
          }
        }).pipe(inside(other))
        assert.deepStrictEqual(yield* port.get(member.id).pipe(inside(one)), new Availability({}))
      })
    )
  }
}

/** Checks an adapter against the contract of `Availabilities`. */
export const availabilitiesContract = runContract(availabilities)
