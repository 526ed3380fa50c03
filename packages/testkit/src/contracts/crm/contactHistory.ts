import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  type ConsentChange,
  ContactHistory,
  ContactId,
  ContactMergeId,
  type HistoryEntry,
  type TimelineNote
} from "@parley/domain/crm"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, givenOrganization, inside, plain } from "../given.ts"
import { all, evening, givenContact, idsOf, inNewOrganization, newContact } from "./given.ts"
import {
  newChange,
  newNote,
  newMerge,
  append,
  note,
  merge,
  unmerge,
  givenHistory,
  timeline,
  consents
} from "./givenHistory.ts"

const erase = (id: ContactId) => Effect.flatMap(ContactHistory, (history) => transact(history.erase(id)))

const keyOf = ({ at, id }: HistoryEntry) => [DateTime.formatIso(at), id]

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
    it.effect("hides the history of one tenant from another", () =>
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

    it.effect("stores the consent ledger unchanged, and lists it newest first, page by page", () =>
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

    it.effect("orders the timeline by event time, independent of the time of writing", () =>
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
