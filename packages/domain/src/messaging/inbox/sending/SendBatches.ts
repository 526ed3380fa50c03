import { DateTime, Effect, Exit, Latch, Request, RequestResolver } from "effect"
import type { ChatAccountId } from "../../chat/index.ts"
import { type SendLease, SendQueue } from "../SendQueue.ts"
import { batchWindow } from "./backoff.ts"
import { loadForSending, type PendingMessage } from "./sendPreparation.ts"
import { settleAll, type Settlement } from "./settlement.ts"

interface BatchRequest<Item, A> extends Request.Request<A> {
  readonly item: Item
}

/**
 * Batches concurrent calls. Items that arrive until `gathered` completes form one batch, and each caller gets its own part of the result. A failure
 * fails the whole batch.
 */
const batchCalls = Effect.fnUntraced(function* <Item, A, R>(
  all: (items: ReadonlyArray<Item>) => Effect.Effect<(item: Item) => A, never, R>,
  gathered: Effect.Effect<void>
) {
  const services = yield* Effect.context<R>()
  const asked = Request.of<BatchRequest<Item, A>>()
  const resolver = RequestResolver.make<BatchRequest<Item, A>>((entries) =>
    Effect.map(Effect.provideContext(all(entries.map(({ request }) => request.item)), services), (answer) => {
      for (const entry of entries) entry.completeUnsafe(Exit.succeed(answer(entry.request.item)))
    })
  ).pipe(RequestResolver.setDelayEffect(gathered))
  return (item: Item): Effect.Effect<A> => Effect.request(asked({ item }), resolver)
})

/**
 * Storage calls for messages of an account that are sent concurrently. Calls at about the same time are batched. If a batch fails, each of its items
 * is retried alone.
 */
export interface SendBatches {
  readonly read: (lease: SendLease) => Effect.Effect<PendingMessage>
  /** Stores that the provider call starts now; `null` if it must not start. */
  readonly begin: (lease: SendLease) => Effect.Effect<SendLease | null>
  /** Stores the result of a call. Fails if the result could not be stored. */
  readonly settle: (settlement: Settlement) => Effect.Effect<void>
  /** Reports that a message is no longer in flight. */
  readonly leave: () => void
}

/** Collects the next batch while one batch runs. */
const batchSequentially = Effect.fnUntraced(function* <Item, A, R>(
  all: (items: ReadonlyArray<Item>) => Effect.Effect<(item: Item) => A, never, R>
) {
  const free = Latch.makeUnsafe(true)
  const exclusively = (items: ReadonlyArray<Item>) =>
    Effect.suspend(() => {
      free.closeUnsafe()
      return Effect.ensuring(all(items), free.open)
    })
  return yield* batchCalls(exclusively, Effect.andThen(Effect.yieldNow, free.await))
})

const startAll = Effect.fnUntraced(function* (leases: ReadonlyArray<SendLease>) {
  const begun = new Map((yield* (yield* SendQueue).beginAll(leases)).map((lease) => [lease.messageId, lease]))
  return ({ messageId }: SendLease) => begun.get(messageId) ?? null
})

/** Starts one message of a failed batch. */
const startAlone = Effect.fnUntraced(function* (lease: SendLease) {
  const queue = yield* SendQueue
  const [begun] = yield* queue.beginAll([lease])
  if (begun !== undefined) return begun
  // The batch may be stored although its answer was lost. No call was made, and none is made now.
  yield* queue.giveBack(lease, yield* DateTime.now)
  return null
})

/** Creates the batches of one account. `inHand` returns the number of messages in flight. */
export const makeSendBatches = Effect.fnUntraced(function* (chatAccountId: ChatAccountId, inHand: () => number) {
  let back = 0
  const allBack = Latch.makeUnsafe()
  const isAllBack = () => back >= inHand()
  const note = () => {
    if (isAllBack()) allBack.openUnsafe()
  }
  /** Skips the wait when no message in flight can still arrive. */
  const window = Effect.suspend(() => {
    if (isAllBack()) return Effect.yieldNow
    allBack.closeUnsafe()
    const last = Effect.andThen(allBack.await, Effect.yieldNow)
    return Effect.timeoutOrElse(last, { duration: batchWindow, orElse: () => Effect.void })
  })

  const read = yield* batchSequentially((leases: ReadonlyArray<SendLease>) => loadForSending(chatAccountId, leases))
  const begin = yield* batchSequentially(startAll)
  const settle = yield* batchCalls(
    (settlements: ReadonlyArray<Settlement>) => Effect.as(settleAll(chatAccountId, settlements), () => undefined),
    window
  )
  const services =
    yield* Effect.context<Effect.Services<ReturnType<typeof loadForSending> | ReturnType<typeof startAlone>>>()

  return {
    read: (lease) =>
      Effect.catchDefect(read(lease), () =>
        Effect.map(loadForSending(chatAccountId, [lease]), (toSend) => toSend(lease)).pipe(
          Effect.provideContext(services)
        )
      ),
    begin: (lease) => Effect.catchDefect(begin(lease), () => Effect.provideContext(startAlone(lease), services)),
    settle: (settlement) =>
      Effect.suspend(() => {
        back += 1
        note()
        return Effect.ensuring(
          settle(settlement),
          Effect.sync(() => (back -= 1))
        )
      }),
    leave: note
  } satisfies SendBatches
})
