import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { CannedReplies, CannedReply, CannedReplyId } from "@parley/domain/messaging"
import { Effect, Schema } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { all, evening, idsOf, inNewOrganization, morning } from "../../crm/given.ts"
import { freshId, outside } from "../../given.ts"

const plain = Schema.encodeSync(CannedReply)

const newReply = (shortcut: string, overrides: Partial<CannedReply> = {}) =>
  new CannedReply({
    id: freshId(CannedReplyId),
    shortcut,
    text: 'Hello "you" \\ 🥖\nhow are you?',
    createdAt: morning,
    updatedAt: morning,
    version: 1,
    ...overrides
  })

const givenReply = Effect.fnUntraced(function* (shortcut: string, overrides: Partial<CannedReply> = {}) {
  const reply = newReply(shortcut, overrides)
  yield* transact((yield* CannedReplies).insert(reply))
  return reply
})

export const cannedReplies: StorageContract = {
  port: "CannedReplies",
  promises: (it) => {
    it.effect("gives replies back as they were stored", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const port = yield* CannedReplies
          const reply = yield* givenReply("hello", { version: 3, updatedAt: evening })
          assert.deepStrictEqual(plain(yield* port.get(reply.id)), plain(reply))
          assert.strictEqual((yield* Effect.flip(port.get(freshId(CannedReplyId)))).resource, "canned reply")
        })
      )
    )

    it.effect("lists by shortcut prefix, from any key on", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const port = yield* CannedReplies
          const shortcuts = ["ab_c", "a", "abd", "ab-c", "b", "ab1", "ab"]
          for (const shortcut of shortcuts) yield* givenReply(shortcut)
          const listed = (beginning: string, slice: typeof all | { limit: number; after: ReadonlyArray<string> }) =>
            Effect.map(port.list(beginning, slice), (rows) => rows.map(({ shortcut }) => shortcut))
          assert.deepStrictEqual(yield* listed("", all), ["a", "ab", "ab-c", "ab1", "ab_c", "abd", "b"])
          assert.deepStrictEqual(yield* listed("ab", all), ["ab", "ab-c", "ab1", "ab_c", "abd"])
          assert.deepStrictEqual(yield* listed("ab_", all), ["ab_c"])
          assert.deepStrictEqual(yield* listed("ab", { limit: 2, after: ["ab-c"] }), ["ab1", "ab_c"])
          assert.deepStrictEqual(yield* listed("z", all), [])
        })
      )
    )

    it.effect("has each shortcut once in an organization", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const port = yield* CannedReplies
          const [one, other] = [yield* givenReply("one"), yield* givenReply("other")]
          const inserted = yield* Effect.flip(transact(port.insert(newReply("one"))))
          assert.deepStrictEqual([inserted._tag, inserted.id], ["NameTaken", one.id])
          const saved = yield* Effect.flip(transact(port.save(newReply("one", { id: other.id }), null)))
          assert.deepStrictEqual([saved._tag, "id" in saved ? saved.id : null], ["NameTaken", one.id])
          assert.deepStrictEqual(idsOf(yield* port.list("", all)), [one.id, other.id])
          yield* outside(inNewOrganization(givenReply("one")))
        })
      )
    )

    it.effect("saves and removes a reply if its version is the expected one", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const port = yield* CannedReplies
          const reply = yield* givenReply("hello")
          const changed = new CannedReply({ ...reply, shortcut: "hi", text: "Hi!", updatedAt: evening })
          const stale = yield* Effect.flip(transact(port.save(changed, 2)))
          assert.deepStrictEqual([stale._tag, "current" in stale ? stale.current : null], ["VersionConflict", 1])
          const saved = yield* transact(port.save(changed, 1))
          assert.deepStrictEqual(plain(saved), { ...plain(changed), version: 2 })
          assert.deepStrictEqual(plain(yield* port.get(reply.id)), plain(saved))
          const gone = yield* Effect.flip(transact(port.save(newReply("else"), null)))
          assert.strictEqual(gone._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(transact(port.remove(reply.id, 1))))._tag, "VersionConflict")
          yield* transact(port.remove(reply.id, 2))
          assert.strictEqual((yield* Effect.flip(transact(port.remove(reply.id, null))))._tag, "NotFound")
          yield* givenReply("hi")
        })
      )
    )
  }
}

/** Checks an adapter against the contract of `CannedReplies`. */
export const cannedRepliesContract = runContract(cannedReplies)
