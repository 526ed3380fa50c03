import { assert } from "@effect/vitest"
import { transact, Uuid } from "@parley/domain/kernel"
import {
  ConsentChange,
  ConsentChangeId,
  Contact,
  ContactHistory,
  ContactId,
  ContactMerge,
  ContactMergeId,
  type HistoryEntry,
  type TimelineNote
} from "@parley/domain/crm"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, givenOrganization, inside, plain } from "../given.ts"
import {
  all,
  evening,
  givenContact,
  givenTag,
  identity,
  idsOf,
  inNewOrganization,
  morning,
  newContact
} from "./given.ts"

const actor = { kind: "operator", id: "Ada “L.” \\ 100 %" } as const

const newChange = (contactId: ContactId, overrides: Partial<ConsentChange> = {}) =>
  new ConsentChange({
    id: freshId(ConsentChangeId),
    contactId,
    purpose: "marketing",
    state: "subscribed",
    source: "form “%_\\” 🥐",
    evidence: "line 1\nline 2 'x' שלום",
    actor,
    at: morning,
    ...overrides
  })

const newNote = (kind: "blocked" | "unblocked" = "blocked"): TimelineNote => ({
  kind,
  id: freshId(Uuid),
  at: morning,
  actor
})

const newMerge = (survivor: Contact, merged: Contact) =>
  new ContactMerge({
    id: freshId(ContactMergeId),
    survivorId: survivor.id,
    before: survivor,
    merged,
    actor,
    at: morning,
    undoneAt: null
  })

const append = (...changes: ReadonlyArray<ConsentChange>) =>
  Effect.flatMap(ContactHistory, (history) => transact(history.appendConsent(changes)))

const note = (contactId: ContactId, entry: TimelineNote) =>
  Effect.flatMap(ContactHistory, (history) => transact(history.note(contactId, entry)))

const merge = (entry: ContactMerge) => Effect.flatMap(ContactHistory, (history) => transact(history.merge(entry)))

const unmerge = (id: ContactMergeId) =>
  Effect.flatMap(ContactHistory, (history) => transact(history.unmerge(id, evening)))

const erase = (id: ContactId) => Effect.flatMap(ContactHistory, (history) => transact(history.erase(id)))

/** Something that happened with the contact: a change of consent and a note. */
const givenHistory = Effect.fnUntraced(function* ({ id }: Pick<Contact, "id">) {
  const [change, entry] = [newChange(id, { runId: freshId(Uuid) }), newNote()]
  yield* append(change)
  yield* note(id, entry)
  return [entry.id, change.id] as const
})

const timeline = ({ id }: Pick<Contact, "id">) =>
  Effect.flatMap(ContactHistory, (history) =>
    Effect.map(history.timeline(id, all), (entries) => entries.map((entry) => entry.id))
  )

const keyOf = ({ at, id }: HistoryEntry) => [DateTime.formatIso(at), id]

const consents = ({ id }: Pick<Contact, "id">) =>
  Effect.flatMap(ContactHistory, (history) =>
    Effect.map(history.consents(id, all), (changes): ReadonlyArray<string> => idsOf(changes))
  )

const asEntry = ({ actor, at, evidence, id, purpose, runId, source, state }: ConsentChange): HistoryEntry => ({
  kind: "consent",
  id,
  at,
  actor,
  purpose,
  state,
  source,
  evidence,
  ...(runId !== undefined && { runId })
})

export const contactHistory: StorageContract = {
  port: "ContactHistory",
  promises: (it) => {
    it.effect("keeps one tenant's history out of another's sight and reach", () =>
      Effect.gen(function* () {
        const history = yield* ContactHistory
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const given = yield* Effect.gen(function* () {
          const [survivor, merged] = [yield* givenContact(), newContact()]
          const entries = [...(yield* givenHistory(merged)), ...(yield* givenHistory(survivor))]
          const made = newMerge(survivor, merged)
          yield* merge(made)
          return { survivor, merged, made, entries }
        }).pipe(inside(one))
        const { made, merged, survivor } = given
        yield* Effect.gen(function* () {
          assert.lengthOf(yield* timeline(survivor), 0)
          assert.lengthOf(yield* consents(survivor), 0)
          assert.lengthOf(yield* history.mergesInto(survivor.id, 10), 0)
          assert.strictEqual((yield* Effect.flip(history.getMerge(made.id)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(unmerge(made.id)))._tag, "NotFound")
          yield* erase(survivor.id)
          yield* merge(newMerge(newContact(), survivor))
        }).pipe(inside(other))
        yield* Effect.gen(function* () {
          assert.lengthOf(yield* timeline(survivor), 4)
          assert.lengthOf(yield* timeline(merged), 0)
          assert.deepStrictEqual((yield* history.mergesInto(survivor.id, 10)).map(plain.contactMerge), [
            plain.contactMerge(made)
          ])
        }).pipe(inside(one))
      })
    )

    it.effect("a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        const history = yield* ContactHistory
        const [survivor, merged] = [yield* givenContact(), yield* givenContact()]
        const before = yield* givenHistory(survivor)
        const theirs = yield* givenHistory(merged)
        const made = newMerge(survivor, merged)
        yield* history
          .appendConsent([newChange(survivor.id)])
          .pipe(
            Effect.andThen(history.note(survivor.id, newNote())),
            Effect.andThen(history.merge(made)),
            Effect.andThen(Effect.fail("refused")),
            transact,
            Effect.flip
          )
        yield* history.erase(survivor.id).pipe(Effect.andThen(Effect.fail("refused")), transact, Effect.flip)
        assert.deepStrictEqual<ReadonlyArray<string>>(yield* timeline(survivor), before)
        assert.deepStrictEqual<ReadonlyArray<string>>(yield* timeline(merged), theirs)
        assert.strictEqual((yield* Effect.flip(history.getMerge(made.id)))._tag, "NotFound")
      }).pipe(inNewOrganization)
    )

    it.effect("keeps the ledger of consent as it was written, the newest first, page after page", () =>
      Effect.gen(function* () {
        const history = yield* ContactHistory
        const { id } = yield* givenContact()
        const changes = [
          newChange(id),
          newChange(id, { state: "unsubscribed", evidence: null, source: "api", at: evening }),
          newChange(id, { state: "unknown", evidence: "", actor: { kind: "user", id: "x" } })
        ]
        yield* append(...changes.slice(0, 2))
        yield* append(...changes.slice(2))
        yield* append()
        yield* append(newChange(newContact().id))
        const newestFirst = changes.toReversed()
        const read = (slice: Parameters<typeof history.consents>[1]) =>
          Effect.map(history.consents(id, slice), (found) => found.map(plain.consentChange))
        assert.deepStrictEqual(yield* read(all), newestFirst.map(plain.consentChange))
        const [, second, third] = newestFirst
        if (second === undefined || third === undefined) return
        assert.deepStrictEqual(yield* read({ limit: 1, after: null }), newestFirst.slice(0, 1).map(plain.consentChange))
        assert.deepStrictEqual(yield* read({ limit: 5, after: [second.id] }), [plain.consentChange(third)])
      }).pipe(inNewOrganization)
    )

    it.effect("lists consent and notes in one timeline, newest first, page by page", () =>
      Effect.gen(function* () {
        const history = yield* ContactHistory
        const contact = yield* givenContact()
        const { id } = contact
        const happened: Array<HistoryEntry> = []
        for (let turn = 0; turn < 3; turn++) {
          const change = newChange(id, { evidence: turn === 0 ? null : `turn ${turn}` })
          const notes: ReadonlyArray<TimelineNote> = [
            newNote(),
            { ...newNote(), kind: "merged", contactId: freshId(ContactId), mergeId: freshId(ContactMergeId) },
            { ...newNote(), kind: "unmerged", contactId: freshId(ContactId), mergeId: freshId(ContactMergeId) },
            newNote("unblocked")
          ]
          yield* append(change)
          for (const entry of notes) yield* note(id, entry)
          happened.push(asEntry(change), ...notes)
        }
        const newestFirst = happened.toReversed()
        assert.deepStrictEqual(yield* history.timeline(id, all), newestFirst)
        const paged: Array<string> = []
        let page = yield* history.timeline(id, { limit: 4, after: null })
        while (page.length > 0 && paged.length < 50) {
          paged.push(...idsOf(page))
          page = yield* history.timeline(id, { limit: 4, after: page.slice(-1).flatMap(keyOf) })
        }
        assert.deepStrictEqual(
          paged,
          newestFirst.map((entry) => entry.id)
        )
      }).pipe(inNewOrganization)
    )

    it.effect("tells what happened by when it did, whenever it was written down", () =>
      Effect.gen(function* () {
        const history = yield* ContactHistory
        const { id } = yield* givenContact()
        const latest = newChange(id, { at: evening })
        const [first, last] = [newNote(), { ...newNote("unblocked"), at: evening }]
        yield* append(latest)
        yield* note(id, first)
        yield* note(id, last)
        const late = newChange(id)
        yield* append(late)
        const entries = [last, asEntry(latest), asEntry(late), first]
        assert.deepStrictEqual(yield* history.timeline(id, all), entries)
        for (const [place, entry] of entries.entries()) {
          assert.deepStrictEqual(
            yield* history.timeline(id, { limit: 9, after: keyOf(entry) }),
            entries.slice(place + 1)
          )
        }
        assert.deepStrictEqual<ReadonlyArray<string>>(yield* consents({ id }), [late.id, latest.id])
      }).pipe(inNewOrganization)
    )

    it.effect("keeps a merge as it was", () =>
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

    it.effect("says which merges stand, the newest first", () =>
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

    it.effect("hands all that happened with the merged contact to the survivor, and hands exactly that back", () =>
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

    it.effect("hands back merge by merge what was handed on more than once", () =>
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

    it.effect("says whom a contact has become a part of, while it is", () =>
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

    it.effect("erases a contact with its merged contacts, and nothing of others", () =>
      Effect.gen(function* () {
        const history = yield* ContactHistory
        const [first, second, third, other] = [
          yield* givenContact(),
          yield* givenContact(),
          yield* givenContact(),
          yield* givenContact()
        ]
        for (const contact of [first, second, third]) yield* givenHistory(contact)
        const kept = yield* givenHistory(other)
        const apart = newContact()
        const [one, two, undone, others] = [
          newMerge(second, first),
          newMerge(third, second),
          newMerge(third, apart),
          newMerge(other, newContact())
        ]
        for (const made of [one, two, undone, others]) yield* merge(made)
        yield* unmerge(undone.id)
        yield* givenHistory(apart)
        yield* erase(third.id)
        for (const contact of [first, second, third])
          assert.deepStrictEqual<ReadonlyArray<string>>(yield* timeline(contact), [])
        for (const { id } of [one, two, undone])
          assert.strictEqual((yield* Effect.flip(history.getMerge(id)))._tag, "NotFound")
        assert.deepStrictEqual<ReadonlyArray<string>>(yield* timeline(other), kept)
        assert.lengthOf(yield* timeline(apart), 2)
        assert.strictEqual((yield* history.getMerge(others.id)).id, others.id)
        yield* erase(freshId(ContactId))
      }).pipe(inNewOrganization)
    )
  }
}

export const contactHistoryContract = runContract(contactHistory)
