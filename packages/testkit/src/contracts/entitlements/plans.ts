import { assert } from "@effect/vitest"
import { Contacts, Members, Organization, Organizations, type PlanName, Plans, transact } from "@parley/domain"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { givenContact } from "../crm/given.ts"
import { after, givenInvitation, givenMember, givenOrganization, inside, present } from "../given.ts"

const current = Effect.flatMap(Plans, (plans) => plans.current())

const seats = Effect.flatMap(Plans, (plans) => Effect.map(plans.usage(), ({ seats }) => seats))

const put = (plan: PlanName) =>
  Effect.gen(function* () {
    const organizations = yield* Organizations
    const organization = yield* organizations.current()
    yield* organizations.save(new Organization({ ...organization, plan }), null)
  }).pipe(transact)

export const plans: StorageContract = {
  port: "Plans",
  promises: (it) => {
    it.effect("keeps one tenant's plan and usage out of another's", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization({ plan: "scale" }), yield* givenOrganization({ plan: "growth" })]
        yield* givenMember(one)
        assert.deepStrictEqual([yield* current.pipe(inside(one)), yield* seats.pipe(inside(one))], ["scale", 1])
        assert.deepStrictEqual([yield* current.pipe(inside(other)), yield* seats.pipe(inside(other))], ["growth", 0])
        yield* put("free").pipe(inside(one))
        assert.strictEqual(yield* current.pipe(inside(other)), "growth")
      })
    )

    it.effect("says at once that the plan changed", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          assert.strictEqual(yield* current, "free")
          for (const plan of ["growth", "scale", "free"] as const) {
            yield* put(plan)
            assert.strictEqual(yield* current, plan)
          }
        }).pipe(inside(yield* givenOrganization({ plan: "free" })))
      })
    )

    it.effect("remembers nothing of a unit of work that failed", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          assert.strictEqual(yield* current, "free")
          const within = yield* put("scale").pipe(
            Effect.andThen(current),
            Effect.flatMap((plan) => Effect.fail(plan)),
            transact,
            Effect.flip
          )
          assert.strictEqual(within, "scale")
          assert.strictEqual(yield* current, "free")
        }).pipe(inside(yield* givenOrganization({ plan: "free" })))
      })
    )

    it.effect("counts members and invited people as seats, and nothing of what nobody has", () =>
      Effect.gen(function* () {
        const members = yield* Members
        const organization = yield* givenOrganization()
        const { member } = yield* givenMember(organization, "owner")
        yield* givenInvitation(organization, after(yield* present, "7 days"))
        yield* Effect.gen(function* () {
          assert.deepStrictEqual(
            { ...(yield* (yield* Plans).usage()) },
            {
              seats: 2,
              contacts: 0,
              chatAccounts: 0,
              storeConnections: 0,
              broadcastRecipientsPerMonth: 0
            }
          )
          yield* transact(members.remove(member.id))
          assert.strictEqual(yield* seats, 1)
        }).pipe(inside(organization))
      })
    )

    it.effect("counts the contacts that there are, and none of another tenant's", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const used = Effect.flatMap(Plans, (plans) => Effect.map(plans.usage(), (usage) => usage.contacts))
        yield* Effect.gen(function* () {
          const [first, second] = [yield* givenContact(), yield* givenContact()]
          assert.strictEqual(yield* used, 2)
          yield* transact(contacts.remove([first.id]))
          assert.strictEqual(yield* used, 1)
          const within = yield* contacts.remove([second.id]).pipe(
            Effect.andThen(used),
            Effect.flatMap((count) => Effect.fail(count)),
            transact,
            Effect.flip
          )
          assert.deepStrictEqual([within, yield* used], [0, 1])
        }).pipe(inside(one))
        assert.strictEqual(yield* used.pipe(inside(other)), 0)
      })
    )
  }
}

/** What every `Plans` promises. */
export const plansContract = runContract(plans)
