import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { type FilterInput, Segment, SegmentId, Segments } from "@parley/domain/crm"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, givenOrganization, inside, plain } from "../given.ts"
import { all, evening, givenSegment, idsOf, inNewOrganization, newSegment, sorted } from "./given.ts"

const insert = (segment: Segment) => Effect.flatMap(Segments, (segments) => transact(segments.insert(segment)))

const save = (segment: Segment, expected: number | null) =>
  Effect.flatMap(Segments, (segments) => transact(segments.save(segment, expected)))

const remove = (id: SegmentId, expected: number | null) =>
  Effect.flatMap(Segments, (segments) => transact(segments.remove(id, expected)))

const everySegment = Effect.flatMap(Segments, (segments) => segments.list(all))

const madeOf = (id: SegmentId): FilterInput => ({ field: "segment", op: "in", value: id })

export const segments: StorageContract = {
  port: "Segments",
  promises: (it) => {
    it.effect("keeps one tenant's segments out of another's sight and reach", () =>
      Effect.gen(function* () {
        const segments = yield* Segments
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const segment = yield* givenSegment({ name: "Friends" }).pipe(inside(one))
        const user = yield* givenSegment({ filter: madeOf(segment.id) }).pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(segments.get(segment.id)))._tag, "NotFound")
          assert.lengthOf(yield* segments.find([segment.id]), 0)
          assert.lengthOf(yield* everySegment, 0)
          assert.lengthOf(yield* segments.usersOf(segment.id), 0)
          for (const expected of [1, 2, null]) {
            assert.strictEqual((yield* Effect.flip(save(segment, expected)))._tag, "NotFound")
            assert.strictEqual((yield* Effect.flip(remove(segment.id, expected)))._tag, "NotFound")
          }
          yield* givenSegment({ name: "Friends" })
        }).pipe(inside(other))
        assert.deepStrictEqual(sorted(idsOf(yield* everySegment.pipe(inside(one)))), sorted([segment.id, user.id]))
        assert.deepStrictEqual(yield* segments.usersOf(segment.id).pipe(inside(one)), [user.id])
      })
    )

    it.effect("a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        const segments = yield* Segments
        const kept = yield* givenSegment()
        yield* segments
          .insert(newSegment({ filter: madeOf(kept.id) }))
          .pipe(
            Effect.andThen(segments.save(new Segment({ ...kept, name: "Renamed" }), 1)),
            Effect.andThen(segments.remove(kept.id, null)),
            Effect.andThen(Effect.fail("refused")),
            transact,
            Effect.flip
          )
        assert.deepStrictEqual((yield* everySegment).map(plain.segment), [plain.segment(kept)])
        assert.lengthOf(yield* segments.usersOf(kept.id), 0)
      }).pipe(inNewOrganization)
    )

    it.effect("keeps a filter as it was written", () =>
      Effect.gen(function* () {
        const segments = yield* Segments
        const filters: ReadonlyArray<FilterInput> = [
          {},
          { all: [] },
          { not: { any: [{ field: "attribute", key: "city", op: "any_of", value: ["Ünal “%_\\” 🥐", 'שלום "q"'] }] } },
          { field: "nonsense", op: "is", value: { deep: [null, true, 1.5, -0.1, 1e21, "x", { key: [] }] } },
          Array.from({ length: 30 }).reduce<FilterInput>((not) => ({ not }), {
            field: "blocked",
            op: "is",
            value: false
          })
        ]
        for (const filter of filters) {
          const segment = yield* givenSegment({ filter })
          assert.deepStrictEqual(plain.segment(yield* segments.get(segment.id)), plain.segment(segment))
          assert.deepStrictEqual((yield* segments.find([segment.id])).map(plain.segment), [plain.segment(segment)])
        }
      }).pipe(inNewOrganization)
    )

    it.effect("stores what changed, and raises the version by one", () =>
      Effect.gen(function* () {
        const segments = yield* Segments
        const segment = yield* givenSegment()
        const changed = new Segment({
          ...segment,
          name: "Others",
          filter: { field: "blocked", op: "is", value: true },
          updatedAt: evening
        })
        const expected = { ...plain.segment(changed), version: 2 }
        assert.deepStrictEqual(plain.segment(yield* save(changed, 1)), expected)
        assert.deepStrictEqual(plain.segment(yield* segments.get(segment.id)), expected)
        assert.strictEqual((yield* save(changed, null)).version, 3)
      }).pipe(inNewOrganization)
    )

    it.effect("refuses an outdated version and an unknown id", () =>
      Effect.gen(function* () {
        const segment = yield* givenSegment()
        yield* save(segment, 1)
        for (const expected of [1, 3]) {
          for (const refused of [save(segment, expected), remove(segment.id, expected)]) {
            const error = yield* Effect.flip(refused)
            assert.strictEqual(error._tag === "VersionConflict" ? error.current : error._tag, 2)
          }
          assert.strictEqual((yield* Effect.flip(save(newSegment(), expected)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(remove(freshId(SegmentId), expected)))._tag, "NotFound")
        }
        yield* remove(segment.id, 2)
        assert.strictEqual((yield* Effect.flip(remove(segment.id, null)))._tag, "NotFound")
      }).pipe(inNewOrganization)
    )

    it.effect("refuses a used name regardless of case", () =>
      Effect.gen(function* () {
        const [first, second] = [yield* givenSegment({ name: "Ünal" }), yield* givenSegment({ name: "other" })]
        for (const name of ["Ünal", "ÜNAL", "u\u0308nal"]) {
          for (const refused of [insert(newSegment({ name })), save(new Segment({ ...second, name }), 1)]) {
            const error = yield* Effect.flip(refused)
            assert.strictEqual(error._tag === "NameTaken" ? error.id : error._tag, first.id)
          }
        }
        assert.strictEqual((yield* save(new Segment({ ...first, name: "ÜNAL" }), 1)).name, "ÜNAL")
        yield* remove(first.id, null)
        yield* insert(newSegment({ name: "ünal" }))
      }).pipe(inNewOrganization)
    )

    it.effect("lists by name, by code points, page after page", () =>
      Effect.gen(function* () {
        const segments = yield* Segments
        for (const name of ["b", "\uFFFD", "𝒜", "A", "ä", "a b"]) yield* insert(newSegment({ name }))
        const inOrder = ["A", "a b", "b", "ä", "\uFFFD", "𝒜"]
        assert.deepStrictEqual(
          (yield* everySegment).map(({ name }) => name),
          inOrder
        )
        const paged: Array<string> = []
        let after: ReadonlyArray<string> | null = null
        do {
          const page: ReadonlyArray<Segment> = yield* segments.list({ limit: 2, after })
          paged.push(...page.map(({ name }) => name))
          const last = page.at(-1)
          after = last === undefined ? null : [last.name.toLowerCase(), last.id]
        } while (after !== null && paged.length < 50)
        assert.deepStrictEqual(paged, inOrder)
      }).pipe(inNewOrganization)
    )

    it.effect("says which segments are made of one, at most ten, also right after a change", () =>
      Effect.gen(function* () {
        const segments = yield* Segments
        const [part, other] = [yield* givenSegment(), yield* givenSegment()]
        const direct = yield* givenSegment({ filter: { field: "segment", op: "not_in", value: part.id } })
        const nested = yield* givenSegment({ filter: { all: [{ any: [{ not: madeOf(part.id) }, madeOf(part.id)] }] } })
        yield* givenSegment({ filter: { field: "name", op: "is", value: part.id } })
        yield* givenSegment({ filter: { field: "tag", op: "any_of", value: [part.id] } })
        const users = Effect.map(segments.usersOf(part.id), sorted)
        assert.deepStrictEqual(yield* users, sorted([direct.id, nested.id]))
        yield* save(new Segment({ ...nested, filter: madeOf(other.id) }), 1)
        assert.deepStrictEqual(yield* users, [direct.id])
        assert.deepStrictEqual(yield* segments.usersOf(other.id), [nested.id])
        yield* remove(direct.id, null)
        assert.deepStrictEqual(yield* users, [])
        for (let index = 0; index < 12; index++) yield* givenSegment({ filter: madeOf(part.id) })
        assert.lengthOf(yield* users, 10)
        assert.lengthOf(yield* segments.usersOf(freshId(SegmentId)), 0)
      }).pipe(inNewOrganization)
    )
  }
}

export const segmentsContract = runContract(segments)
