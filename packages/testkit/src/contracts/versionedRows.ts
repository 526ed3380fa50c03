import { assert, type Vitest } from "@effect/vitest"
import {
  type NotFound,
  type Slice,
  type TenantScoped,
  transact,
  type Transaction,
  type VersionConflict
} from "@parley/domain/kernel"
import type { StoragePorts } from "@parley/domain/composition"
import { Effect } from "effect"
import { freshId, givenOrganization, inside } from "./given.ts"

type VersionedRows<Id, Row> = TenantScoped<{
  readonly get: (id: Id) => Effect.Effect<Row, NotFound>
  readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<Row>>
  readonly insert: (row: Row) => Effect.Effect<void, never, Transaction>
  readonly save: (row: Row, expected: number | null) => Effect.Effect<Row, NotFound | VersionConflict, Transaction>
  readonly remove: (id: Id, expected: number | null) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
}>

/** Port operations and row accessors that the contract needs. */
interface Versioned<Id, Row> {
  readonly port: Effect.Effect<VersionedRows<Id, Row>, never, StoragePorts>
  readonly kind: { readonly make: (value: string) => Id }
  readonly make: () => Row
  /** The same row with everything changed that can be. */
  readonly changed: (row: Row) => Row
  readonly plain: (row: Row) => object
}

/** Contract of ports with versioned rows that list the newest row first. */
export const promiseVersionedRows = <Id extends string, Row extends { readonly id: Id; readonly version: number }>(
  it: Vitest.MethodsNonLive<StoragePorts>,
  { changed, kind, make, plain, port }: Versioned<Id, Row>
) => {
  const insert = Effect.fnUntraced(function* (row = make()) {
    yield* transact((yield* port).insert(row))
    return row
  })

  const save = (row: Row, expected: number | null) => Effect.flatMap(port, (rows) => transact(rows.save(row, expected)))

  const remove = (id: Id, expected: number | null) =>
    Effect.flatMap(port, (rows) => transact(rows.remove(id, expected)))

  it.effect("keeps one tenant's rows out of another's sight", () =>
    Effect.gen(function* () {
      const rows = yield* port
      const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
      const row = yield* insert().pipe(inside(one))
      yield* Effect.gen(function* () {
        const { id } = row
        assert.strictEqual((yield* Effect.flip(rows.get(id)))._tag, "NotFound")
        assert.lengthOf(yield* rows.list({ limit: 100, after: null }), 0)
        for (const expected of [1, 2, null]) {
          assert.strictEqual((yield* Effect.flip(save(row, expected)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(remove(id, expected)))._tag, "NotFound")
        }
      }).pipe(inside(other))
      const kept = yield* rows.get(row.id).pipe(inside(one))
      assert.deepStrictEqual(plain(kept), plain(row))
    })
  )

  it.effect("a failed unit of work leaves nothing", () =>
    Effect.gen(function* () {
      const rows = yield* port
      yield* Effect.gen(function* () {
        const [kept, saved] = [yield* insert(), yield* insert()]
        yield* insert().pipe(
          Effect.andThen(save(changed(saved), 1)),
          Effect.andThen(remove(kept.id, null)),
          Effect.andThen(Effect.fail("refused")),
          transact,
          Effect.flip
        )
        const left = yield* rows.list({ limit: 100, after: null })
        assert.deepStrictEqual(left.map(plain), [saved, kept].map(plain))
      }).pipe(inside(yield* givenOrganization()))
    })
  )

  it.effect("stores what changed, and raises the version by one", () =>
    Effect.gen(function* () {
      const rows = yield* port
      yield* Effect.gen(function* () {
        const row = yield* insert()
        const after = changed(row)
        const expected = { ...plain(after), version: 2 }
        assert.deepStrictEqual(plain(yield* save(after, 1)), expected)
        assert.deepStrictEqual(plain(yield* rows.get(row.id)), expected)
        assert.strictEqual((yield* save(after, null)).version, 3)
      }).pipe(inside(yield* givenOrganization()))
    })
  )

  it.effect("refuses an outdated version and an unknown id", () =>
    Effect.gen(function* () {
      const rows = yield* port
      yield* Effect.gen(function* () {
        const row = yield* insert()
        yield* save(row, 1)
        for (const expected of [1, 3]) {
          for (const refused of [save(row, expected), remove(row.id, expected)]) {
            const error = yield* Effect.flip(refused)
            assert.strictEqual(error._tag === "VersionConflict" ? error.current : error._tag, 2)
          }
          assert.strictEqual((yield* Effect.flip(save(make(), expected)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(remove(freshId(kind), expected)))._tag, "NotFound")
        }
        assert.strictEqual((yield* Effect.flip(save(make(), null)))._tag, "NotFound")
        assert.strictEqual((yield* Effect.flip(remove(freshId(kind), null)))._tag, "NotFound")
        assert.strictEqual((yield* rows.get(row.id)).version, 2)
      }).pipe(inside(yield* givenOrganization()))
    })
  )

  it.effect("of many concurrent saves with one expected version one succeeds", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const row = yield* insert()
        const exits = yield* Effect.replicateEffect(Effect.exit(save(row, 1)), 10, {
          concurrency: "unbounded"
        })
        assert.strictEqual(exits.filter(({ _tag }) => _tag === "Success").length, 1)
      }).pipe(inside(yield* givenOrganization()))
    })
  )

  it.effect("removes a row at the expected or at any version", () =>
    Effect.gen(function* () {
      const rows = yield* port
      yield* Effect.gen(function* () {
        const [one, other] = [yield* insert(), yield* insert()]
        yield* remove(one.id, 1)
        yield* remove(other.id, null)
        assert.lengthOf(yield* rows.list({ limit: 100, after: null }), 0)
        assert.strictEqual((yield* Effect.flip(rows.get(one.id)))._tag, "NotFound")
      }).pipe(inside(yield* givenOrganization()))
    })
  )

  it.effect("lists the newest first, page after page, while others come and go", () =>
    Effect.gen(function* () {
      const rows = yield* port
      yield* Effect.gen(function* () {
        const page = (after: Id | null) =>
          Effect.map(rows.list({ limit: 2, after: after === null ? null : [after] }), (page) =>
            page.map(({ id }) => id)
          )
        const [first, second, third, fourth, fifth, sixth] = [
          (yield* insert()).id,
          (yield* insert()).id,
          (yield* insert()).id,
          (yield* insert()).id,
          (yield* insert()).id,
          (yield* insert()).id
        ]
        assert.deepStrictEqual(yield* page(null), [sixth, fifth])
        yield* insert()
        yield* remove(fifth, null)
        yield* remove(third, null)
        assert.deepStrictEqual(yield* page(fifth), [fourth, second])
        assert.deepStrictEqual(yield* page(second), [first])
        assert.deepStrictEqual(yield* page(first), [])
      }).pipe(inside(yield* givenOrganization()))
    })
  )
}
