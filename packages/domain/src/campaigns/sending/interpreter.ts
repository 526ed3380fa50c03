import { DateTime, Effect, Exit, FiberSet, Latch } from "effect"
import { retryThroughOutage, transact } from "../../kernel/index.ts"
import type { ChatAccountId } from "../../messaging/chat/index.ts"
import { type SendingTurn, SendQueue, type UnansweredCalls } from "../../messaging/inbox/index.ts"
import { type LaneLease, LeaseLost } from "../../platform/background/index.ts"
import { Organizations } from "../../platform/identity/index.ts"
import type { Broadcast } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"
import { RecipientLedger } from "../RecipientLedger.ts"
import { loadSendContext, type ProviderFile } from "./SendContext.ts"
import { applyAnswer, callProvider } from "./call.ts"
import { failForRemovedAccount, pauseAccountBroadcasts, pauseAutomatically } from "./changeStatus.ts"
import { claimNext, claimWindow } from "./claim.ts"
import { freezeAudience, runAutomaticStep } from "./lifecycle.ts"
import { recallBatchSize } from "./limits.ts"
import { publishProgressReliably, saveCallResults } from "./store.ts"
import {
  type AccountSnapshot,
  type CommandOf,
  type SenderCommand,
  type SenderInput,
  type SenderState
} from "./state.ts"
import { step } from "./step.ts"

/** Loads the backoff and the broadcasts of an account. Only changed broadcasts are read. */
const loadAccount = Effect.fnUntraced(function* (account: ChatAccountId, known: ReadonlyMap<BroadcastId, Broadcast>) {
  const broadcasts = yield* Broadcasts
  const backoff = yield* (yield* SendQueue).standing(account)
  const active = yield* (yield* RecipientLedger).active(account)
  const organization = yield* (yield* Organizations).current()
  const loaded = yield* Effect.forEach(active, (progress) => {
    const { broadcastId, version } = progress
    const unchanged = known.get(broadcastId)
    if (unchanged?.version === version) return Effect.succeed([{ broadcast: unchanged, progress }])
    return Effect.match(broadcasts.get(broadcastId), {
      onFailure: () => [],
      onSuccess: (broadcast) => [{ broadcast, progress }]
    })
  })
  return { backoff, organization, broadcasts: loaded.flat() } satisfies AccountSnapshot
})

/** Interpreter of an account. Commands and concurrent calls read and replace the state between two effects. */
export interface Interpreter {
  state: SenderState
  readonly lane: LaneLease
  readonly turn: SendingTurn
  /** Calls in flight and running freezes. */
  readonly running: FiberSet.FiberSet<void>
  /** Opens to end a sleep. */
  readonly woken: Latch.Latch
  /** They open to end the waits for the pace of a broadcast. */
  readonly stops: Map<BroadcastId, Latch.Latch>
  /** Uploaded files at the provider. */
  readonly files: Map<string, ProviderFile>
  readonly unanswered: UnansweredCalls
}

type Executed = ReturnType<
  | typeof applyAnswer
  | typeof callProvider
  | typeof claimNext
  | typeof claimWindow
  | typeof failForRemovedAccount
  | typeof freezeAudience<never>
  | typeof loadAccount
  | typeof loadSendContext
  | typeof pauseAccountBroadcasts
  | typeof pauseAutomatically
  | typeof runAutomaticStep
  | typeof saveCallResults
>

type Services = Effect.Services<Executed>

type Performed = Effect.Effect<void, Effect.Error<Executed>, Services>

/** Applies an input, and returns the commands that follow from it. */
export const apply = (interpreter: Interpreter, input: SenderInput): ReadonlyArray<SenderCommand> => {
  const { commands, state } = step(interpreter.state, input)
  interpreter.state = state
  return commands
}

/** Applies an input and executes the commands that follow from it. */
const feed = (interpreter: Interpreter, input: SenderInput): Performed =>
  Effect.suspend(() =>
    Effect.forEach(apply(interpreter, input), (command) => perform(interpreter, command), { discard: true })
  )

/** Applies the input of a call. A failure of one command does not affect the others. */
const feedCall = (interpreter: Interpreter, input: SenderInput): Effect.Effect<void, never, Services> =>
  Effect.suspend(() =>
    Effect.forEach(
      apply(interpreter, input),
      (command) =>
        Effect.catchCause(perform(interpreter, command), (cause) =>
          Effect.logError(`${command._tag} failed after a call of ${interpreter.lane.key}`, cause)
        ),
      { discard: true }
    )
  )

const stopOf = ({ stops }: Interpreter, id: BroadcastId) => {
  const latch = stops.get(id) ?? Latch.makeUnsafe()
  stops.set(id, latch)
  return latch
}

/** Waits for the pace or for a stop. A claimed recipient always leads to a result, so only the wait is interruptible. */
const awaitPace = (interpreter: Interpreter, { call, context }: CommandOf<"AwaitPace">) => {
  const stopped = stopOf(interpreter, call.broadcastId)
  return Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const { pace } = interpreter.turn
      const granted = yield* Effect.exit(
        restore(Effect.raceFirst(Effect.as(pace.take("bulk"), true), Effect.as(stopped.await, false)))
      )
      const isGranted = Exit.isSuccess(granted) && granted.value
      const at = yield* DateTime.now
      yield* feedCall(interpreter, { _tag: "CallReady", call, context, at, isGranted })
    })
  )
}

/** Freezes the audience of a broadcast, concurrently with sending. */
const freeze = (interpreter: Interpreter, id: BroadcastId) =>
  freezeAudience(id, interpreter.lane, feedCall(interpreter, { _tag: "Frozen", id, hasEnded: false })).pipe(
    Effect.ensuring(feedCall(interpreter, { _tag: "Frozen", id, hasEnded: true }))
  )

/** Claims recipients and starts their calls, without an interruption in between. */
const claim = (interpreter: Interpreter, command: CommandOf<"Claim" | "ClaimWindow">): Performed =>
  Effect.uninterruptible(
    Effect.gen(function* () {
      const { broadcast, context, limit } = command
      const { lane } = interpreter
      const claim =
        command._tag === "Claim"
          ? yield* claimNext(lane, command)
          : yield* claimWindow(lane, { broadcast, context }, limit)
      const { id } = broadcast
      if (claim.kind === "lease_lost") {
        yield* feed(interpreter, { _tag: "Stored", id, results: claim.stored })
        return yield* new LeaseLost()
      }
      yield* feed(interpreter, { _tag: "Claimed", now: yield* DateTime.now, id, context, limit, claim })
    })
  )

const store = (interpreter: Interpreter, { id, reportsProgress, results }: CommandOf<"Store">): Performed => {
  const stored = results.length === 0 ? publishProgressReliably(id) : saveCallResults(id, results, reportsProgress)
  return Effect.uninterruptible(Effect.andThen(stored, feed(interpreter, { _tag: "Stored", id, results })))
}

const call = Effect.fnUntraced(function* (interpreter: Interpreter, { at, call, context }: CommandOf<"Call">) {
  const outcome = yield* callProvider(call, context)
  const now = yield* DateTime.now
  yield* feedCall(interpreter, { _tag: "CallFinished", call, calledAt: at, at: now, outcome })
})

const loadContext = Effect.fnUntraced(function* (interpreter: Interpreter, broadcast: Broadcast) {
  const context = yield* loadSendContext(broadcast, interpreter.files)
  if (context.unfit === undefined) yield* interpreter.turn.pace.allow(context.account.throughputPerSecond)
  yield* feed(interpreter, { _tag: "ContextLoaded", now: yield* DateTime.now, id: broadcast.id, context })
})

/** Waits for a notification of the lane, for a wake-up by a call, or until the time is over. */
const sleep = Effect.fnUntraced(function* (interpreter: Interpreter, millis: number) {
  const isNotified = yield* Effect.raceFirst(
    Effect.as(interpreter.turn.notification, true),
    Effect.timeoutOrElse(Effect.as(interpreter.woken.await, false), {
      duration: millis,
      orElse: () => Effect.succeed(false)
    })
  )
  if (isNotified) yield* feed(interpreter, { _tag: "Notified", by: "lane" })
})

const runInBackground = (interpreter: Interpreter, effect: Effect.Effect<void, unknown, Services>) =>
  Effect.asVoid(FiberSet.run(interpreter.running, effect))

/** Executes a command and feeds its result. */
export const perform = (interpreter: Interpreter, command: SenderCommand): Performed => {
  const { state, turn, unanswered } = interpreter
  switch (command._tag) {
    case "Load":
      return Effect.flatMap(loadAccount(state.accountId, command.known), (snapshot) =>
        Effect.flatMap(DateTime.now, (now) => feed(interpreter, { _tag: "Loaded", now, snapshot }))
      )
    case "LoadContext":
      return loadContext(interpreter, command.broadcast)
    case "Claim":
    case "ClaimWindow":
      return claim(interpreter, command)
    case "AwaitPace":
      return runInBackground(interpreter, awaitPace(interpreter, command))
    case "Call":
      return call(interpreter, command)
    case "ApplyAnswer":
      return applyAnswer(command, turn.pace, unanswered)
    case "Store":
      return store(interpreter, command)
    case "Stop":
      return Effect.sync(() => {
        stopOf(interpreter, command.id).openUnsafe()
        interpreter.stops.delete(command.id)
      })
    case "RecordStop":
      return Effect.flatMap(DateTime.now, (at) =>
        Effect.flatMap(RecipientLedger, (ledger) => ledger.stop(command.id, interpreter.lane.fence, at))
      )
    case "Pause":
      return retryThroughOutage(
        command.id === null
          ? pauseAccountBroadcasts(state.accountId, command.reason, command.refusal)
          : pauseAutomatically(command.id, command.reason, command.refusal)
      )
    case "FailRemoved":
      return failForRemovedAccount(command.id)
    case "RunStep":
      return runAutomaticStep(command.broadcast, command.step)
    case "Recall":
      return Effect.flatMap(RecipientLedger, (ledger) =>
        transact(ledger.recall(command.id, command.now, recallBatchSize))
      )
    case "Freeze":
      return runInBackground(interpreter, freeze(interpreter, command.id))
    case "ShowWait":
      return Effect.flatMap(RecipientLedger, (ledger) => ledger.wait(command.id, command.waiting))
    case "Wake":
      return Effect.andThen(interpreter.woken.open, feed(interpreter, { _tag: "Notified", by: "sender" }))
    case "Sleep":
      return sleep(interpreter, command.millis)
    case "End":
      return Effect.void
  }
}
