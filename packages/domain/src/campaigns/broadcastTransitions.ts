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

/** What happens to broadcasts: what persons do, and what the service does by itself. */
export const broadcastTransitions = {
  schedule: { from: ["draft"], to: "scheduled" },
  unschedule: { from: ["scheduled"], to: "draft" },
  /** By a person, or when the schedule is due. */
  send: { from: ["draft", "scheduled"], to: "sending" },
  /** `notAfter` had passed when it could have started. */
  expire: { from: ["scheduled"], to: "cancelled" },
  /** It cannot be sent as it is any more: nothing more of it goes out. */
  fail: { from: ["sending"], to: "failed" },
  pause: { from: ["sending"], to: "paused" },
  resume: { from: ["paused"], to: "sending" },
  cancel: { from: ["scheduled", "sending", "paused"], to: "cancelled" },
  /** Nothing is left to send. This also applies to a paused broadcast. */
  complete: { from: ["sending", "paused"], to: "completed" }
} as const satisfies Readonly<Record<string, Transition>>
export type BroadcastTransition = keyof typeof broadcastTransitions

/** Where a broadcast can go from this status. */
export const allowedNextStatuses = (status: BroadcastStatus): ReadonlyArray<BroadcastStatus> => [
  ...new Set(
    Object.values<Transition>(broadcastTransitions).flatMap(({ from, to }) => (from.includes(status) ? [to] : []))
  )
]

/** What takes a broadcast from this status to that one. */
const transitionsBetween = (from: BroadcastStatus, to: BroadcastStatus) =>
  Object.entries<Transition>(broadcastTransitions).flatMap(([name, transition]) =>
    transition.to === to && transition.from.includes(from) ? [name] : []
  )

/** A broadcast does not go from this status to that one. */
export class BroadcastTransitionInvalid extends Schema.TaggedError<BroadcastTransitionInvalid>()(
  "BroadcastTransitionInvalid",
  { from: BroadcastStatus, to: BroadcastStatus, allowed: Schema.Array(BroadcastStatus) }
) {
  override get message() {
    const { allowed, from, to } = this
    const ways = transitionsBetween(from, to)
    if (ways.length > 0) return `A broadcast that is ${from} becomes ${to} by ${ways.join(" or ")}, not by this.`
    return allowed.length === 0
      ? `A broadcast that is ${from} stays so: it cannot become ${to}.`
      : `A broadcast that is ${from} cannot become ${to}. It can become ${allowed.join(" or ")}.`
  }
}

/** The status after a transition, if there is one from this status. */
export const nextBroadcastStatus = (
  from: BroadcastStatus,
  transition: BroadcastTransition
): Effect.Effect<BroadcastStatus, BroadcastTransitionInvalid> => {
  const row: Transition = broadcastTransitions[transition]
  return row.from.includes(from)
    ? Effect.succeed(row.to)
    : Effect.fail(new BroadcastTransitionInvalid({ from, to: row.to, allowed: allowedNextStatuses(from) }))
}

/** Nothing more of it is sent, whatever is asked. */
export const hasEnded = (status: BroadcastStatus): boolean => allowedNextStatuses(status).length === 0
