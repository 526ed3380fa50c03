import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { Contact, ContactId, Contacts, TagId, Tags } from "@parley/domain/crm"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, givenOrganization, inside, plain } from "../given.ts"
import {
  all,
  evening,
  everybodyThere,
  everyone,
  givenContact,
  givenTag,
  idsOf,
  inNewOrganization,
  insertContacts,
  listed,
  newContact,
  sorted
} from "./given.ts"
import { tag, untag, move, removeTag, countOf } from "./givenTags.ts"

const tagsAndVersion = (id: ContactId) =>
  Effect.map(
    Effect.flatMap(Contacts, (contacts) => Effect.orDie(contacts.get(id))),
    ({ tags, version }) => [tags, version] as const
  )

const having = (id: TagId) => Effect.map(listed({ ...everyone, filter: { kind: "tagged", tag: id } }, all), idsOf)

export const contactTags: StorageContract = {
  port: "Contacts (tags)",
  promises: (it) => {
    it.effect("adding and removing tags raises the versions of the changed contacts", () =>
      Effect.gen(function* () {
        const [a, b] = idsOf([yield* givenTag(), yield* givenTag()])
        if (a === undefined || b === undefined) return
        const [none, one, both] = [
          yield* givenContact(),
          yield* givenContact({ tags: [a] }),
          yield* givenContact({ tags: [a, b] })
        ]
        const everyId = [...idsOf([none, one, both]), none.id, freshId(ContactId)]
        assert.deepStrictEqual(sorted(yield* tag(everyId, [b, a, b])), sorted([none.id, one.id]))
        assert.deepStrictEqual(yield* tagsAndVersion(none.id), [[a, b], 2])
        assert.deepStrictEqual(yield* tagsAndVersion(one.id), [[a, b], 2])
        assert.deepStrictEqual(yield* tagsAndVersion(both.id), [[a, b], 1])
        assert.deepStrictEqual(yield* tag(everyId, [a, b]), [])
        assert.deepStrictEqual([yield* countOf(a), yield* countOf(b)], [3, 3])
        assert.deepStrictEqual(sorted(yield* untag([one.id, both.id, one.id], [b])), sorted([one.id, both.id]))
        assert.deepStrictEqual(yield* untag([one.id, both.id], [b]), [])
        assert.deepStrictEqual(yield* tagsAndVersion(one.id), [[a], 3])
        assert.deepStrictEqual(yield* having(b), [none.id])
        assert.deepStrictEqual([yield* countOf(a), yield* countOf(b)], [3, 1])
        const [changed] = yield* Effect.flatMap(Contacts, (contacts) => contacts.find([one.id]))
        assert.deepStrictEqual(
          changed === undefined ? null : plain.contact(changed),
          plain.contact(new Contact({ ...one, updatedAt: evening, version: 3 }))
        )
        for (const nothing of [tag([], [a]), tag([one.id], []), untag([], [a]), untag([one.id], [])]) {
          assert.deepStrictEqual(yield* nothing, [])
        }
      }).pipe(inNewOrganization)
    )

    it.effect("unknown and foreign tags are added to no contact", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const theirs = yield* givenTag().pipe(inside(other))
        yield* Effect.gen(function* () {
          const gone = yield* givenTag()
          yield* removeTag(gone.id)
          const nobodys = [theirs.id, gone.id, freshId(TagId)]
          const contact = yield* givenContact({ tags: sorted(nobodys) })
          assert.deepStrictEqual(yield* tag([contact.id], nobodys), [])
          assert.deepStrictEqual(yield* tagsAndVersion(contact.id), [[], 1])
        }).pipe(inside(one))
        assert.strictEqual(yield* countOf(theirs.id).pipe(inside(other)), 0)
        assert.strictEqual(yield* move(theirs.id, freshId(TagId), 10).pipe(inside(one)), 0)
      })
    )

    it.effect("a removed tag leaves every contact, and clearing it leaves nothing behind", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        yield* Effect.gen(function* () {
          const contacts = yield* Contacts
          const [kept, gone] = [yield* givenTag(), yield* givenTag()]
          const people = Array.from({ length: 5 }, () => newContact({ tags: sorted([kept.id, gone.id]) }))
          yield* insertContacts(people)
          yield* removeTag(gone.id)
          const assertGone = Effect.gen(function* () {
            const left = [kept.id]
            for (const contact of people) {
              assert.deepStrictEqual((yield* contacts.get(contact.id)).tags, left)
              assert.deepStrictEqual(
                (yield* contacts.findByIdentity(contact.identities)).flatMap(({ tags }) => tags),
                []
              )
            }
            const ids = idsOf(people)
            for (const found of [
              yield* everybodyThere,
              yield* contacts.find(ids),
              yield* transact(contacts.lock(ids)),
              yield* listed({ ...everyone, filter: { kind: "tagged", tag: kept.id } }, all)
            ]) {
              assert.deepStrictEqual(
                found.map(({ tags }) => tags),
                people.map(() => left)
              )
            }
            assert.deepStrictEqual(yield* having(gone.id), [])
            assert.deepStrictEqual(
              idsOf(yield* listed({ ...everyone, filter: { kind: "not", of: { kind: "tagged", tag: gone.id } } }, all)),
              ids
            )
            assert.strictEqual(yield* countOf(kept.id), 5)
          })
          yield* assertGone
          const tags = yield* Tags
          assert.strictEqual(yield* transact(tags.clear(kept.id, 2)), 0)
          const clear = Effect.tap(transact(tags.clear(gone.id, 2)), assertGone)
          yield* Effect.repeat(clear, { while: (count) => count === 2 })
          assert.strictEqual(yield* clear, 0)
          yield* assertGone
          const [first] = people
          if (first === undefined) return
          const saved = yield* transact(contacts.save(first, null))
          assert.deepStrictEqual(saved.tags, [kept.id])
          assert.deepStrictEqual(yield* untag([first.id], [gone.id]), [])
          assert.lengthOf(yield* transact(contacts.remove(idsOf(people))), 5)
          assert.strictEqual(yield* countOf(kept.id), 0)
        }).pipe(inside(organization))
      })
    )

    it.effect("moving a tag works in batches, and gives it to no contact twice", () =>
      Effect.gen(function* () {
        const [from, to] = [yield* givenTag(), yield* givenTag()]
        const only = Array.from({ length: 3 }, () => newContact({ tags: [from.id] }))
        const both = Array.from({ length: 2 }, () => newContact({ tags: sorted([from.id, to.id]) }))
        const other = newContact({ tags: [to.id] })
        yield* insertContacts([...only, ...both, other])
        const moved = [
          yield* move(from.id, to.id, 2),
          yield* move(from.id, to.id, 2),
          yield* move(from.id, to.id, 2),
          yield* move(from.id, to.id, 2)
        ]
        assert.deepStrictEqual(moved, [2, 2, 1, 0])
        for (const { id } of [...only, ...both]) assert.deepStrictEqual(yield* tagsAndVersion(id), [[to.id], 2])
        assert.deepStrictEqual(yield* tagsAndVersion(other.id), [[to.id], 1])
        assert.deepStrictEqual([yield* countOf(from.id), yield* countOf(to.id)], [0, 6])
      }).pipe(inNewOrganization)
    )
  }
}

/** Checks an adapter against the contract of tags on contacts. */
export const contactTagsContract = runContract(contactTags)
