import { Ids, transact } from "@parley/domain/kernel"
import { type LaneLease, type Organization, shardOf, Shards, shardCount } from "@parley/domain/platform"
import { BulkSender, type ChatAccountId, sendTask, QueuedSends, sendTaskName } from "@parley/domain/messaging"
import { asOperatorOf, givenConversation, givenMessage, givenNumber } from "@parley/testkit"
import { DateTime, Effect } from "effect"

/** Queues this many messages for a number, each in its own conversation. */
const givenWaiting = Effect.fnUntraced(function* (
  organization: Organization,
  chatAccountId: ChatAccountId,
  count: number
) {
  for (let place = 0; place < count; place += 1) {
    const conversation = yield* givenConversation(organization, { chatAccountId })
    const message = yield* givenMessage(organization, conversation, {
      direction: "outbound",
      author: { kind: "user", id: "somebody" },
      status: "queued",
      providerMessageId: null
    })
    const send = { chatAccountId, messages: [message], priority: "person" as const }
    yield* Effect.flatMap(DateTime.now, (now) =>
      transact(Effect.flatMap(QueuedSends, (sends) => sends.enqueue({ ...send, now })))
    ).pipe(asOperatorOf(organization))
  }
})

/** Owns the lane of a number until the scope ends. */
const ownLane = Effect.fnUntraced(function* ({ id: organizationId }: Organization, key: ChatAccountId) {
  const shards = yield* Shards
  const id = yield* (yield* Ids).next
  const join = Effect.flatMap(DateTime.now, (now) => shards.join({ id, name: "sender", tasks: [sendTaskName], now }))
  yield* Effect.acquireRelease(join, () => shards.leave(id))
  const shard = shardOf({ task: sendTaskName, organizationId, key })
  const fence = (yield* shards.claim(id, sendTaskName, shardCount)).find((each) => each.shard === shard)?.fence
  return fence === undefined
    ? yield* Effect.die(new Error("Somebody else sends."))
    : ({ task: sendTaskName, organizationId, key, shard, fence } satisfies LaneLease)
})

/** A sender of all waiting messages of a number, with this number of waiting messages and several sent before. */
export const givenSender = Effect.fnUntraced(function* (organization: Organization, count: number) {
  const { id } = yield* givenNumber(organization)
  const lane = yield* ownLane(organization, id)
  const send = sendTask
    .run(lane, { notification: Effect.never, isCrowded: () => false })
    .pipe(Effect.provide(BulkSender.layerNone), Effect.orDie)
  yield* givenWaiting(organization, id, 2)
  yield* send
  yield* givenWaiting(organization, id, count)
  return { send }
})
