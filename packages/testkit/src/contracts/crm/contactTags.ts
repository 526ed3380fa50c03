import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { Contact, ContactId, Contacts, TagId, Tags } from "@parley/domain/crm"
import { Arbitrary, Effect } from "effect"
import { among } from "../../fixtures/drawing.ts"
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

const tag = (ids: ReadonlyArray<ContactId>, tags: ReadonlyArray<TagId>) =>
  Effect.flatMap(Contacts, (contacts) => transact(contacts.tag(ids, tags, evening)))

const untag = (ids: ReadonlyArray<ContactId>, tags: ReadonlyArray<TagId>) =>
  Effect.flatMap(Contacts, (contacts) => transact(contacts.untag(ids, tags, evening)))

const move = (from: TagId, to: TagId, limit: number) =>
  Effect.flatMap(Tags, (tags) => transact(tags.move(from, to, limit, evening)))

const removeTag = (id: TagId) => Effect.flatMap(Tags, (tags) => transact(tags.remove(id, null)))

const tagsAndVersion = (id: ContactId) =>
  Effect.map(
    Effect.flatMap(Contacts, (contacts) => Effect.orDie(contacts.get(id))),
    ({ tags, version }) => [tags, version] as const
  )

const having = (id: TagId) => Effect.map(listed({ ...everyone, filter: { kind: "tagged", tag: id } }, all), idsOf)

const countOf = (id: TagId) =>
  Effect.flatMap(Tags, (tags) => Effect.map(tags.get(id), ({ contactCount }) => contactCount))

const places = [0, 1, 2, 3, 4]

const steps = Arbitrary.all({
  what: among(["insert", "tag", "untag", "save", "remove", "move", "removeTag", "fail"] as const),
  whom: Arbitrary.array(among(places), { maxLength: 3 }),
  which: Arbitrary.array(among(places), { minLength: 1, maxLength: 3 })
})
type Step = typeof steps extends Arbitrary.Arbitrary<infer A> ? A : never

/** Expected tags per contact. */
interface Model {
  readonly people: Map<ContactId, ReadonlySet<TagId>>
  readonly tags: Set<TagId>
}

const perform = Effect.fnUntraced(function* (model: Model, allTags: ReadonlyArray<TagId>, { what, whom, which }: Step) {
  const contacts = yield* Contacts
  const { people, tags } = model
  const there = sorted(people.keys())
  const ids = [...new Set(whom.flatMap((place) => there[place] ?? []))]
  const wanted = [...new Set(which.flatMap((place) => allTags[place] ?? []))]
  const live = wanted.filter((id) => tags.has(id))
  const [first, second] = wanted
  switch (what) {
    case "insert": {
      const added = newContact({ tags: sorted(wanted) })
      assert.strictEqual(yield* insertContacts([added]), people.size + 1)
      people.set(added.id, new Set(live))
      break
    }
    case "tag": {
      const lacking = ids.filter((id) => live.some((tag) => people.get(id)?.has(tag) === false))
      assert.deepStrictEqual(sorted(yield* tag(ids, wanted)), sorted(lacking))
      for (const id of ids) people.set(id, new Set([...(people.get(id) ?? []), ...live]))
      break
    }
    case "untag": {
      const holding = ids.filter((id) => wanted.some((tag) => people.get(id)?.has(tag) === true))
      assert.deepStrictEqual(sorted(yield* untag(ids, wanted)), sorted(holding))
      for (const id of ids) people.set(id, new Set([...(people.get(id) ?? [])].filter((tag) => !wanted.includes(tag))))
      break
    }
    case "save": {
      const taken = yield* contacts.find(ids)
      yield* transact(contacts.saveAll(taken))
      break
    }
    case "remove": {
      assert.deepStrictEqual(sorted(yield* transact(contacts.remove(ids))), sorted(ids))
      for (const id of ids) people.delete(id)
      break
    }
    case "move": {
      if (first === undefined || second === undefined || !tags.has(second)) break
      const holders = [...people].filter(([, has]) => has.has(first)).map(([id]) => id)
      assert.strictEqual(yield* move(first, second, 100), holders.length)
      for (const id of holders) {
        people.set(id, new Set([...(people.get(id) ?? []), second].filter((tag) => tag !== first)))
      }
      break
    }
    case "removeTag": {
      if (first === undefined || !tags.has(first)) break
      yield* removeTag(first)
      tags.delete(first)
      for (const [id, has] of people) people.set(id, new Set([...has].filter((tag) => tag !== first)))
      break
    }
    case "fail": {
      yield* contacts
        .tag(ids, wanted, evening)
        .pipe(
          Effect.andThen(contacts.insert([newContact({ tags: wanted })])),
          Effect.andThen(contacts.remove(ids)),
          Effect.andThen(Effect.fail("refused")),
          transact,
          Effect.flip
        )
    }
  }
})

const assertModel = Effect.fnUntraced(function* ({ people, tags }: Model) {
  const contacts = yield* Contacts
  const found = yield* everybodyThere
  const [seen, expected] = [new Map(found.map((contact) => [contact.id, contact.tags])), sorted(people.keys())]
  assert.deepStrictEqual(sorted(seen.keys()), expected)
  for (const [id, has] of people) assert.deepStrictEqual(seen.get(id), sorted(has))
  assert.strictEqual(yield* contacts.count(), people.size)
  for (const { contactCount, id } of yield* Effect.flatMap(Tags, (port) => port.find([...tags]))) {
    assert.strictEqual(contactCount, [...people.values()].filter((has) => has.has(id)).length)
  }
})

export const contactTags: StorageContract = {
  port: "Contacts (tags)",
  promises: (it) => {
    it.effect.prop(
      "have correct counts after every change",
      { happened: Arbitrary.array(steps, { minLength: 4, maxLength: 14 }) },
      ({ happened }) =>
        Effect.gen(function* () {
          const given = idsOf(yield* Effect.replicateEffect(givenTag(), places.length))
          const model: Model = { people: new Map(), tags: new Set(given) }
          const crowd = places.map((place) => newContact({ tags: sorted(given.slice(0, place)) }))
          yield* insertContacts(crowd)
          for (const { id, tags } of crowd) model.people.set(id, new Set(tags))
          for (const step of happened) {
            yield* perform(model, given, step)
            yield* assertModel(model)
          }
        }).pipe(inNewOrganization),
      { arbitrary: { runs: 20, seed: "counts", maxShrinks: 40 } }
    )

    it.effect("are put on and taken off, and raise the versions of those whom that changes", () =>
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

    it.effect("that are unknown or foreign are added to no contact", () =>
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

    it.effect("leave every contact when removed, and leave nothing behind when cleared", () =>
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

    it.effect("move in batches, and are on no contact twice", () =>
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

    it.effect("have correct counts under concurrent changes", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        const given = sorted(idsOf(yield* Effect.replicateEffect(givenTag(), 3)))
        const people = Array.from({ length: 6 }, () => newContact())
        yield* insertContacts(people)
        const ids = idsOf(people)
        yield* Effect.forEach(
          Array.from({ length: 16 }, (_, turn) => turn),
          (turn) => {
            const [whom, which] = [ids.slice(turn % 3), given.slice(turn % 2)]
            return turn % 4 === 3
              ? untag(whom.toReversed(), which.toReversed())
              : turn % 4 === 2
                ? Effect.as(insertContacts([newContact({ tags: which })]), [])
                : tag(turn % 2 === 0 ? whom : whom.toReversed(), which)
          },
          { concurrency: "unbounded", discard: true }
        )
        const found = yield* everybodyThere
        for (const id of given) {
          assert.strictEqual(yield* countOf(id), found.filter(({ tags }) => tags.includes(id)).length)
        }
        assert.strictEqual(yield* contacts.count(), found.length)
      }).pipe(inNewOrganization)
    )
  }
}

/** Checks an adapter against the contract of tags on contacts. */
export const contactTagsContract = runContract(contactTags)
