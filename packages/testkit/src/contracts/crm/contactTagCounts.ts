import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { type ContactId, Contacts, type TagId, Tags } from "@parley/domain/crm"
import { Arbitrary, Effect } from "effect"
import { among } from "../../fixtures/drawing.ts"
import { runContract, type StorageContract } from "../contract.ts"
import {
  evening,
  everybodyThere,
  givenTag,
  idsOf,
  inNewOrganization,
  insertContacts,
  newContact,
  sorted
} from "./given.ts"
import { tag, untag, move, removeTag, countOf } from "./givenTags.ts"

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

export const contactTagCounts: StorageContract = {
  port: "Contacts (counts of tags)",
  promises: (it) => {
    it.effect.prop(
      "tags have correct counts after every change",
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

    it.effect("tags have correct counts under concurrent changes", () =>
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

/** Checks an adapter against the contract of the counts of contacts per tag. */
export const contactTagCountsContract = runContract(contactTagCounts)
