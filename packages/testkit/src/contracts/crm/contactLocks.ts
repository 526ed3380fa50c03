import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { Contact, type ContactId, Contacts, type IdentityRef } from "@parley/domain/crm"
import { Deferred, Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { givenOrganization, inside, plain } from "../given.ts"
import { everybodyThere, givenContact, givenTag, idsOf } from "./given.ts"

export const contactLocks: StorageContract = {
  port: "Contacts (locks)",
  promises: (it) => {
    it.effect("serializes locks of one contact", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const people = [yield* givenContact({ attributes: { n: 0 } }), yield* givenContact({ attributes: { n: 0 } })]
          const ids = idsOf(people)
          const add = (ids: ReadonlyArray<ContactId>) =>
            Effect.gen(function* () {
              const taken = yield* contacts.lock(ids)
              yield* Effect.yieldNow
              yield* contacts.saveAll(
                taken.map(
                  (contact) => new Contact({ ...contact, attributes: { n: Number(contact.attributes["n"]) + 1 } })
                )
              )
            }).pipe(transact)
          yield* Effect.forEach(
            Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? ids : ids.toReversed())),
            add,
            { concurrency: "unbounded" }
          )
          for (const contact of yield* everybodyThere) {
            assert.deepStrictEqual([contact.attributes["n"], contact.version], [12, 13])
          }
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("serializes locks of one contact by identity", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const [phone, email] = ["+491701234567", "ada@people.test"]
          const { id, identities } = yield* givenContact({ phone, email, attributes: { n: 0 } })
          const add = (ref: IdentityRef) =>
            Effect.gen(function* () {
              const [taken] = yield* contacts.lockByIdentity([ref])
              if (taken === undefined) return assert.fail("nobody is known by it")
              yield* Effect.yieldNow
              const n = Number(taken.attributes["n"]) + 1
              yield* contacts.save(new Contact({ ...taken, name: `Ada ${n}`, attributes: { n } }), taken.version)
            }).pipe(transact)
          const calls = Array.from({ length: 6 }, () => identities).flat()
          yield* Effect.forEach(calls, add, { concurrency: "unbounded" })
          const after = yield* contacts.get(id)
          assert.deepStrictEqual([after.attributes["n"], after.name, after.version], [12, "Ada 12", 13])
          assert.lengthOf(yield* transact(contacts.lockByIdentity([])), 0)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("skips contacts whose identity has moved to another one", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const phone = "+491701234567"
          const before = yield* givenContact({ name: "Ada", phone })
          const hasTaken = yield* Deferred.make<void>()
          const change = Effect.gen(function* () {
            yield* contacts.lock([before.id])
            yield* Deferred.succeed(hasTaken, undefined)
            yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow)
            yield* contacts.save(new Contact({ ...before, phone: null, identities: [] }), null)
          }).pipe(transact)
          const take = Effect.andThen(
            Deferred.await(hasTaken),
            transact(contacts.lockByIdentity([{ kind: "phone", value: phone }]))
          )
          const [, found] = yield* Effect.all([change, take], { concurrency: "unbounded" })
          assert.deepStrictEqual(idsOf(found), [])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("saves a contact that was locked and changed in one unit of work", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const tag = yield* givenTag()
          const { id } = yield* givenContact({ name: "Konrad Adler", phone: "+491701234567" })
          yield* Effect.gen(function* () {
            const [taken] = yield* contacts.lock([id])
            if (taken === undefined) return assert.fail("it is not there")
            yield* contacts.tag([id], [tag.id], taken.updatedAt)
            const wrong = yield* Effect.flip(contacts.save(new Contact({ ...taken, name: "X" }), taken.version))
            assert.strictEqual(wrong._tag === "VersionConflict" ? wrong.current : wrong._tag, 2)
            const once = yield* contacts.save(new Contact({ ...taken, name: "Konrad Bauer" }), null)
            assert.deepStrictEqual([once.name, once.tags, once.version], ["Konrad Bauer", [tag.id], 3])
            const twice = yield* contacts.save(
              new Contact({ ...once, name: "Konrad Cramer", phone: null, identities: [] }),
              3
            )
            assert.deepStrictEqual([twice.name, twice.phone, twice.version], ["Konrad Cramer", null, 4])
          }).pipe(transact)
          assert.deepStrictEqual(plain.contact(yield* contacts.get(id)).name, "Konrad Cramer")
          assert.include(yield* contacts.wordsLike("konrat"), "konrad")
          assert.include(yield* contacts.wordsLike("kramer"), "cramer")
          assert.lengthOf(yield* contacts.findByIdentity([{ kind: "phone", value: "+491701234567" }]), 0)
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

/** Checks an adapter against the contract of locks of contacts. */
export const contactLocksContract = runContract(contactLocks)
