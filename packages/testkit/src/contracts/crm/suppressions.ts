import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { Contacts, Suppressions } from "@parley/domain/crm"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { freshText, givenOrganization, inside } from "../given.ts"
import { evening, inNewOrganization, morning, newContact } from "./given.ts"

const add = (digests: ReadonlyArray<string>, at = morning) =>
  Effect.flatMap(Suppressions, (list) => transact(list.add(digests.map((digest) => ({ digest, at })))))

const remove = (digests: ReadonlyArray<string>) =>
  Effect.flatMap(Suppressions, (list) => transact(list.remove(digests)))

const keepKey = (sealed: string) => Effect.flatMap(Suppressions, (list) => transact(list.keepKey(sealed)))

/** Those of the digests that are on the list, with their times. */
const found = (digests: ReadonlyArray<string>) =>
  Effect.map(
    Effect.flatMap(Suppressions, (list) => list.find(digests)),
    (rows) => rows.map(({ at, digest }) => [digest, DateTime.formatIso(at)]).toSorted()
  )

export const suppressions: StorageContract = {
  port: "Suppressions",
  promises: (it) => {
    it.effect("keeps one tenant's list and key out of another's sight and reach", () =>
      Effect.gen(function* () {
        const list = yield* Suppressions
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        yield* Effect.all([add(["a"]), keepKey("sealed")]).pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.deepStrictEqual(yield* found(["a"]), [])
          assert.isNull(yield* list.key())
          yield* remove(["a"])
          yield* transact(list.resealKey("mine"))
        }).pipe(inside(other))
        assert.deepStrictEqual(yield* found(["a"]).pipe(inside(one)), [["a", DateTime.formatIso(morning)]])
        assert.strictEqual(yield* list.key().pipe(inside(one)), "sealed")
        assert.isNull(yield* list.key().pipe(inside(other)))
      })
    )

    it.effect("returns the key of the own list with new contacts", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const keyWithNew = Effect.flatMap(Contacts, (contacts) => transact(contacts.insert([newContact()])))
        assert.isNull((yield* keyWithNew.pipe(inside(one))).suppressionKey)
        yield* keepKey("sealed").pipe(inside(one))
        assert.strictEqual((yield* keyWithNew.pipe(inside(one))).suppressionKey, "sealed")
        assert.isNull((yield* keyWithNew.pipe(inside(other))).suppressionKey)
        const inOne = Effect.andThen(
          Effect.flatMap(Suppressions, (list) => list.resealKey("sealed anew")),
          Effect.flatMap(Contacts, (contacts) => contacts.insert([newContact()]))
        )
        assert.strictEqual((yield* transact(inOne).pipe(inside(one))).suppressionKey, "sealed anew")
      })
    )

    it.effect("keeps digests until they are taken off, of each the later time", () =>
      Effect.gen(function* () {
        const [one, other, third] = [freshText("é'\\"), freshText("b"), freshText("c")]
        yield* add([one, other])
        yield* add([one, third], evening)
        yield* add([one, third, third])
        const [early, late] = [DateTime.formatIso(morning), DateTime.formatIso(evening)]
        assert.deepStrictEqual(
          yield* found([one, other, third, third, "nobody's"]),
          [
            [one, late],
            [other, early],
            [third, late]
          ].toSorted()
        )
        yield* remove([one, "nobody's"])
        assert.deepStrictEqual(yield* found([one, other]), [[other, early]])
        yield* add([])
        yield* remove([])
        assert.deepStrictEqual(yield* found([]), [])
      }).pipe(inNewOrganization)
    )

    it.effect("keeps the first key, and the newly sealed one", () =>
      Effect.gen(function* () {
        const list = yield* Suppressions
        assert.isNull(yield* list.key())
        yield* transact(list.resealKey("too early"))
        assert.isNull(yield* list.key())
        assert.strictEqual(yield* keepKey("first"), "first")
        assert.strictEqual(yield* keepKey("second"), "first")
        yield* transact(list.resealKey("first, anew"))
        assert.deepStrictEqual([yield* list.key(), yield* keepKey("third")], ["first, anew", "first, anew"])
      }).pipe(inNewOrganization)
    )

    it.effect("a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        const list = yield* Suppressions
        yield* add(["kept"])
        const fails = list
          .add([{ digest: "new", at: morning }])
          .pipe(
            Effect.andThen(list.remove(["kept"])),
            Effect.andThen(list.keepKey("key")),
            Effect.andThen(Effect.fail("no"))
          )
        assert.strictEqual(yield* Effect.flip(transact(fails)), "no")
        assert.deepStrictEqual(yield* found(["kept", "new"]), [["kept", DateTime.formatIso(morning)]])
        assert.isNull(yield* list.key())
      }).pipe(inNewOrganization)
    )
  }
}

export const suppressionsContract = runContract(suppressions)
