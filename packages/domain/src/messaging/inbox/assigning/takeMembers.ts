import { DateTime, Effect } from "effect"
import { Members } from "../../../platform/identity/index.ts"
import { Locks, type UserId } from "../../../kernel/index.ts"
import { AssignmentQueue, type WaitingConversation } from "./AssignmentQueue.ts"
import { isFree, plannedFor } from "./plan.ts"
import { Workloads } from "./Workloads.ts"

/** For so long a conversation waits for a member. */
export const queueHours = 24

/** How many conversations are handed out in one unit of work. */
export const handedAtOnce = 50

/** Up to when a conversation had to be put in, so as not to wait any more. */
export const expiredBy = (now: DateTime.Utc): DateTime.Utc => DateTime.subtract(now, { hours: queueHours })

/**
 * Says whom the conversations that wait first are handed to, and one more that is about to wait, if there is one. Nobody else hands any
 * out, and those who get one stay members and available as they are, until this unit of work ends. Call it before a conversation
 * is taken: whoever removes a member takes both in that order, too.
 */
export const takeMembers = Effect.fnUntraced(function* (newcomer: WaitingConversation | null) {
  const workloads = yield* Workloads
  const members = yield* Members
  yield* (yield* Locks).exclusive("assignments")
  const now = yield* DateTime.now
  const taken = new Set<UserId>()
  while (true) {
    const all = yield* workloads.all()
    const free = all.filter(isFree).map(({ memberId }) => memberId)
    const queued = free.length === 0 ? [] : yield* (yield* AssignmentQueue).next(expiredBy(now), free, handedAtOnce)
    const others = queued.filter(({ conversationId }) => conversationId !== newcomer?.conversationId)
    const planned = plannedFor(newcomer === null ? others : [...others, newcomer], all, now)
    const strangers = new Set(planned.map(({ assigneeId }) => assigneeId)).difference(taken)
    // What was read of somebody before they were taken may have changed since.
    if (strangers.size === 0) return { planned, isMore: queued.length === handedAtOnce }
    for (const userId of [...strangers].toSorted()) {
      yield* members.lockByUser(userId)
      taken.add(userId)
    }
  }
})
