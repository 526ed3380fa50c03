import { Context, DateTime, Duration, Effect, Equal } from "effect"
import { asSystem, CurrentOrganization, type OrganizationId, type TenantScoped, transact } from "../../kernel/index.ts"
import {
  type Lane,
  type LaneLease,
  LaneQueue,
  Lanes,
  defineLaneWorker,
  organizationLane,
  runDueLanes,
  type TaskName
} from "../../platform/background/index.ts"
import type { Conversation } from "./Conversation.ts"
import { Conversations } from "./Conversations.ts"
import type { ConversationId } from "./Message.ts"
import { withStatus } from "./conversationStates.ts"
import { appendEvent } from "./events.ts"

/** Name of the background task that wakes snoozed conversations. */
export const snoozeTaskName: TaskName = "snoozes"

/** One lane per organization: its conversations are woken in batches. */
export const snoozesLane = (organizationId: OrganizationId): Lane => organizationLane(snoozeTaskName, organizationId)

/** Wake-up times of the organization's snoozed conversations, for the lane owner. */
export class SnoozeTimers extends Context.Service<
  SnoozeTimers,
  TenantScoped<{
    /** Returns due conversations, longest overdue first, at most `limit`. */
    readonly due: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<ConversationId>>
    /** Time of the next wake-up; `null` if no conversation is snoozed. */
    readonly nextDue: () => Effect.Effect<DateTime.Utc | null>
  }>
>()("@parley/domain/messaging/inbox/SnoozeTimers") {}

interface SnoozeChange {
  readonly before: Pick<Conversation, "snoozedUntil">
  readonly after: Conversation
}

const changedWakeTime = ({ after, before }: SnoozeChange) =>
  after.status !== "snoozed" || Equal.equals(before.snoozedUntil, after.snoozedUntil) ? [] : (after.snoozedUntil ?? [])

/** Schedules the wake-up of conversations with a changed snooze time. */
export const scheduleWakeUps = Effect.fnUntraced(function* (changes: ReadonlyArray<SnoozeChange>) {
  const [first, ...others] = changes.flatMap(changedWakeTime)
  if (first === undefined) return
  const dueAt = others.reduce(DateTime.min, first)
  const { id } = yield* CurrentOrganization
  yield* (yield* Lanes).open({ ...snoozesLane(id), priority: "bulk", dueAt })
})

/** Maximum number of organizations whose conversations a process wakes concurrently. */
const maxConcurrentOrganizations = 4

/** Maximum turn of one organization before the next one starts. */
const turnDuration = Duration.seconds(3)

const batchSize = 200

const asSnoozeSystem = asSystem("snooze")

const isDue = ({ snoozedUntil, status }: Conversation, now: DateTime.Utc) =>
  status === "snoozed" && snoozedUntil !== null && DateTime.isLessThanOrEqualTo(snoozedUntil, now)

/** Ends the turn if nothing is due, in the same unit of work as the last wake-up. */
const endTurn = Effect.fnUntraced(function* (lane: LaneLease) {
  const queue = yield* LaneQueue
  if (!(yield* queue.isolate(lane))) {
    yield* queue.hold(lane)
    return undefined
  }
  const next = yield* (yield* SnoozeTimers).nextDue()
  yield* next === null ? queue.close(lane) : queue.postpone(lane, next)
  return "closed" as const
})

/** Wakes a batch in one unit of work. */
const wakeBatch = Effect.fnUntraced(function* (lane: LaneLease) {
  const conversations = yield* Conversations
  const now = yield* DateTime.now
  const ids = yield* (yield* SnoozeTimers).due(now, batchSize)
  const due = (yield* conversations.lock(ids)).filter((conversation) => isDue(conversation, now))
  yield* conversations.saveAll(yield* Effect.forEach(due, (conversation) => withStatus(conversation, "open", now)))
  for (const { chatAccountId, id: conversationId } of due) {
    yield* appendEvent({
      type: "conversation.status_changed",
      conversationId,
      from: "snoozed",
      to: "open",
      chatAccountId
    })
  }
  if (ids.length < batchSize) return yield* endTurn(lane)
  yield* (yield* LaneQueue).hold(lane)
  return "more" as const
}, transact)

/** Wakes due conversations of the organization until none is left or the turn ends. */
const wakeDue = Effect.fnUntraced(function* (lane: LaneLease) {
  const end = DateTime.addDuration(yield* DateTime.now, turnDuration)
  while (true) {
    const ended = yield* wakeBatch(lane)
    if (ended !== "more") return ended
    if (DateTime.isGreaterThanOrEqualTo(yield* DateTime.now, end)) return undefined
  }
})

/** Wakes snoozed conversations organization by organization. */
export const snoozeTask = defineLaneWorker({
  name: snoozeTaskName,
  concurrency: maxConcurrentOrganizations,
  run: (lane) => asSnoozeSystem(lane.organizationId)(wakeDue(lane)),
  nextDue: (lane) => asSnoozeSystem(lane.organizationId)(Effect.flatMap(SnoozeTimers, (clock) => clock.nextDue()))
})

/** Opens due snoozed conversations of all organizations whose lanes have no other owner. */
export const wakeSnoozed = runDueLanes(snoozeTask)
