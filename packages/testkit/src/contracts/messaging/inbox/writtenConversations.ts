import { assert } from "@effect/vitest"
import { transact, UserId } from "@parley/domain/kernel"
import { type Conversation, ConversationId, Conversations, MessageId } from "@parley/domain/messaging"
import { Deferred, Effect, Fiber } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { idsOf, inNewOrganization, sorted } from "../../crm/given.ts"
import { freshId } from "../../given.ts"
import { givenConversation, minutes, newConversation, plainConversation } from "./given.ts"

const lockFree = (ids: ReadonlyArray<ConversationId>) =>
  Effect.flatMap(Conversations, (conversations) => conversations.lockFree(ids))

const stored = Effect.fnUntraced(function* ({ id }: Conversation) {
  return plainConversation((yield* (yield* Conversations).get(id)).conversation)
})

/** Contract of the conversations port for messages of the team. */
export const writtenConversations: StorageContract = {
  port: "Conversations, after messages of the team",
  promises: (it, overlap) => {
    it.effect("stores only the fields that a message changes, with the next version", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [one, two, other] = [yield* givenConversation(), yield* givenConversation(), yield* givenConversation()]
          const fieldsOf = (at: number) => ({
            readCount: 3,
            lastMessage: {
              id: freshId(MessageId),
              direction: "outbound" as const,
              kind: "text" as const,
              text: at === 0 ? "Bäcker 🥐" : null,
              at: minutes(8)
            },
            recipient: at === 0 ? { kind: "phone" as const, value: "+491701234567" } : null,
            recipientAt: at === 0 ? minutes(8) : null,
            lastActivityAt: minutes(11),
            updatedAt: minutes(12)
          })
          const written = [one, two].map((before, at) => ({ before, fields: fieldsOf(at) }))
          const changes = written.map(({ before, fields }) =>
            newConversation({ ...before, ...fields, assigneeId: freshId(UserId), priority: "urgent", version: 99 })
          )
          const port = yield* Conversations
          yield* transact(
            Effect.andThen(port.lock(idsOf([one, two]) as ReadonlyArray<ConversationId>), port.saveWritten(changes))
          )
          for (const { before, fields } of written) {
            assert.deepStrictEqual(yield* stored(before), {
              ...plainConversation(newConversation({ ...before, ...fields })),
              version: 2
            })
          }
          assert.deepStrictEqual(yield* stored(other), plainConversation(other))
          yield* transact(port.saveWritten([]))
        })
      )
    )

    it.effect("locks existing conversations without others' locks, once each", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [one, two] = [yield* givenConversation(), yield* givenConversation()]
          const found = yield* transact(lockFree([two.id, one.id, freshId(ConversationId), one.id]))
          assert.deepStrictEqual(sorted(idsOf(found)), sorted([one.id, two.id]))
          assert.deepStrictEqual(idsOf(yield* transact(lockFree([one.id]))), [one.id])
          assert.deepStrictEqual(yield* transact(lockFree([])), [])
        })
      )
    )

    it.effect("returns no conversation of another organization", () =>
      Effect.gen(function* () {
        const theirs = yield* inNewOrganization(givenConversation())
        assert.deepStrictEqual(yield* inNewOrganization(transact(lockFree([theirs.id]))), [])
      })
    )

    if (overlap === "writers") {
      it.effect("leaves out conversations that another unit of work has locked", () =>
        inNewOrganization(
          Effect.gen(function* () {
            const [one, two] = [yield* givenConversation(), yield* givenConversation()]
            const held = yield* Deferred.make<void>()
            const go = yield* Deferred.make<void>()
            const holder = yield* Effect.forkChild(
              transact(
                Effect.gen(function* () {
                  yield* (yield* Conversations).lock([one.id])
                  yield* Deferred.succeed(held, undefined)
                  yield* Deferred.await(go)
                })
              )
            )
            yield* Deferred.await(held)
            assert.deepStrictEqual(idsOf(yield* transact(lockFree([one.id, two.id]))), [two.id])
            assert.deepStrictEqual(yield* transact(lockFree([one.id])), [])
            yield* Deferred.succeed(go, undefined)
            yield* Fiber.join(holder)
            assert.deepStrictEqual(idsOf(yield* transact(lockFree([one.id]))), [one.id])
          })
        )
      )
    }
  }
}

/** Checks an adapter against the promises of conversations after messages of the team. */
export const writtenConversationsContract = runContract(writtenConversations)
