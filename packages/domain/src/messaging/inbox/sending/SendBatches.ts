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
 * Does for many what each asks for by itself: those who ask until `gathered` completes are done as one, and each is given its own part of
 * the answer. What fails fails for all of them.
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
 * What storage is asked for messages of an account that are sent side by side. Each asks for itself, and those who ask at about the same
 * time are answered by a set; where a set fails, each of it is done alone.
 */
export interface SendBatches {
  readonly read: (lease: SendLease) => Effect.Effect<PendingMessage>
  /** Stores that the provider is called from now on; `null` when it must not be. */
  readonly begin: (lease: SendLease) => Effect.Effect<SendLease | null>
  /** Stores what came of it. It fails where that could not be stored. */
  readonly settle: (settlement: Settlement) => Effect.Effect<void>
  /** One that was in hand is not any more. */
  readonly leave: () => void
}

/** As long as a set is being done, those who ask make the next one. */
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

/** Begins one of a set that failed. */
const startAlone = Effect.fnUntraced(function* (lease: SendLease) {
  const queue = yield* SendQueue
  const [begun] = yield* queue.beginAll([lease])
  if (begun !== undefined) return begun
  // It may be that the set was stored and its answer lost: no call has been made, and none is.
  yield* queue.giveBack(lease, yield* DateTime.now)
  return null
})

/** Those of one account, of which `inHand` says how many there are. */
export const makeSendBatches = Effect.fnUntraced(function* (chatAccountId: ChatAccountId, inHand: () => number) {
  let back = 0
  const allBack = Latch.makeUnsafe()
  const isAllBack = () => back >= inHand()
  const note = () => {
    if (isAllBack()) allBack.openUnsafe()
  }
  /** Nobody is waited for who is not to come. */
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
