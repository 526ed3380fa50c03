import { assert, describe } from "@effect/vitest"
import { transact, UnitOfWork } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import {
  Conversation,
  Conversations,
  type Message,
  type MessageId,
  type SendLease,
  SendQueue
} from "@parley/domain/messaging"
import { sendDueMessages } from "@parley/domain/composition"
import { asOperatorOf, givenOrganization, MemoryChat } from "@parley/testkit"
import { DateTime, Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { runOut } from "./crashing.ts"
import { givenChatAccount, givenQueued, givenTalk, readMessage, test } from "./given.ts"

type Queue = SendQueue["Service"]

const sentReferences = Effect.map(
  Effect.flatMap(MemoryChat.ChatScript, ({ sent }) => sent),
  (sent) => sent.map(({ message }) => message.reference)
)

/** A number of queued messages over one number, each in a separate conversation. */
const givenMany = Effect.fnUntraced(function* (count: number) {
  const organization = yield* givenOrganization({ plan: "scale" })
  const account = yield* givenChatAccount(organization)
  const messages = yield* Effect.forEach(Array.from({ length: count }), () =>
    Effect.flatMap(givenTalk(organization, account), ({ conversation }) => givenQueued(organization, conversation))
  )
  return { organization, account, messages }
})

const statusesOf = (organization: Organization, messages: ReadonlyArray<Message>) =>
  Effect.forEach(messages, (message) => Effect.map(readMessage(organization, message), ({ status }) => status))

const idsOf = (messages: ReadonlyArray<{ readonly id: MessageId }>): ReadonlyArray<string> =>
  messages.map(({ id }) => id).toSorted()

/** The queue with some replaced methods. */
const through =
  (change: (queue: Queue) => Partial<Queue>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(SendQueue, (queue) => Effect.provideService(effect, SendQueue, { ...queue, ...change(queue) }))

/** A sender, and the provider calls that wait for a signal to answer. */
const heldUp = Effect.fnUntraced(function* (held: Message) {
  const channel = yield* MemoryChat.whole
  const [called, answer] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const send: typeof channel.sending.send = (line, outgoing) => {
    const sent = channel.sending.send(line, outgoing)
    if (outgoing.reference !== held.id) return sent
    return Deferred.succeed(called, undefined).pipe(Effect.andThen(Deferred.await(answer)), Effect.andThen(sent))
  }
  return { called, answer, through: MemoryChat.through({ sending: { ...channel.sending, send } }) }
})

/** In its set, alone, and five times more. */
const asLongAsItIsTried = 7

describe("sending by sets", () => {
  test("asks the storage once for what many messages need, and calls for each", () =>
    Effect.gen(function* () {
      const { messages, organization } = yield* givenMany(12)
      const sizes: Array<readonly [string, number]> = []
      const counted =
        <A, R>(name: string, ask: (leases: ReadonlyArray<SendLease>) => Effect.Effect<A, never, R>) =>
        (leases: ReadonlyArray<SendLease>) => {
          sizes.push([name, leases.length])
          return ask(leases)
        }
      yield* sendDueMessages.pipe(
        through(({ beginAll, read, settleAll }) => ({
          read: counted("read", read),
          beginAll: counted("begin", beginAll),
          settleAll: counted("settle", settleAll)
        }))
      )
      assert.deepStrictEqual(sizes, [
        ["read", 12],
        ["begin", 12],
        ["settle", 12]
      ])
      assert.deepStrictEqual((yield* sentReferences).toSorted(), idsOf(messages))
      assert.deepStrictEqual(
        yield* statusesOf(organization, messages),
        Array.from(messages, () => "sent")
      )
    }))

  for (const step of ["read", "beginAll", "settleAll"] as const) {
    test(`does each one alone where a set fails: ${step}`, () =>
      Effect.gen(function* () {
        const { messages, organization } = yield* givenMany(5)
        const [bad] = messages
        let failures = 0
        const failing =
          <A, R>(ask: (leases: ReadonlyArray<SendLease>) => Effect.Effect<A, never, R>) =>
          (leases: ReadonlyArray<SendLease>) => {
            if (leases.length === 1 || leases.every(({ messageId }) => messageId !== bad?.id)) return ask(leases)
            failures += 1
            return Effect.die(new Error("One of them cannot be done beside others."))
          }
        yield* sendDueMessages.pipe(
          through((queue) => ({
            ...(step === "read" && { read: failing(queue.read) }),
            ...(step === "beginAll" && { beginAll: failing(queue.beginAll) }),
            ...(step === "settleAll" && { settleAll: failing(queue.settleAll) })
          }))
        )
        assert.strictEqual(failures, 1)
        assert.deepStrictEqual((yield* sentReferences).toSorted(), idsOf(messages))
        assert.deepStrictEqual(
          yield* statusesOf(organization, messages),
          Array.from(messages, () => "sent")
        )
      }))
  }

  test("keeps what came of the others where one cannot be stored at all", () =>
    Effect.gen(function* () {
      const { messages, organization } = yield* givenMany(4)
      const [bad, ...others] = messages
      assert(bad !== undefined)
      let failures = 0
      const dying = through(({ settleAll }) => ({
        settleAll: (leases) => {
          if (leases.every(({ messageId }) => messageId !== bad.id) || failures === asLongAsItIsTried) {
            return settleAll(leases)
          }
          failures += 1
          return Effect.die(new Error("This one cannot be stored."))
        }
      }))
      yield* runOut(sendDueMessages.pipe(dying), 1)
      assert.deepStrictEqual(
        yield* statusesOf(organization, others),
        Array.from(others, () => "sent")
      )
      // A process that finds a started call does not call again.
      assert.strictEqual((yield* readMessage(organization, bad)).status, "in_doubt")
      assert.deepStrictEqual((yield* sentReferences).toSorted(), idsOf(messages))
    }))

  test("calls for none whose set was stored while the answer was lost, and sends each once", () =>
    Effect.gen(function* () {
      const { messages, organization } = yield* givenMany(6)
      let isCutOff = true
      const cutOff = through(({ beginAll }) => ({
        beginAll: (leases) =>
          Effect.tap(beginAll(leases), () => {
            if (!isCutOff) return Effect.void
            isCutOff = false
            return Effect.die(new Error("The connection ended after the commit, and before the answer."))
          })
      }))
      yield* sendDueMessages.pipe(cutOff)
      assert.deepStrictEqual((yield* sentReferences).toSorted(), idsOf(messages))
      assert.deepStrictEqual(
        yield* statusesOf(organization, messages),
        Array.from(messages, () => "sent")
      )
    }))

  test("does not call for a message that another owner settled after the read", () =>
    Effect.gen(function* () {
      const { messages, organization } = yield* givenMany(3)
      const [gone, ...others] = messages
      const unit = yield* UnitOfWork
      const meanwhile = through(({ beginAll, settleAll }) => ({
        beginAll: (leases) => {
          const theirs = leases.filter(({ messageId }) => messageId === gone?.id)
          return Effect.andThen(unit.transact(settleAll(theirs)), beginAll(leases))
        }
      }))
      yield* sendDueMessages.pipe(meanwhile)
      assert.deepStrictEqual((yield* sentReferences).toSorted(), idsOf(others))
      assert.deepStrictEqual(yield* statusesOf(organization, messages), ["queued", "sent", "sent"])
    }))

  test("waits for no more than 20 milliseconds for others before it stores what came of a call", () =>
    Effect.gen(function* () {
      const { messages, organization } = yield* givenMany(3)
      const [slow, ...quick] = messages
      assert(slow !== undefined)
      const provider = yield* heldUp(slow)
      const fiber = yield* Effect.forkChild(sendDueMessages.pipe(provider.through))
      yield* Deferred.await(provider.called)
      while ((yield* sentReferences).length < quick.length) yield* TestClock.adjust("0 millis")
      yield* TestClock.adjust("19 millis")
      assert.deepStrictEqual(yield* statusesOf(organization, quick), ["queued", "queued"])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* statusesOf(organization, quick), ["sent", "sent"])
      yield* Deferred.succeed(provider.answer, undefined)
      yield* Fiber.join(fiber)
      assert.strictEqual((yield* readMessage(organization, slow)).status, "sent")
    }))

  test("settles two messages of a conversation one after the other, where both are in hand", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenMany(0)
      const { conversation } = yield* givenTalk(organization, account)
      const since = yield* DateTime.now
      const asked = new Conversation({ ...conversation, waitingSince: since })
      yield* transact(Effect.flatMap(Conversations, (all) => all.saveAll([asked]))).pipe(asOperatorOf(organization))
      const first = yield* givenQueued(organization, conversation)
      const second = yield* givenQueued(organization, conversation)
      const other = yield* givenTalk(organization, account)
      const held = yield* givenQueued(organization, other.conversation)
      const provider = yield* heldUp(first)
      const seen: Array<ReadonlyArray<MessageId>> = []
      const queue = yield* SendQueue
      const leases: Array<SendLease> = []
      const watched = through(({ beginAll, settleAll }) => ({
        beginAll: (asking) => Effect.tap(beginAll(asking), (begun) => Effect.sync(() => leases.push(...begun))),
        settleAll: (settling) => {
          seen.push(settling.map(({ messageId }) => messageId))
          return settleAll(settling)
        }
      }))
      const fiber = yield* Effect.forkChild(sendDueMessages.pipe(watched, provider.through))
      yield* Deferred.await(provider.called)
      // The first message is removed from the queue during its call: the second one is next.
      const mine = leases.filter(({ messageId }) => messageId === first.id)
      yield* transact(queue.settleAll(mine)).pipe(asOperatorOf(organization))
      while ((yield* sentReferences).length < 2) yield* TestClock.adjust("250 millis")
      yield* Deferred.succeed(provider.answer, undefined)
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(yield* statusesOf(organization, [first, second, held]), ["sent", "sent", "sent"])
      assert.isFalse(seen.some((ids) => ids.includes(first.id) && ids.includes(second.id)))
    }))
})
