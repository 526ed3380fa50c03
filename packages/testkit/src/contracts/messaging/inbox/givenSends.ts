import { assert } from "@effect/vitest"
import { CurrentOrganization, transact } from "@parley/domain/kernel"
import { type LaneLease, shardCount, shardOf, Shards } from "@parley/domain/platform"
import {
  type ChatAccountId,
  type Conversation,
  type Message,
  type MessageId,
  type SendLease,
  SendQueue,
  QueuedSends,
  sendTaskName
} from "@parley/domain/messaging"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { givenAccount } from "../chat/given.ts"
import { sorted } from "../../crm/given.ts"
import { outside } from "../../given.ts"
import { at, dawn, givenNode } from "../../platform/background/given.ts"
import { givenConversation, givenMessage } from "./given.ts"

export const enqueue = ({ chatAccountId }: Conversation, message: Message, now = dawn) =>
  transact(
    Effect.flatMap(QueuedSends, (sends) =>
      sends.enqueue({ chatAccountId, messages: [message], priority: "person", now })
    )
  )

export const givenSend = Effect.fnUntraced(function* (conversation: Conversation, now = dawn) {
  const message = yield* givenMessage(conversation, {
    direction: "outbound",
    status: "queued",
    providerMessageId: null
  })
  yield* enqueue(conversation, message, now)
  return message.id
})

/** Process that can send for every account until the test ends or another process takes over. */
export const givenSender = Effect.gen(function* () {
  const shards = yield* Shards
  const { id: organizationId } = yield* CurrentOrganization
  const node = yield* Effect.acquireRelease(givenNode(sendTaskName), (id) => outside(shards.leave(id)))
  const owned = yield* outside(shards.claim(node, sendTaskName, shardCount))
  assert.strictEqual(owned.length, shardCount)
  const laneOf = (key: ChatAccountId): LaneLease => {
    const shard = shardOf({ task: sendTaskName, organizationId, key })
    const { fence } = owned.find((each) => each.shard === shard) ?? assert.fail()
    return { task: sendTaskName, organizationId, key, shard, fence }
  }
  /** Reads the sendable messages of these conversations for a reader without messages in flight. */
  const readOf =
    (...conversations: ReadonlyArray<Conversation>) =>
    (seconds: number, except: ReadonlyArray<MessageId> = [], limit = 1_000) =>
      Effect.map(
        Effect.forEach(new Set(conversations.map(({ chatAccountId }) => chatAccountId)), (id) =>
          Effect.flatMap(SendQueue, (queue) =>
            queue.next(laneOf(id), { reader: SecureRandom.uuidV7Unsafe(), now: at(seconds), limit, except })
          )
        ),
        (leases) => leases.flat().filter((lease) => conversations.some(({ id }) => id === lease.conversationId))
      )
  return { readOf, leave: outside(shards.leave(node)) }
})

/** A conversation over a number that is connected. */
export const givenConnected = Effect.fnUntraced(function* () {
  return yield* givenConversation({ chatAccountId: (yield* givenAccount()).id })
})

export const settleAll = (leases: ReadonlyArray<SendLease>) =>
  transact(Effect.flatMap(SendQueue, (queue) => queue.settleAll(leases)))

export const settle = (lease: SendLease) => Effect.map(settleAll([lease]), (settled) => settled.has(lease.messageId))

export const beginAll = (leases: ReadonlyArray<SendLease>) =>
  Effect.flatMap(SendQueue, (queue) => queue.beginAll(leases))

export const tryBegin = (lease: SendLease) => Effect.map(beginAll([lease]), ([begun]) => begun ?? null)

export const begin = (lease: SendLease) =>
  Effect.map(tryBegin(lease), (begun) => begun ?? assert.fail("it was not begun"))

export const messagesOf = (leases: ReadonlyArray<SendLease>) => sorted(leases.map(({ messageId }) => messageId))

export const only = <A>(leases: ReadonlyArray<A>): A => {
  assert.strictEqual(leases.length, 1)
  return leases[0] ?? assert.fail()
}
