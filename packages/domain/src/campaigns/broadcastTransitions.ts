import { Effect, Schema } from "effect"

export const BroadcastStatus = Schema.Literals([
  "draft",
  "scheduled",
  "sending",
  "paused",
  "completed",
  "cancelled",
  "failed"
])
export type BroadcastStatus = typeof BroadcastStatus.Type

interface Transition {
  readonly from: ReadonlyArray<BroadcastStatus>
  readonly to: BroadcastStatus
}

/** Transitions of broadcasts, by members and by the service. */
export const broadcastTransitions = {
  schedule: { from: ["draft"], to: "scheduled" },
  unschedule: { from: ["scheduled"], to: "draft" },
  /** By a member, or when the schedule is due. */
  send: { from: ["draft", "scheduled"], to: "sending" },
  /** `notAfter` had passed before the start was possible. */
  expire: { from: ["scheduled"], to: "cancelled" },
  /** The broadcast cannot be sent in its current state, and sends nothing more. */
  fail: { from: ["sending"], to: "failed" },
  pause: { from: ["sending"], to: "paused" },
  resume: { from: ["paused"], to: "sending" },
  cancel: { from: ["scheduled", "sending", "paused"], to: "cancelled" },
  /** Nothing is left to send. This also applies to a paused broadcast. */
  complete: { from: ["sending", "paused"], to: "completed" }
} as const satisfies Readonly<Record<string, Transition>>
export type BroadcastTransition = keyof typeof broadcastTransitions

/** Returns the next statuses that this status allows. */
export const allowedNextStatuses = (status: BroadcastStatus): ReadonlyArray<BroadcastStatus> => [
  ...new Set(
    Object.values<Transition>(broadcastTransitions).flatMap(({ from, to }) => (from.includes(status) ? [to] : []))
  )
]

/** Finds the transitions from one status to another. */
const transitionsBetween = (from: BroadcastStatus, to: BroadcastStatus) =>
  Object.entries<Transition>(broadcastTransitions).flatMap(([name, transition]) =>
    transition.to === to && transition.from.includes(from) ? [name] : []
  )

/** The status does not allow this transition. */
export class BroadcastTransitionInvalid extends Schema.TaggedError<BroadcastTransitionInvalid>()(
  "BroadcastTransitionInvalid",
  { from: BroadcastStatus, to: BroadcastStatus, allowed: Schema.Array(BroadcastStatus) }
) {
  override get message() {
    const { allowed, from, to } = this
    const ways = transitionsBetween(from, to)
    if (ways.length > 0)
      return `A broadcast that is ${from} becomes ${to} with ${ways.join(" or ")}, not with this call.`
    return allowed.length === 0
      ? `A broadcast that is ${from} cannot become ${to}.`
      : `A broadcast that is ${from} cannot become ${to}. It can become ${allowed.join(" or ")}.`
  }
}

/** Returns the status after a transition, if this status allows it. */
export const nextBroadcastStatus = (
  from: BroadcastStatus,
  transition: BroadcastTransition
): Effect.Effect<BroadcastStatus, BroadcastTransitionInvalid> => {
  const row: Transition = broadcastTransitions[transition]
  return row.from.includes(from)
    ? Effect.succeed(row.to)
    : Effect.fail(new BroadcastTransitionInvalid({ from, to: row.to, allowed: allowedNextStatuses(from) }))
}

/** Whether the status is final, so nothing more is sent. */
export const hasEnded = (status: BroadcastStatus): boolean => allowedNextStatuses(status).length === 0
