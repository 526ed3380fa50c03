import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { Contact, ContactHistory, ContactId, ContactMerge, ContactMergeId } from "@parley/domain/crm"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, plain } from "../given.ts"
import { all, evening, givenContact, givenTag, identity, idsOf, inNewOrganization, newContact } from "./given.ts"
import { newMerge, merge, unmerge, givenHistory, timeline, consents } from "./givenHistory.ts"

export const contactMerges: StorageContract = {
  port: "ContactHistory (merges)",
  promises: (it) => {
    it.effect("stores a merge unchanged", () =>
      Effect.gen(function* () {
        const history = yield* ContactHistory
        const tag = yield* givenTag()
        const survivor = yield* givenContact({ tags: [tag.id], attributes: { city: "Quito", score: 0.1, vip: false } })
        const merged = newContact({
          name: null,
          phone: "+491701234567",
          identities: [identity("external", "“%_\\” 🥐 'x'")],
          attributes: { constructor: "שלום\n", zero: 0 },
          lastSeenAt: evening,
          version: 7
        })
        const made = newMerge(survivor, merged)
        yield* merge(made)
        assert.deepStrictEqual(plain.contactMerge(yield* history.getMerge(made.id)), plain.contactMerge(made))
        yield* unmerge(made.id)
        const undone = new ContactMerge({ ...made, undoneAt: evening })
        assert.deepStrictEqual(plain.contactMerge(yield* history.getMerge(made.id)), plain.contactMerge(undone))
        assert.strictEqual((yield* Effect.flip(unmerge(made.id)))._tag, "NotFound")
        for (const nobodys of [history.getMerge(freshId(ContactMergeId)), unmerge(freshId(ContactMergeId))]) {
          assert.strictEqual((yield* Effect.flip(nobodys))._tag, "NotFound")
        }
      }).pipe(inNewOrganization)
    )

    it.effect("lists standing merges, newest first", () =>
      Effect.gen(function* () {
        const history = yield* ContactHistory
        const survivor = yield* givenContact()
        const merges = Array.from({ length: 4 }, () => newMerge(survivor, newContact()))
        for (const made of merges) yield* merge(made)
        yield* merge(newMerge(newContact(), newContact()))
        const [first, second, third, fourth] = idsOf(merges)
        if (third !== undefined) yield* unmerge(third)
        const into = (limit: number) =>
          Effect.map(history.mergesInto(survivor.id, limit), (found) => found.map(({ id }) => id))
        assert.deepStrictEqual(yield* into(10), [fourth, second, first])
        assert.deepStrictEqual(yield* into(2), [fourth, second])
      }).pipe(inNewOrganization)
    )

    it.effect("transfers the history of the merged contact to the survivor, and returns exactly that", () =>
      Effect.gen(function* () {
        const history = yield* ContactHistory
        const [survivor, merged, bystander] = [yield* givenContact(), yield* givenContact(), yield* givenContact()]
        const [theirs, own] = [yield* givenHistory(merged), yield* givenHistory(survivor)]
        const [, theirChange] = theirs
        const aside = yield* givenHistory(bystander)
        const made = newMerge(survivor, merged)
        yield* merge(made)
        const since = yield* givenHistory(survivor)
        assert.deepStrictEqual<ReadonlyArray<string>>(yield* timeline(survivor), [...since, ...own, ...theirs])
        assert.deepStrictEqual(
          (yield* history.consents(survivor.id, all)).map(({ contactId }) => contactId),
          [survivor.id, survivor.id, survivor.id]
        )
        assert.deepStrictEqual([yield* timeline(merged), yield* consents(merged)], [[], []])
        yield* unmerge(made.id)
        assert.deepStrictEqual<ReadonlyArray<string>>(yield* timeline(survivor), [...since, ...own])
        assert.deepStrictEqual<ReadonlyArray<string>>(yield* timeline(merged), theirs)
        assert.deepStrictEqual(yield* consents(merged), [theirChange])
        assert.deepStrictEqual(
          (yield* history.consents(merged.id, all)).map(({ contactId }) => contactId),
          [merged.id]
        )
        assert.deepStrictEqual<ReadonlyArray<string>>(yield* timeline(bystander), aside)
        const again = newMerge(survivor, merged)
        yield* merge(again)
        assert.deepStrictEqual<ReadonlyArray<string>>(yield* timeline(survivor), [...since, ...own, ...theirs])
        yield* unmerge(again.id)
        assert.deepStrictEqual<ReadonlyArray<string>>(yield* timeline(merged), theirs)
      }).pipe(inNewOrganization)
    )

    it.effect("returns transferred history merge by merge", () =>
      Effect.gen(function* () {
        const [first, second, third, fourth] = [
          yield* givenContact(),
          yield* givenContact(),
          yield* givenContact(),
          yield* givenContact()
        ]
        const [ofFirst, ofSecond, ofThird, ofFourth] = [
          yield* givenHistory(first),
          yield* givenHistory(second),
          yield* givenHistory(third),
          yield* givenHistory(fourth)
        ]
        const [one, two, three] = [newMerge(second, first), newMerge(third, second), newMerge(third, fourth)]
        yield* merge(one)
        yield* merge(two)
        yield* merge(three)
        assert.deepStrictEqual<ReadonlyArray<string>>(yield* timeline(third), [
          ...ofFourth,
          ...ofThird,
          ...ofSecond,
          ...ofFirst
        ])
        yield* unmerge(two.id)
        assert.deepStrictEqual<ReadonlyArray<string>>(yield* timeline(third), [...ofFourth, ...ofThird])
        assert.deepStrictEqual<ReadonlyArray<string>>(yield* timeline(second), [...ofSecond, ...ofFirst])
        yield* unmerge(one.id)
        assert.deepStrictEqual<ReadonlyArray<string>>(yield* timeline(second), ofSecond)
        assert.deepStrictEqual<ReadonlyArray<string>>(yield* timeline(first), ofFirst)
        yield* unmerge(three.id)
        assert.deepStrictEqual<ReadonlyArray<string>>(yield* timeline(third), ofThird)
        assert.deepStrictEqual<ReadonlyArray<string>>(yield* timeline(fourth), ofFourth)
      }).pipe(inNewOrganization)
    )

    it.effect("returns the survivor of a merged contact while the merge stands", () =>
      Effect.gen(function* () {
        const history = yield* ContactHistory
        const [survivor, merged] = [yield* givenContact(), yield* givenContact()]
        const survivors = Effect.forEach([survivor.id, merged.id, freshId(ContactId)], history.survivorOf)
        assert.deepStrictEqual(yield* survivors, [null, null, null])
        const made = newMerge(survivor, merged)
        yield* merge(made)
        assert.deepStrictEqual(yield* survivors, [null, { id: survivor.id, mergeId: made.id }, null])
        yield* unmerge(made.id)
        assert.deepStrictEqual(yield* survivors, [null, null, null])
      }).pipe(inNewOrganization)
    )

    it.effect("lists contacts that were merged into contacts, over all standing merges", () =>
      Effect.gen(function* () {
        const history = yield* ContactHistory
        const [whole, part, partOfPart, undone] = [
          yield* givenContact(),
          yield* givenContact(),
          yield* givenContact(),
          yield* givenContact()
        ]
        yield* merge(newMerge(part, partOfPart))
        yield* merge(newMerge(whole, part))
        const taken = newMerge(whole, undone)
        yield* merge(taken)
        yield* unmerge(taken.id)
        assert.sameMembers([...(yield* history.partsOf([whole.id, undone.id]))], [part.id, partOfPart.id])
        assert.deepStrictEqual(yield* history.partsOf([part.id]), [partOfPart.id])
        assert.deepStrictEqual(yield* history.partsOf([partOfPart.id, freshId(ContactId)]), [])
        assert.deepStrictEqual(yield* history.partsOf([]), [])
      }).pipe(inNewOrganization)
    )

    it.effect("updates the state of the survivor before a merge, and nothing else", () =>
      Effect.gen(function* () {
        const history = yield* ContactHistory
        const [survivor, merged] = [yield* givenContact(), yield* givenContact()]
        const [made, other] = [newMerge(survivor, merged), newMerge(survivor, newContact())]
        yield* merge(made)
        yield* merge(other)
        const before = new Contact({ ...made.before, name: "Grace Hopper", identities: [] })
        yield* transact(history.rebase(made.id, before))
        yield* transact(history.rebase(freshId(ContactMergeId), before))
        assert.deepStrictEqual(yield* history.getMerge(made.id), new ContactMerge({ ...made, before }))
        assert.deepStrictEqual(yield* history.getMerge(other.id), other)
      }).pipe(inNewOrganization)
    )
  }
}

/** Checks an adapter against the contract of merges in the history of contacts. */
export const contactMergesContract = runContract(contactMerges)
