import { DateTime, Duration } from "effect"
import { accountLimit, planBatch, sendableIds } from "./batch.ts"
import { canClaimDirectly } from "./claim.ts"
import { idleGrace, nextTurn, progressInterval, reconcileInterval, resultFlushDelay, windowSize } from "./limits.ts"
import { hasNoSideEffects } from "./prepareCalls.ts"
import { showWait } from "./reconcile.ts"
import {
  type BroadcastSend,
  type CommandOf,
  type InputOf,
  type SenderCommand,
  type SenderState,
  sendsOf,
  type Stage,
  type Step,
  withoutSend,
  withSend
} from "./state.ts"

const millis = DateTime.toEpochMillis

type Tick = InputOf<"Tick">

/** Returns the time of the next progress event; `null` if the last one is current. */
const nextProgressAt = ({ hasUnreportedProgress, progressReportedAt }: BroadcastSend): number | null => {
  if (!hasUnreportedProgress) return null
  return progressReportedAt === null ? 0 : millis(DateTime.addDuration(progressReportedAt, progressInterval))
}

const isProgressDue = (send: BroadcastSend, now: DateTime.Utc) => {
  const at = nextProgressAt(send)
  return at !== null && at <= millis(now)
}

const isLoadDue = ({ reconcileAt }: SenderState, now: DateTime.Utc) => millis(now) >= reconcileAt

/** The last results of a stopped broadcast always report its progress. */
const isLastOfStopped = ({ inFlight, phase, results }: BroadcastSend) =>
  phase !== "sending" && results.length === inFlight

/** Stores the results of a broadcast, and publishes its progress if it is due. */
export const storeResults = (state: SenderState, send: BroadcastSend, now: DateTime.Utc): Step => {
  const { id, results } = send
  const progressed = { ...send, hasUnreportedProgress: send.hasUnreportedProgress || results.length > 0 }
  const reportsProgress = progressed.hasUnreportedProgress && (isLastOfStopped(send) || isProgressDue(progressed, now))
  const reported = reportsProgress ? { hasUnreportedProgress: false, progressReportedAt: now } : {}
  const commands: ReadonlyArray<SenderCommand> =
    results.length > 0 || reportsProgress ? [{ _tag: "Store", id, results, reportsProgress }] : []
  return { state: withSend(state, { ...progressed, ...reported }), commands }
}

/** Applies a step to each broadcast in turn. */
const forEachSend = (state: SenderState, step: (state: SenderState, send: BroadcastSend) => Step): Step => {
  let current = state
  const commands: Array<SenderCommand> = []
  for (const send of sendsOf(state)) {
    const next = step(current, send)
    current = next.state
    commands.push(...next.commands)
  }
  return { state: current, commands }
}

/** Records a stop after the last possible call start, and removes the broadcast after its last result. */
const settleStopped = (state: SenderState, send: BroadcastSend, now: DateTime.Utc): Step => {
  const isStopping = send.phase === "stopping"
  const stores = isStopping || isLastOfStopped(send) || isLoadDue(state, now)
  const stored = stores ? storeResults(state, send, now) : { state, commands: [] }
  const record: ReadonlyArray<SenderCommand> = isStopping ? [{ _tag: "RecordStop", id: send.id }] : []
  const current: BroadcastSend = { ...(stored.state.broadcasts.get(send.id) ?? send), phase: "stopped" }
  const hasEnded = send.inFlight === 0 && !send.isFreezing
  return {
    state: hasEnded ? withoutSend(stored.state, send.id) : withSend(stored.state, current),
    commands: [...stored.commands, ...record]
  }
}

/** Stores due progress, and results that affect more than their recipients. The next claim stores the other results. */
const settle = (state: SenderState, { now }: Tick): Step =>
  forEachSend({ ...state, stage: "reconcile", isWoken: false }, (current, send) => {
    if (send.phase !== "sending" && send.pendingCalls === 0) return settleStopped(current, send, now)
    const isDue = isProgressDue(send, now) || !send.results.every(hasNoSideEffects)
    return isDue ? storeResults(current, send, now) : { state: current, commands: [] }
  })

const reconcile = (state: SenderState, { now }: Tick): Step => {
  const next: SenderState = { ...state, stage: "claim" }
  if (!isLoadDue(state, now)) return { state: next, commands: [] }
  const known = new Map(sendsOf(state).map(({ broadcast, id }) => [id, broadcast]))
  return { state: { ...next, reconcileAt: millis(now) + reconcileInterval }, commands: [{ _tag: "Load", known }] }
}

/** Ends the turns of a broadcast until the next reconcile shows whether recipients are left. */
export const withoutMore = (state: SenderState, { id, restsUntil }: BroadcastSend, now: DateTime.Utc): SenderState => ({
  ...state,
  ready: restsUntil <= millis(now) ? state.ready.filter((each) => each !== id) : state.ready,
  reconcileAt: 0
})

/** Claims in a unit of work, after the storage of all results. Candidates that were found earlier can be claimed by then. */
export const claimByWindow = (
  state: SenderState,
  send: BroadcastSend,
  { context, limit }: Pick<CommandOf<"ClaimWindow">, "context" | "limit">,
  now: DateTime.Utc
): Step => {
  const stored = storeResults(state, { ...send, lookahead: null }, now)
  const { broadcast } = send
  return { ...stored, commands: [...stored.commands, { _tag: "ClaimWindow", broadcast, context, limit }] }
}

/** Claims recipients of the broadcast, or delays it. */
const claimBatch = (state: SenderState, send: BroadcastSend, capacity: number, { now, rate }: Tick): Step => {
  const { broadcast, context, lookahead, results } = send
  if (context === null) return { state: { ...state, stage: "claim" }, commands: [{ _tag: "LoadContext", broadcast }] }
  const plan = planBatch(send, context, capacity, now)
  const planned = { ...send, throttle: plan.throttle }
  if (plan.kind === "wait") {
    const { isShown, reason, until } = plan
    const waiting = isShown ? { reason, until } : send.waiting
    const shown = showWait({ ...planned, restsUntil: millis(until) }, waiting)
    return { state: withoutMore(withSend(state, shown.send), shown.send, now), commands: shown.commands }
  }
  const { limit } = plan
  if (!canClaimDirectly({ broadcast, context })) return claimByWindow(state, planned, { context, limit }, now)
  return {
    state: withSend(state, { ...planned, lookahead: null }),
    commands: [{ _tag: "Claim", broadcast, context, limit, ahead: windowSize(rate), lookahead, results }]
  }
}

/** Claims for the broadcast whose turn it is. */
const claim = (state: SenderState, tick: Tick): Step => {
  const { id, turns } = nextTurn(state.turns, sendableIds(state, millis(tick.now)))
  const send = id === undefined ? undefined : state.broadcasts.get(id)
  if (send === undefined) return { state: { ...state, turns, claimAt: null, stage: "flush" }, commands: [] }
  const { claimAt, limit } = accountLimit(state, send, tick)
  const after: SenderState = { ...state, turns, claimAt, stage: "settle" }
  return limit === 0 ? { state: { ...after, stage: "flush" }, commands: [] } : claimBatch(after, send, limit, tick)
}

const flush = (state: SenderState, { now }: Tick): Step =>
  forEachSend({ ...state, stage: "rest" }, (current, send) => storeResults(current, send, now))

/** Returns the time of the next action without notifications. On a slow account, sendable broadcasts wait for the next claim. */
const nextWakeAt = (state: SenderState, now: DateTime.Utc) => {
  const { claimAt, dueAt } = state
  const progress = sendsOf(state).flatMap((send) => nextProgressAt(send) ?? [])
  const rests = state.ready
    .map((id) => state.broadcasts.get(id)?.restsUntil ?? 0)
    .filter((at) => claimAt === null || at > millis(now))
  return Math.min(dueAt ?? Number.POSITIVE_INFINITY, claimAt ?? Number.POSITIVE_INFINITY, ...rests, ...progress)
}

/** Shortest sleep without calls in flight, in milliseconds. */
const minSleep = 20

/** Waits for results, or for other work if it is due soon. */
const rest = (state: SenderState, { now }: Tick): Step => {
  const next: SenderState = { ...state, stage: "settle" }
  if (state.isWoken || state.reconcileAt === 0) return { state: next, commands: [] }
  const isBusy = sendsOf(state).some(({ inFlight }) => inFlight > 0)
  if (isBusy) return { state: next, commands: [{ _tag: "Sleep", millis: Duration.toMillis(resultFlushDelay) }] }
  const wait = Math.max(nextWakeAt(state, now) - millis(now), 0)
  if (wait > Duration.toMillis(idleGrace)) return { state: next, commands: [{ _tag: "End" }] }
  return { state: { ...next, reconcileAt: 0 }, commands: [{ _tag: "Sleep", millis: Math.max(wait, minSleep) }] }
}

const stages: Readonly<Record<Stage, (state: SenderState, tick: Tick) => Step>> = {
  settle,
  reconcile,
  claim,
  flush,
  rest
}

/** Runs the stages of a round up to the next commands. */
export const onTick = (state: SenderState, tick: Tick): Step => {
  const next = stages[state.stage](state, tick)
  return next.commands.length > 0 ? next : onTick(next.state, tick)
}
