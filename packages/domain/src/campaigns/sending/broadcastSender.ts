import { DateTime, Effect, FiberSet, Latch } from "effect"
import { layerPort } from "../../kernel/index.ts"
import type { ChatAccountId } from "../../messaging/chat/index.ts"
import { BulkSender, sendLaneAccountId, type SendingTurn, SendQueue } from "../../messaging/inbox/index.ts"
import type { LaneLease } from "../../platform/background/index.ts"
import { Organizations } from "../../platform/identity/index.ts"
import type { Broadcast } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import { RecipientLedger } from "../RecipientLedger.ts"
import { apply, type Interpreter, perform } from "./interpreter.ts"
import { nextAutomaticStep } from "./lifecycle.ts"
import { dailyLimitRetryInterval } from "./limits.ts"
import { newSenderState, sendsOf } from "./state.ts"
import { recoverFromPreviousOwner, saveCallResults } from "./store.ts"

/** Applies a tick. A wake-up after it ends the next sleep. */
const tick = Effect.fnUntraced(function* (interpreter: Interpreter) {
  const { pace } = interpreter.turn
  const [now, rate, readyIn] = [yield* DateTime.now, yield* pace.rate, yield* pace.readyIn]
  return yield* Effect.sync(() => {
    interpreter.woken.closeUnsafe()
    return apply(interpreter, { _tag: "Tick", now, rate, readyIn })
  })
})

/** Stores the remaining results after the end of sending. */
const storeRest = (interpreter: Interpreter) =>
  Effect.suspend(() =>
    Effect.forEach(
      sendsOf(interpreter.state).filter(({ results }) => results.length > 0),
      ({ id, results }) => saveCallResults(id, results, false),
      { discard: true }
    )
  )

/**
 * Sends the broadcasts of an account in turn, as the lane owner: claims recipients, calls the provider at the account's pace and stores the results.
 * Returns when nothing is in flight and nothing is due soon.
 */
const sendBroadcasts = Effect.fnUntraced(function* (lane: LaneLease, turn: SendingTurn) {
  const accountId = sendLaneAccountId(lane)
  if ((yield* (yield* RecipientLedger).active(accountId)).length === 0) return
  yield* recoverFromPreviousOwner(lane, turn.pace)
  yield* Effect.scoped(
    Effect.gen(function* () {
      // Runs after all calls have ended, even after a loss of the lane, because only this process has their results.
      yield* Effect.addFinalizer(() => storeRest(interpreter))
      const interpreter: Interpreter = {
        state: newSenderState(accountId),
        lane,
        turn,
        running: yield* FiberSet.make<void>(),
        woken: Latch.makeUnsafe(),
        stops: new Map(),
        files: new Map(),
        unanswered: { isNoted: false }
      }
      while (true) {
        const commands = yield* tick(interpreter)
        if (commands.some(({ _tag }) => _tag === "End")) return
        yield* Effect.forEach(commands, (command) => perform(interpreter, command), { discard: true })
      }
    })
  )
})

/** End of the known wait of a broadcast, apart from the due times of recipients. The daily limit is checked again before that. */
const waitEndsAt = ({ waiting }: Broadcast, now: DateTime.Utc) => {
  const until = waiting?.reason === "local_time" ? null : (waiting?.until ?? null)
  if (until === null || waiting?.reason !== "daily_limit") return until
  return DateTime.min(until, DateTime.addDuration(now, dailyLimitRetryInterval))
}

const latest = (times: ReadonlyArray<DateTime.Utc | null>): DateTime.Utc | null =>
  times
    .filter((time) => time !== null)
    .toSorted(DateTime.Order)
    .at(-1) ?? null

/** Returns when the broadcasts of an account have work; `null` without any. */
const nextDue = Effect.fnUntraced(function* (account: ChatAccountId) {
  const active = yield* (yield* RecipientLedger).active(account)
  if (active.length === 0) return null
  const now = yield* DateTime.now
  const broadcasts = yield* Broadcasts
  const organization = yield* (yield* Organizations).current()
  const { restsUntil } = yield* (yield* SendQueue).standing(account)
  const times = yield* Effect.forEach(active, (each) =>
    Effect.match(broadcasts.get(each.broadcastId), {
      onFailure: () => [],
      onSuccess: (broadcast) => {
        // Recipients in flight belong to an owner that has died.
        if (each.stats.inFlight > 0 || (each.isRecalled && each.status === "sending")) return [now]
        const { at, by } = nextAutomaticStep(each, broadcast, organization, now)
        const waits = [at, each.status === "sending" ? waitEndsAt(broadcast, now) : null, restsUntil]
        return [by, at === null ? null : latest(waits)]
      }
    })
  )
  const [next] = times
    .flat()
    .filter((time) => time !== null)
    .toSorted(DateTime.Order)
  return next ?? null
})

/** Broadcasts, sent by the lane owner of their account. */
export const layerBulkSender = layerPort(BulkSender, {
  name: "broadcasts",
  run: sendBroadcasts,
  nextDue
})
