import { DateTime, Duration, Equal } from "effect"
import type { Organization } from "../../platform/identity/index.ts"
import type { BroadcastWaiting } from "../Broadcast.ts"
import type { ActiveBroadcast } from "../RecipientLedger.ts"
import { nextAutomaticStep } from "./lifecycle.ts"
import {
  type AccountSnapshot,
  type BroadcastSend,
  type InputOf,
  newBroadcastSend,
  type SenderCommand,
  type SenderState,
  sendsOf,
  type Step
} from "./state.ts"

const millis = DateTime.toEpochMillis

/** Changes the displayed wait of the broadcast. */
export const showWait = (send: BroadcastSend, waiting: BroadcastWaiting | null) => ({
  send: { ...send, waiting },
  commands: Equal.equals(send.waiting, waiting) ? [] : [{ _tag: "ShowWait", id: send.id, waiting } as const]
})

/** Starts no more calls of the broadcast. */
export const stopSend = (send: BroadcastSend) =>
  send.phase === "sending"
    ? { send: { ...send, phase: "stopping" } as const, commands: [{ _tag: "Stop", id: send.id } as const] }
    : { send, commands: [] }

/** Data that all broadcasts of the account share. */
interface Shared {
  readonly now: DateTime.Utc
  readonly organization: Organization
  /** End of the account's backoff; `null` without one. */
  readonly restsUntil: DateTime.Utc | null
}

/** Result for a broadcast. Sending waits until the end of a backoff, other work does not. */
interface Reconciled {
  readonly send: BroadcastSend | null
  readonly commands: ReadonlyArray<SenderCommand>
  readonly isReady: boolean
  readonly sendAt: DateTime.Utc | null
  readonly workAt: DateTime.Utc | null
}

/** Retries are due within seconds, so they are not shown. */
const minVisibleWait = Duration.minutes(1)

/** Wait reason of the next due recipient; `null` for retries. After a takeover, the stored reason of a delayed recipient applies. */
const nextWaitReason = (send: BroadcastSend, { isNextPutOff, nextDueAt }: ActiveBroadcast, now: DateTime.Utc) => {
  if (nextDueAt === null) return null
  if (isNextPutOff) return send.postponeReason
  const { schedule } = send.broadcast
  const followsContacts = schedule?.localAt !== undefined && schedule.zone === "contact"
  const isVisible = DateTime.isGreaterThan(nextDueAt, DateTime.addDuration(now, minVisibleWait))
  return followsContacts && isVisible ? "local_time" : null
}

const hasDueRecipients = ({ listed, mark, nextDueAt }: ActiveBroadcast, now: DateTime.Utc) =>
  mark < listed || (nextDueAt !== null && DateTime.isLessThanOrEqualTo(nextDueAt, now))

/** Returns the wait to display. */
const currentWaiting = (
  send: BroadcastSend,
  progress: ActiveBroadcast,
  { now, restsUntil }: Shared
): BroadcastWaiting | null => {
  if (restsUntil !== null) return { reason: "account_resting", until: restsUntil }
  const reason = nextWaitReason(send, progress, now)
  if (reason === null || send.inFlight > 0 || hasDueRecipients(progress, now)) return send.waiting
  return { reason, until: progress.nextDueAt }
}

/** Starts the freeze of the audience, and shows the wait of a broadcast in status `sending`. */
const reconcileSending = (
  known: BroadcastSend,
  progress: ActiveBroadcast,
  shared: Shared
): Pick<Reconciled, "commands" | "isReady" | "send"> => {
  const freezes = !progress.isFrozen && !known.isFreezing
  const freeze: ReadonlyArray<SenderCommand> = freezes ? [{ _tag: "Freeze", id: known.id }] : []
  const send = freezes ? { ...known, isFreezing: true } : known
  const shown = showWait(send, currentWaiting(send, progress, shared))
  const isReady = shared.restsUntil === null && hasDueRecipients(progress, shared.now)
  return { send: shown.send, commands: [...freeze, ...shown.commands], isReady }
}

/** A resumed broadcast continues after all earlier results are stored. */
const canRestart = ({ inFlight, phase }: BroadcastSend, { status }: ActiveBroadcast) =>
  phase !== "sending" && inFlight === 0 && status === "sending"

const reconcileBroadcast = (
  known: BroadcastSend | null,
  { broadcast, progress }: AccountSnapshot["broadcasts"][number],
  shared: Shared
): Reconciled => {
  const { now, organization, restsUntil } = shared
  const isSending = progress.status === "sending"
  const current = known === null || canRestart(known, progress) ? null : { ...known, broadcast }
  const stopped = current === null || isSending ? { send: current, commands: [] } : stopSend(current)
  const { at, by, step } = nextAutomaticStep(progress, broadcast, organization, now)
  if (step !== null) {
    // The completion publishes the progress.
    const isReported = step === "complete"
    const { send } = stopped
    return {
      send: send === null ? null : { ...send, hasUnreportedProgress: send.hasUnreportedProgress && !isReported },
      commands: [...stopped.commands, { _tag: "RunStep", broadcast, step }],
      isReady: false,
      sendAt: null,
      workAt: now
    }
  }
  const recalls = progress.isRecalled && isSending
  const isDue = isSending && hasDueRecipients(progress, now)
  const recall: ReadonlyArray<SenderCommand> = recalls ? [{ _tag: "Recall", id: broadcast.id, now }] : []
  const times = {
    sendAt: at !== null && (!isDue || restsUntil !== null) ? at : null,
    workAt: recalls ? now : by
  }
  const send = stopped.send ?? { ...newBroadcastSend(broadcast, progress), isFreezing: known?.isFreezing === true }
  if (!isSending || send.phase !== "sending") {
    return { ...times, send: stopped.send, commands: [...stopped.commands, ...recall], isReady: false }
  }
  const sending = reconcileSending(send, progress, shared)
  return { ...times, ...sending, commands: [...recall, ...sending.commands] }
}

const earliest = (times: ReadonlyArray<number>): number | null => (times.length === 0 ? null : Math.min(...times))

/** Applies the stored state of the account: runs due transitions, and selects the sendable broadcasts. */
export const onLoaded = (state: SenderState, { now, snapshot }: InputOf<"Loaded">): Step => {
  const { backoff, organization } = snapshot
  const isResting = backoff.restsUntil !== null && DateTime.isGreaterThan(backoff.restsUntil, now)
  const restsUntil = isResting ? backoff.restsUntil : null
  const broadcasts = snapshot.broadcasts.map((each) => ({
    id: each.broadcast.id,
    ...reconcileBroadcast(state.broadcasts.get(each.broadcast.id) ?? null, each, { now, organization, restsUntil })
  }))
  const missing = sendsOf(state)
    .filter(({ id }) => broadcasts.every((each) => each.id !== id))
    .map(stopSend)
  const sends = [...broadcasts.flatMap(({ send }) => send ?? []), ...missing.map(({ send }) => send)]
  const sendTimes = broadcasts.flatMap(({ sendAt }) => (sendAt === null ? [] : millis(sendAt)))
  const workTimes = broadcasts.flatMap(({ workAt }) => (workAt === null ? [] : millis(workAt)))
  const resting = restsUntil === null ? 0 : millis(restsUntil)
  return {
    state: {
      ...state,
      backoff,
      broadcasts: new Map(sends.map((send) => [send.id, { ...send, context: null }])),
      ready: broadcasts.filter(({ isReady }) => isReady).map(({ id }) => id),
      dueAt: earliest([...workTimes, ...sendTimes.map((at) => Math.max(at, resting))])
    },
    commands: [...broadcasts, ...missing].flatMap(({ commands }) => commands)
  }
}
