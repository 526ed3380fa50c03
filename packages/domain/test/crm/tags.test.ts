import { assert, describe, it, layer } from "@effect/vitest"
import { getJob, type Job, type Organization, runDueJobs } from "@parley/domain/platform"
import {
  Contacts,
  createTag,
  deleteTag,
  getContact,
  getTag,
  listTags,
  mergeTags,
  tagContact,
  TagId,
  Tags,
  untagContact,
  updateTag
} from "@parley/domain/crm"
import { layerJobKinds, type Ports } from "@parley/domain/composition"
import { asOperatorOf, givenContact, givenOrganization, givenTag, TestKit } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { tagOf } from "../tagOf.ts"
import { givenMany } from "./givenMany.ts"
import { traced } from "./traces.ts"

const nobodys = TagId.make("01990000-0000-7000-8000-00000000dead")

const firstPage = { limit: 100, cursor: null }

const faultOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => ("pointer" in error ? [error._tag, error.pointer] : [error._tag]))

layer(TestKit.layer)("tags", (it) => {
  it.effect("have a unique name regardless of case, and a color", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const { answer, audit, events } = yield* traced(organization, createTag({ name: "Größe" })).pipe(inside)
      const { color, contactCount, id, name, version } = answer
      assert.deepStrictEqual([name, color, contactCount, version], ["Größe", "#8b949e", 0, 1])
      assert.deepStrictEqual(events, [{ type: "tag.created", tagId: id }])
      assert.deepStrictEqual(audit, [{ action: "tag.created", target: id, before: null, after: { name, color } }])
      for (const name of ["Größe", "GRÖßE", "gro\u0308ße"]) {
        const error = yield* Effect.flip(createTag({ name })).pipe(inside)
        assert.deepStrictEqual([error._tag, "id" in error ? error.id : null], ["NameTaken", id])
      }
      const other = yield* createTag({ name: "VIP", color: "#000000" }).pipe(inside)
      assert.strictEqual(
        yield* tagOf(updateTag({ id: other.id, name: "größe", ifVersion: null })).pipe(inside),
        "NameTaken"
      )
      assert.strictEqual((yield* updateTag({ id, name: "größe", ifVersion: null }).pipe(inside)).name, "größe")
      const elsewhere = asOperatorOf(yield* givenOrganization())
      assert.strictEqual(yield* tagOf(createTag({ name: "VIP" })).pipe(elsewhere), "ok")
    })
  )

  it.effect("change at the expected version, and leave no trace where nothing changes", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const tag = yield* createTag({ name: "VIP", color: "#000000" }).pipe(inside)
      yield* TestClock.adjust("1 minute")
      const changed = yield* traced(organization, updateTag({ id: tag.id, color: "#ffffff", ifVersion: 1 })).pipe(
        inside
      )
      assert.deepStrictEqual(
        [changed.answer.name, changed.answer.color, changed.answer.version, changed.answer.updatedAt],
        ["VIP", "#ffffff", 2, yield* DateTime.now]
      )
      assert.deepStrictEqual(changed.audit, [
        { action: "tag.updated", target: tag.id, before: { color: "#000000" }, after: { color: "#ffffff" } }
      ])
      assert.deepStrictEqual(changed.events, [{ type: "tag.updated", tagId: tag.id }])
      for (const patch of [{}, { name: "VIP" }, { name: "VIP", color: "#ffffff" }]) {
        const { answer, audit, events } = yield* traced(
          organization,
          updateTag({ id: tag.id, ...patch, ifVersion: null })
        ).pipe(inside)
        assert.deepStrictEqual([answer, audit, events], [changed.answer, [], []])
      }
      const stale = yield* Effect.forEach(
        [updateTag({ id: tag.id, ifVersion: 1 }), deleteTag({ id: tag.id, ifVersion: 1 })],
        tagOf
      ).pipe(inside)
      assert.deepStrictEqual(stale, ["VersionConflict", "VersionConflict"])
      const elsewhere = asOperatorOf(yield* givenOrganization())
      const reached = yield* Effect.forEach(
        [
          getTag({ id: tag.id }),
          updateTag({ id: tag.id, name: "X", ifVersion: null }),
          deleteTag({ id: tag.id, ifVersion: null })
        ],
        (call) => tagOf<unknown, { readonly _tag: string }, Effect.Services<typeof call>>(call)
      ).pipe(elsewhere)
      assert.deepStrictEqual(reached, ["NotFound", "NotFound", "NotFound"])
    })
  )

  it.effect("are counted, and gone from every contact once they are deleted", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const [one, two] = [yield* givenTag(organization), yield* givenTag(organization)]
      const contact = yield* givenContact(organization, { tags: [one.id, two.id].toSorted() })
      yield* givenContact(organization, { tags: [one.id] })
      const counts = Effect.map(listTags({ page: firstPage }).pipe(inside), ({ data }) =>
        data.map(({ contactCount, id }) => [id, contactCount])
      )
      assert.deepStrictEqual(yield* counts, [
        [one.id, 2],
        [two.id, 1]
      ])
      const { audit, events } = yield* traced(organization, deleteTag({ id: one.id, ifVersion: 1 })).pipe(inside)
      assert.deepStrictEqual(events, [{ type: "tag.deleted", tagId: one.id }])
      assert.deepStrictEqual(audit, [
        { action: "tag.deleted", target: one.id, before: { name: one.name, color: one.color }, after: null }
      ])
      assert.deepStrictEqual(yield* counts, [[two.id, 1]])
      assert.deepStrictEqual((yield* getContact({ id: contact.id }).pipe(inside)).tags, [two.id])
      assert.strictEqual(yield* tagOf(getTag({ id: one.id })).pipe(inside), "NotFound")
    })
  )

  it.effect("are listed by name prefix, page by page", () =>
    Effect.gen(function* () {
      const inside = asOperatorOf(yield* givenOrganization())
      for (const name of ["vip", "Lead", "late", "Äpfel", "LEADER"]) yield* createTag({ name }).pipe(inside)
      const list = (beginning: string, limit: number, cursor: string | null) =>
        listTags({ q: beginning, page: { limit, cursor } }).pipe(inside)
      const named = (tags: ReadonlyArray<{ readonly name: string }>) => tags.map(({ name }) => name)
      const one = yield* list("", 2, null)
      const two = yield* list("", 4, one.nextCursor)
      assert.deepStrictEqual(named([...one.data, ...two.data]), ["late", "Lead", "LEADER", "vip", "Äpfel"])
      assert.isNull(two.nextCursor)
      assert.deepStrictEqual(named((yield* list("LEAD", 9, null)).data), ["Lead", "LEADER"])
      assert.deepStrictEqual(named((yield* list("%", 9, null)).data), [])
    })
  )

  it.effect("are added and removed once each, with one event", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const [one, two] = [yield* givenTag(organization), yield* givenTag(organization)]
      const { id } = yield* givenContact(organization, { tags: [one.id] })
      yield* TestClock.adjust("1 minute")
      const put = yield* traced(organization, tagContact({ id, tags: [two.id, one.id] })).pipe(inside)
      assert.deepStrictEqual(
        [put.answer.tags, put.answer.version, put.answer.updatedAt],
        [[one.id, two.id].toSorted(), 2, yield* DateTime.now]
      )
      assert.deepStrictEqual(put.events, [{ type: "contact.tagged", contactId: id, tagIds: [two.id] }])
      assert.deepStrictEqual(put.audit, [
        { action: "contact.tagged", target: id, before: null, after: { tags: [two.id] } }
      ])
      const again = yield* traced(organization, tagContact({ id, tags: [one.id, two.id] })).pipe(inside)
      assert.deepStrictEqual([again.answer, again.events, again.audit], [put.answer, [], []])
      const taken = yield* traced(organization, untagContact({ id, tag: [one.id] })).pipe(inside)
      assert.deepStrictEqual([taken.answer.tags, taken.answer.version], [[two.id], 3])
      assert.deepStrictEqual(taken.events, [{ type: "contact.untagged", contactId: id, tagIds: [one.id] }])
      assert.deepStrictEqual(taken.audit, [
        { action: "contact.untagged", target: id, before: { tags: [one.id] }, after: null }
      ])
      const nothing = yield* traced(organization, untagContact({ id, tag: [one.id] })).pipe(inside)
      assert.deepStrictEqual([nothing.answer, nothing.events, nothing.audit], [taken.answer, [], []])
    })
  )

  it.effect("of other organizations and unknown ones are refused, and so are such contacts", () =>
    Effect.gen(function* () {
      const [organization, other] = [yield* givenOrganization(), yield* givenOrganization()]
      const inside = asOperatorOf(organization)
      const [mine, foreign] = [yield* givenTag(organization), yield* givenTag(other)]
      const contact = yield* givenContact(organization)
      for (const [call, field] of [
        [tagContact, "tags"],
        [(input: Parameters<typeof tagContact>[0]) => untagContact({ id: input.id, tag: input.tags }), "tag"]
      ] as const) {
        for (const id of [nobodys, foreign.id]) {
          const refused = yield* traced(organization, faultOf(call({ id: contact.id, tags: [mine.id, id] }))).pipe(
            inside
          )
          assert.deepStrictEqual([refused.answer, refused.events], [["NotFound", `/${field}/1`], []])
        }
        const stranger = yield* givenContact(other)
        assert.strictEqual(yield* tagOf(call({ id: stranger.id, tags: [mine.id] })).pipe(inside), "NotFound")
      }
      assert.deepStrictEqual((yield* getContact({ id: contact.id }).pipe(inside)).tags, [])
    })
  )
})

/** Each has a separate store, because workers serve all organizations. */
const test = <A, E>(name: string, body: () => Effect.Effect<A, E, Ports>) =>
  it.effect(name, () => Effect.provide(Effect.suspend(body), TestKit.layer, { local: true }))

const work = Effect.provide(runDueJobs, layerJobKinds)

const read = (organization: Organization, { id }: Pick<Job, "id">) => getJob({ id }).pipe(asOperatorOf(organization))

describe("a merge of tags", () => {
  test("has one become the other on every contact, and removes it", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "growth" })
      const inside = asOperatorOf(organization)
      const [from, into, third] = [
        yield* givenTag(organization),
        yield* givenTag(organization),
        yield* givenTag(organization)
      ]
      const tagged = yield* Effect.forEach(
        [[from.id], [into.id], [from.id, into.id].toSorted(), [third.id], [from.id, third.id].toSorted()],
        (tags) => givenContact(organization, { tags })
      )
      const asked = yield* traced(organization, mergeTags({ id: from.id, into: into.id })).pipe(inside)
      const job = asked.answer
      assert.deepStrictEqual(job.progress, { done: 0, total: 3 })
      assert.deepStrictEqual(asked.audit, [
        { action: "tag.merged", target: from.id, before: { name: from.name }, after: { name: into.name } }
      ])
      const { events } = yield* traced(organization, work)
      assert.deepStrictEqual(events, [
        { type: "tag.merged", tagId: from.id, into: into.id },
        { type: "job.finished", jobId: job.id, kind: "tags.merge", state: "succeeded" }
      ])
      assert.deepStrictEqual((yield* read(organization, job)).counts, { moved: 3 })
      const after = yield* Effect.forEach(tagged, ({ id }) => Effect.map(getContact({ id }), ({ tags }) => tags)).pipe(
        inside
      )
      assert.deepStrictEqual(after, [[into.id], [into.id], [into.id], [third.id], [into.id, third.id].toSorted()])
      assert.strictEqual(yield* tagOf(getTag({ id: from.id })).pipe(inside), "NotFound")
      assert.strictEqual((yield* getTag({ id: into.id }).pipe(inside)).contactCount, 4)
    }))

  test("moves each once, although a node dies in a step", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "growth" })
      const inside = asOperatorOf(organization)
      const [from, into] = [yield* givenTag(organization), yield* givenTag(organization)]
      const tagged = yield* givenMany(organization, 1_020, { tags: [from.id] })
      const job = yield* mergeTags({ id: from.id, into: into.id }).pipe(inside)
      const real = yield* Tags
      let calls = 0
      const dying = Tags.of({
        ...real,
        move: (...args) =>
          Effect.tap(real.move(...args), () =>
            ++calls === 2 ? Effect.die(new Error("connect ECONNREFUSED")) : Effect.void
          )
      })
      yield* work.pipe(Effect.provideService(Tags, dying))
      assert.deepStrictEqual((yield* read(organization, job)).counts, { moved: 1_000 })
      yield* TestClock.adjust("1 second")
      yield* work
      const { counts, state } = yield* read(organization, job)
      assert.deepStrictEqual([state, counts], ["succeeded", { moved: 1_020 }])
      const after = yield* Effect.flatMap(Contacts, (contacts) => contacts.find(tagged.map(({ id }) => id))).pipe(
        inside
      )
      assert.lengthOf(after, 1_020)
      for (const { tags, version } of after) assert.deepStrictEqual([tags, version], [[into.id], 2])
    }))

  test("needs two tags", () =>
    Effect.gen(function* () {
      const [organization, other] = [yield* givenOrganization(), yield* givenOrganization()]
      const inside = asOperatorOf(organization)
      const [tag, foreign] = [yield* givenTag(organization), yield* givenTag(other)]
      assert.deepStrictEqual(yield* faultOf(mergeTags({ id: tag.id, into: foreign.id })).pipe(inside), [
        "NotFound",
        "/into"
      ])
      assert.deepStrictEqual(yield* tagOf(mergeTags({ id: foreign.id, into: tag.id })).pipe(inside), "NotFound")
      const error = yield* Effect.flip(mergeTags({ id: tag.id, into: tag.id })).pipe(inside)
      assert.strictEqual(error._tag === "ValidationFailed" ? error.errors[0]?.pointer : error._tag, "/into")
    }))

  test("fails without changes when the other tag is deleted before the start", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const [from, into] = [yield* givenTag(organization), yield* givenTag(organization)]
      const contact = yield* givenContact(organization, { tags: [from.id] })
      const job = yield* mergeTags({ id: from.id, into: into.id }).pipe(inside)
      yield* deleteTag({ id: into.id, ifVersion: null }).pipe(inside)
      yield* work
      const { error, state } = yield* read(organization, job)
      assert.deepStrictEqual([state, error], ["failed", "The tag to merge into was deleted."])
      assert.deepStrictEqual((yield* getContact({ id: contact.id }).pipe(inside)).tags, [from.id])
    }))

  test("in both directions concurrently leaves only one tag", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const [one, two] = [yield* givenTag(organization), yield* givenTag(organization)]
      const contact = yield* givenContact(organization, { tags: [one.id, two.id].toSorted() })
      yield* Effect.all([mergeTags({ id: one.id, into: two.id }), mergeTags({ id: two.id, into: one.id })]).pipe(inside)
      yield* work
      assert.deepStrictEqual((yield* getContact({ id: contact.id }).pipe(inside)).tags, [two.id])
    }))
})
