import { Cause, DateTime, Effect, Latch, Option } from "effect"
import { asSystem, isAway } from "../../../kernel/index.ts"
import { type LaneLease, laneWork, type Turn } from "../../../platform/background/index.ts"
import { accountOfLane, SendQueue, sendsWork } from "../SendQueue.ts"
import { AccountPaces } from "./AccountPaces.ts"
import { type AccountSender, AccountSenders, type SendingTurn } from "./AccountSenders.ts"
import { accountsAtOnce, longestTurn, lookForOthersEvery, senderRestAfter } from "./limits.ts"
import { sendMessages } from "./sendMessages.ts"

const within = asSystem("chat")

const isLost = (cause: Cause.Cause<unknown>) =>
  Option.exists(
    Cause.findErrorOption(cause),
    (error) => (error as { readonly _tag?: string } | null)?._tag === "LeaseLost"
  )

/** What another area does wrong keeps nobody's messages waiting: it is tried again, later and later. */
const goingOn = (sender: AccountSender<never>, lane: LaneLease, turn: SendingTurn) => {
  const attempt = (failures: number): Effect.Effect<void, unknown, Effect.Services<ReturnType<typeof sender.run>>> =>
    Effect.catchCauseIf(
      sender.run(lane, turn),
      (cause) => !Cause.hasInterrupts(cause) && !isLost(cause) && !isAway(cause),
      (cause) =>
        Effect.logError(`Sending ${sender.name} over ${lane.key} failed; it goes on`, cause).pipe(
          Effect.andThen(Effect.sleep(senderRestAfter(failures))),
          Effect.andThen(Effect.suspend(() => attempt(failures + 1)))
        )
    )
  return attempt(1)
}

/** Whoever has nothing to send now looks again at each notification, until nobody has anything. */
const besideEachOther = Effect.fnUntraced(function* <E, R>(
  runs: ReadonlyArray<(notification: Effect.Effect<void>) => Effect.Effect<void, E, R>>,
  { notification }: Turn
) {
  const latches = runs.map(() => Latch.makeUnsafe())
  const allIdle = Latch.makeUnsafe()
  let busy = runs.length
  const keep = runs.map((run, place) => {
    const latch = latches[place] ?? Latch.makeUnsafe()
    const told = Effect.andThen(latch.await, latch.close)
    const round = Effect.gen(function* () {
      yield* run(told)
      busy -= 1
      if (busy === 0) allIdle.openUnsafe()
      yield* told
      busy += 1
    })
    return Effect.forever(round)
  })
  const pass = Effect.map(notification, () => {
    for (const latch of latches) latch.openUnsafe()
  })
  yield* Effect.raceFirst(allIdle.await, Effect.all([Effect.forever(pass), ...keep], { concurrency: "unbounded" }))
})

/** An account that sends for long makes room when others wait for a place. */
const untilOthersWait = ({ isCrowded }: Turn) =>
  Effect.delay(
    Effect.repeat(Effect.delay(Effect.sync(isCrowded), lookForOthersEvery), { until: (crowded) => crowded }),
    longestTurn
  ).pipe(Effect.asVoid)

/** Sends whatever there is to send over an account, messages and what other areas send, at one pace. */
const sendOfAccount = Effect.fnUntraced(function* (lane: LaneLease, turn: Turn) {
  const others = yield* AccountSenders
  const pace = yield* (yield* AccountPaces).of(accountOfLane(lane), lane.fence)
  const messages = (notification: Effect.Effect<void>) => sendMessages(lane, { notification, pace })
  if (others.length === 0) return yield* messages(turn.notification)
  const all = [
    messages,
    ...others.map((sender) => (notification: Effect.Effect<void>) => goingOn(sender, lane, { notification, pace }))
  ]
  return yield* Effect.raceFirst(besideEachOther(all, turn), untilOthersWait(turn))
})

const nextDueOf = Effect.fnUntraced(function* (lane: LaneLease) {
  const id = accountOfLane(lane)
  const queue = yield* SendQueue
  const all = [queue.nextDue(id), ...(yield* AccountSenders).map(({ nextDue }) => nextDue(id))]
  const [next] = (yield* Effect.all(all)).filter((due) => due !== null).toSorted(DateTime.Order)
  return next ?? null
})

/** Whatever goes out over accounts is sent account by account. */
export const sends = laneWork({
  name: sendsWork,
  concurrency: accountsAtOnce,
  run: (lane, turn) => within(lane.organizationId)(sendOfAccount(lane, turn)),
  nextDue: (lane) => within(lane.organizationId)(nextDueOf(lane))
})
