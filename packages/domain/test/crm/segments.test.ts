import { assert, layer } from "@effect/vitest"
import {
  createSegment,
  deleteSegment,
  deleteTag,
  type FilterInput,
  getSegment,
  listContacts,
  listSegments,
  SegmentId,
  Segments,
  updateSegment
} from "@parley/domain/crm"
import { asOperatorOf, givenContact, givenOrganization, givenTag, type Of, TestKit } from "@parley/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { tagOf } from "../tagOf.ts"
import { traced } from "./traces.ts"

const nobodys = SegmentId.make("01990000-0000-7000-8000-00000000dead")

const within = (value: SegmentId): FilterInput => ({ field: "segment", op: "in", value })

const named = (value: string) => ({ field: "name", op: "is", value }) satisfies FilterInput

const faultOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) =>
    "errors" in error && Array.isArray(error.errors)
      ? error.errors.map((fault: { readonly pointer: string }) => fault.pointer)
      : "pointer" in error
        ? [error._tag, error.pointer]
        : [error._tag]
  )

const givenSegment = (organization: Of, name: string, filter: FilterInput = {}) =>
  createSegment({ name, filter }).pipe(asOperatorOf(organization), Effect.orDie)

layer(TestKit.layer)("segments", (it) => {
  it.effect("have a name that no other has, and a filter that can be read", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const { answer, audit, events } = yield* traced(
        organization,
        createSegment({ name: "Friends", filter: named("Ada") })
      ).pipe(inside)
      assert.deepStrictEqual([answer.name, answer.filter, answer.version], ["Friends", named("Ada"), 1])
      assert.deepStrictEqual(events, [{ type: "segment.created", segmentId: answer.id }])
      assert.deepStrictEqual(
        audit.map(({ action, target }) => [action, target]),
        [["segment.created", answer.id]]
      )
      assert.deepStrictEqual(yield* getSegment({ id: answer.id }).pipe(inside), answer)
      const foreign = yield* givenTag(yield* givenOrganization())
      const refusals = yield* Effect.forEach(
        [
          createSegment({ name: "FRIENDS", filter: {} }),
          createSegment({
            name: "X",
            filter: { all: [{ field: "shoe size", op: "is", value: 5 }, { field: "name" }] }
          }),
          createSegment({ name: "X", filter: { not: within(nobodys) } }),
          createSegment({ name: "X", filter: { field: "tag", op: "any_of", value: [foreign.id] } })
        ],
        (call) => faultOf(call)
      ).pipe(inside)
      assert.deepStrictEqual(refusals, [
        ["NameTaken"],
        ["/filter/all/0/field", "/filter/all/1/op"],
        ["NotFound", "/filter/not/value"],
        ["NotFound", "/filter/value/0"]
      ])
    })
  )

  it.effect("change at the expected version, and leave no trace where nothing changes", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const before = yield* givenSegment(organization, "Friends", named("Ada"))
      yield* TestClock.adjust("1 minute")
      const { answer, audit, events } = yield* traced(
        organization,
        updateSegment({ id: before.id, filter: named("Grace"), ifVersion: 1 })
      ).pipe(inside)
      assert.deepStrictEqual([answer.name, answer.filter, answer.version], ["Friends", named("Grace"), 2])
      assert.deepStrictEqual(events, [{ type: "segment.updated", segmentId: before.id }])
      assert.deepStrictEqual(audit, [
        {
          action: "segment.updated",
          target: before.id,
          before: { filter: { ...named("Ada") } },
          after: { filter: { ...named("Grace") } }
        }
      ])
      for (const patch of [{}, { name: "Friends" }, { name: "Friends", filter: named("Grace") }]) {
        const same = yield* traced(organization, updateSegment({ id: before.id, ...patch, ifVersion: null })).pipe(
          inside
        )
        assert.deepStrictEqual([same.answer, same.audit, same.events], [answer, [], []])
      }
      assert.strictEqual(yield* tagOf(updateSegment({ id: before.id, ifVersion: 1 })).pipe(inside), "VersionConflict")
      assert.strictEqual(yield* tagOf(deleteSegment({ id: before.id, ifVersion: 1 })).pipe(inside), "VersionConflict")
      assert.strictEqual(yield* tagOf(updateSegment({ id: nobodys, ifVersion: null })).pipe(inside), "NotFound")
      const elsewhere = asOperatorOf(yield* givenOrganization())
      assert.strictEqual(yield* tagOf(updateSegment({ id: before.id, ifVersion: null })).pipe(elsewhere), "NotFound")
      assert.strictEqual(yield* tagOf(deleteSegment({ id: before.id, ifVersion: null })).pipe(elsewhere), "NotFound")
    })
  )

  it.effect("may be made of others, whose changes they follow", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const [ada, grace] = [
        yield* givenContact(organization, { name: "Ada" }),
        yield* givenContact(organization, { name: "Grace" })
      ]
      const inner = yield* givenSegment(organization, "Inner", named("Ada"))
      const middle = yield* givenSegment(organization, "Middle", { not: within(inner.id) })
      const outer = yield* givenSegment(organization, "Outer", { any: [within(middle.id), named("nobody")] })
      const members = (segment: SegmentId) =>
        Effect.map(listContacts({ segment, page: { limit: 10, cursor: null } }), ({ data }) =>
          data.map(({ id }) => id)
        ).pipe(inside)
      assert.deepStrictEqual(yield* Effect.forEach([inner.id, middle.id, outer.id], members), [
        [ada.id],
        [grace.id],
        [grace.id]
      ])
      yield* updateSegment({ id: inner.id, filter: named("Grace"), ifVersion: null }).pipe(inside)
      assert.deepStrictEqual(yield* Effect.forEach([inner.id, middle.id, outer.id], members), [
        [grace.id],
        [ada.id],
        [ada.id]
      ])
    })
  )

  it.effect("cannot be made of themselves, however far away", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const inner = yield* givenSegment(organization, "Inner", named("Ada"))
      const middle = yield* givenSegment(organization, "Middle", { not: within(inner.id) })
      const outer = yield* givenSegment(organization, "Outer", { all: [within(middle.id)] })
      for (const { id } of [inner, middle, outer]) {
        const { answer, audit, events } = yield* traced(
          organization,
          faultOf(updateSegment({ id: inner.id, name: "X", filter: { any: [{}, within(id)] }, ifVersion: null }))
        ).pipe(inside)
        assert.deepStrictEqual([answer, audit, events], [["/filter/any/1/value"], [], []])
      }
      assert.deepStrictEqual(yield* getSegment({ id: inner.id }).pipe(inside), inner)
    })
  )

  it.effect("nest at most eight levels", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      let last = yield* givenSegment(organization, "0", named("Ada"))
      let levels = 1
      while (levels < 20) {
        const next = yield* Effect.option(
          createSegment({ name: String(levels), filter: within(last.id) }).pipe(asOperatorOf(organization))
        )
        if (next._tag === "None") break
        last = next.value
        levels += 1
      }
      assert.strictEqual(levels, 8)
    })
  )

  it.effect("cannot be deleted while others are made of them", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const inner = yield* givenSegment(organization, "Inner")
      const outer = yield* givenSegment(organization, "Outer", { not: { any: [within(inner.id)] } })
      const refused = yield* traced(organization, Effect.flip(deleteSegment({ id: inner.id, ifVersion: null }))).pipe(
        inside
      )
      assert.deepStrictEqual(refused.answer._tag === "SegmentInUse" ? refused.answer.segmentIds : refused.answer._tag, [
        outer.id
      ])
      assert.deepStrictEqual([refused.audit, refused.events], [[], []])
      const { audit, events } = yield* traced(organization, deleteSegment({ id: outer.id, ifVersion: 1 })).pipe(inside)
      assert.deepStrictEqual(events, [{ type: "segment.deleted", segmentId: outer.id }])
      assert.deepStrictEqual(audit, [
        { action: "segment.deleted", target: outer.id, before: { name: "Outer" }, after: null }
      ])
      assert.strictEqual(yield* tagOf(deleteSegment({ id: inner.id, ifVersion: null })).pipe(inside), "ok")
      assert.strictEqual(yield* tagOf(getSegment({ id: inner.id })).pipe(inside), "NotFound")
    })
  )

  it.effect("cannot be deleted while another one is being made of them", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const inner = yield* givenSegment(organization, "Inner")
      const real = yield* Segments
      const slow = Segments.of({ ...real, find: (ids) => Effect.tap(real.find(ids), () => Effect.yieldNow) })
      const outcomes = yield* Effect.all(
        [
          tagOf(createSegment({ name: "Outer", filter: within(inner.id) })),
          tagOf(deleteSegment({ id: inner.id, ifVersion: null }))
        ],
        { concurrency: "unbounded" }
      ).pipe(Effect.provideService(Segments, slow), inside)
      assert.deepStrictEqual(outcomes, ["ok", "SegmentInUse"])
    })
  )

  it.effect("outlive the tags they name and then match no contact", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const tag = yield* givenTag(organization)
      yield* givenContact(organization, { tags: [tag.id] })
      const { id } = yield* givenSegment(organization, "Tagged", { field: "tag", op: "any_of", value: [tag.id] })
      yield* deleteTag({ id: tag.id, ifVersion: null }).pipe(inside)
      assert.isEmpty((yield* listContacts({ segment: id, page: { limit: 10, cursor: null } }).pipe(inside)).data)
      assert.strictEqual((yield* updateSegment({ id, name: "Old", ifVersion: null }).pipe(inside)).name, "Old")
    })
  )

  it.effect("are listed by name, page after page", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      for (const name of ["b", "C", "a"]) yield* givenSegment(organization, name)
      const one = yield* listSegments({ page: { limit: 2, cursor: null } }).pipe(inside)
      const two = yield* listSegments({ page: { limit: 2, cursor: one.nextCursor } }).pipe(inside)
      assert.deepStrictEqual(
        [...one.data, ...two.data].map(({ name }) => name),
        ["a", "b", "C"]
      )
      assert.isNull(two.nextCursor)
    })
  )
})
