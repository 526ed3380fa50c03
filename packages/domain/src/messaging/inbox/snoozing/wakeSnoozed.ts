import { DateTime, Duration, Effect } from "effect"
import { asSystem, transact } from "../../../kernel/index.ts"
import { type LaneLease, LaneQueue, laneWork, workDue } from "../../../platform/background/index.ts"
import { appendEvent } from "../appendEvent.ts"
import type { Conversation } from "../Conversation.ts"
import { Conversations } from "../Conversations.ts"
import { SnoozeClock, snoozesWork } from "../SnoozeClock.ts"
import { inStatus } from "../states.ts"

/** How many organizations a process wakes conversations of at once. */
const organizationsAtOnce = 4

/** For how long one organization is worked for before another one's turn comes. */
const turn = Duration.seconds(3)

const mostAtOnce = 200

const within = asSystem("snooze")

const isDue = ({ snoozedUntil, status }: Conversation, now: DateTime.Utc) =>
  status === "snoozed" && snoozedUntil !== null && DateTime.isLessThanOrEqualTo(snoozedUntil, now)

/** Ends the turn where nothing more is due, in the unit of work of what was. */
const endTurn = Effect.fnUntraced(function* (lane: LaneLease) {
  const queue = yield* LaneQueue
  if (!(yield* queue.isolate(lane))) {
    yield* queue.hold(lane)
    return undefined
  }
  const next = yield* (yield* SnoozeClock).nextDue()
  yield* next === null ? queue.close(lane) : queue.postpone(lane, next)
  return "closed" as const
})

/** Wakes a batch in one unit of work. */
const wakeBatch = Effect.fnUntraced(function* (lane: LaneLease) {
  const conversations = yield* Conversations
  const now = yield* DateTime.now
  const ids = yield* (yield* SnoozeClock).due(now, mostAtOnce)
  const due = (yield* conversations.lock(ids)).filter((conversation) => isDue(conversation, now))
  yield* conversations.saveAll(yield* Effect.forEach(due, (conversation) => inStatus(conversation, "open", now)))
  for (const { chatAccountId, id: conversationId } of due) {
    yield* appendEvent({
      type: "conversation.status_changed",
      conversationId,
      from: "snoozed",
      to: "open",
      chatAccountId
    })
  }
  if (ids.length < mostAtOnce) return yield* endTurn(lane)
  yield* (yield* LaneQueue).hold(lane)
  return "more" as const
}, transact)

/** Wakes what is due in the organization until nothing is, or the turn is over. */
const wakeInTurn = Effect.fnUntraced(function* (lane: LaneLease) {
  const end = DateTime.addDuration(yield* DateTime.now, turn)
  while (true) {
    const ended = yield* wakeBatch(lane)
    if (ended !== "more") return ended
    if (DateTime.isGreaterThanOrEqualTo(yield* DateTime.now, end)) return undefined
  }
})

/** Snoozed conversations are woken organization by organization. */
export const snoozes = laneWork({
  name: snoozesWork,
  concurrency: organizationsAtOnce,
  run: (lane) => within(lane.organizationId)(wakeInTurn(lane)),
  nextDue: (lane) => within(lane.organizationId)(Effect.flatMap(SnoozeClock, (clock) => clock.nextDue()))
})

/** Opens the snoozed conversations whose time has come, of all organizations that nobody else wakes them of. */
export const wakeSnoozed = workDue(snoozes)
