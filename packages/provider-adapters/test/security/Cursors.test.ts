import { assert, describe, it } from "@effect/vitest"
import { CurrentActor, CurrentOrganization, CursorInvalid, Cursors, OrganizationId } from "@parley/domain/kernel"
import { Effect, Layer, Schema } from "effect"
import { layerCursors, layerMasterKeys } from "@parley/provider-adapters/security"
import { k1, k2, k3, listOf } from "./fixtures.ts"

const here = OrganizationId.make("0195b1a0-0000-7000-8000-000000000001")
const elsewhere = OrganizationId.make("0195b1a0-0000-7000-8000-000000000002")

const cursorsWith = (...keys: ReadonlyArray<string>) =>
  Effect.provide(Cursors, layerCursors.pipe(Layer.provide(layerMasterKeys(listOf(...keys)))))

const inside =
  (id: OrganizationId) =>
  <A, E>(effect: Effect.Effect<A, E, CurrentOrganization | CurrentActor>) =>
    effect.pipe(
      Effect.provideService(CurrentOrganization, { id }),
      Effect.provideService(CurrentActor, { kind: "system", name: "test" })
    )

const assertInvalid = Effect.fnUntraced(function* (cursor: string, list = "members", id = here) {
  const cursors = yield* cursorsWith(k1)
  assert.instanceOf(yield* cursors.open(list, cursor).pipe(inside(id), Effect.flip), CursorInvalid)
})

const sealHere = Effect.fnUntraced(function* (list: string, key: ReadonlyArray<string>) {
  return yield* (yield* cursorsWith(k1)).seal(list, key).pipe(inside(here))
})

const key = ["2026-03-01T12:00:00.000Z", "0195b1a0-0000-7000-8000-0000000000ff"]

describe("Cursors", () => {
  it.effect.prop(
    "open their sealed value for every key of the row",
    { list: Schema.String, key: Schema.Array(Schema.String) },
    (given) =>
      Effect.gen(function* () {
        const cursors = yield* cursorsWith(k1)
        const sealed = yield* cursors.seal(given.list, given.key).pipe(inside(here))
        assert.match(sealed, /^[A-Za-z0-9_-]+$/)
        assert.deepStrictEqual(yield* cursors.open(given.list, sealed).pipe(inside(here)), given.key)
      })
  )

  it.effect.prop(
    "are invalid with any bit flipped",
    {
      key: Schema.Array(Schema.String),
      place: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })),
      bit: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 7 }))
    },
    ({ bit, key, place }) =>
      Effect.gen(function* () {
        const bytes = Buffer.from(yield* sealHere("members", key), "latin1")
        const index = place % bytes.length
        bytes[index] = (bytes[index] ?? 0) ^ (1 << bit)
        yield* assertInvalid(bytes.toString("latin1"))
      }),
    { arbitrary: { runs: 500 } }
  )

  it.effect("are invalid with any single bit flipped", () =>
    Effect.gen(function* () {
      const bytes = Buffer.from(yield* sealHere("members", key), "base64url")
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const altered = Buffer.from(bytes)
        altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        yield* assertInvalid(altered.toString("base64url"))
      }
    })
  )

  it.effect.prop("are invalid when they are anything else", { cursor: Schema.String }, ({ cursor }) =>
    assertInvalid(cursor)
  )

  it.effect("are invalid in another list and in another organization", () =>
    Effect.gen(function* () {
      const sealed = yield* sealHere("members", key)
      for (const list of ["member", "members ", "events", "", 'members"']) yield* assertInvalid(sealed, list)
      yield* assertInvalid(sealed, "members", elsewhere)
    })
  )

  it.effect.each([
    ["nothing", ""],
    ["a proof of nothing", Buffer.alloc(16).toString("base64url")],
    ["too few bytes for a proof", Buffer.alloc(15).toString("base64url")],
    ["a megabyte", "A".repeat(1_048_576)],
    ["padding", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="],
    ["base64 that is not base64url", "+/+/+/+/+/+/+/+/+/+/+/+/"],
    ["an offset", "25"],
    ["JSON", '["0195b1a0-0000-7000-8000-0000000000ff"]'],
    ["encoded JSON without a proof", Buffer.from(JSON.stringify(key)).toString("base64url")],
    ["bytes that are not UTF-8", Buffer.alloc(64, 0xff).toString("base64url")],
    ["a NUL", "\u0000"],
    ["half a surrogate pair", "\ud83e"]
  ] as const)("are invalid when they are %s", ([, cursor]) => assertInvalid(cursor))

  it.effect("are invalid above the maximum length of all lists", () =>
    Effect.gen(function* () {
      yield* assertInvalid(yield* sealHere("members", ["x".repeat(4096)]))
    })
  )

  it.effect("are invalid with their spare bits set, with padding, spaces or a tail", () =>
    Effect.gen(function* () {
      const sealed = yield* sealHere("members", ["ab"])
      assert.notStrictEqual(sealed.length % 4, 0)
      const lastOf = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
      const spare = sealed.slice(0, -1) + lastOf[lastOf.indexOf(sealed.slice(-1)) + 1]
      assert.isTrue(Buffer.from(spare, "base64url").equals(Buffer.from(sealed, "base64url")))
      for (const other of [spare, `${sealed}=`, ` ${sealed}`, `${sealed}\n`, `${sealed}AAAA`, sealed.slice(0, -1)]) {
        yield* assertInvalid(other)
      }
    })
  )

  it.effect("stay valid when a new master key comes, and turn invalid when theirs goes", () =>
    Effect.gen(function* () {
      const sealed = yield* sealHere("members", key)
      const rotated = yield* cursorsWith(k2, k1)
      assert.deepStrictEqual(yield* rotated.open("members", sealed).pipe(inside(here)), key)
      const fresh = yield* rotated.seal("members", key).pipe(inside(here))
      assert.notStrictEqual(fresh, sealed)
      assert.deepStrictEqual(yield* (yield* cursorsWith(k3, k2)).open("members", fresh).pipe(inside(here)), key)
      const gone = yield* cursorsWith(k3, k2)
      assert.instanceOf(yield* gone.open("members", sealed).pipe(inside(here), Effect.flip), CursorInvalid)
    })
  )
})
