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

/** What waking snoozed conversations is called among the works. */
export const snoozeTaskName: TaskName = "snoozes"

/** Each organization has one lane: its conversations are woken in batches. */
export const snoozesLane = (organizationId: OrganizationId): Lane => organizationLane(snoozeTaskName, organizationId)

/** When the snoozed conversations of the organization have to be woken, for whoever owns its lane. */
export class SnoozeTimers extends Context.Service<
  SnoozeTimers,
  TenantScoped<{
    /** Those whose time has come: the longest overdue first, at most `limit`. */
    readonly due: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<ConversationId>>
    /** When the time of the next one comes; `null` when none is snoozed. */
    readonly nextDue: () => Effect.Effect<DateTime.Utc | null>
  }>
>()("@parley/domain/messaging/inbox/SnoozeTimers") {}

interface SnoozeChange {
  readonly before: Pick<Conversation, "snoozedUntil">
  readonly after: Conversation
}

const changedWakeTime = ({ after, before }: SnoozeChange) =>
  after.status !== "snoozed" || Equal.equals(before.snoozedUntil, after.snoozedUntil) ? [] : (after.snoozedUntil ?? [])

/** Schedules the wake-up of conversations whose snooze time has changed. */
export const scheduleWakeUps = Effect.fnUntraced(function* (changes: ReadonlyArray<SnoozeChange>) {
  const [first, ...others] = changes.flatMap(changedWakeTime)
  if (first === undefined) return
  const dueAt = others.reduce(DateTime.min, first)
  const { id } = yield* CurrentOrganization
  yield* (yield* Lanes).open({ ...snoozesLane(id), priority: "bulk", dueAt })
})

/** How many organizations a process wakes conversations of at once. */
const maxConcurrentOrganizations = 4

/** For how long one organization is worked for before another one's turn comes. */
const turnDuration = Duration.seconds(3)

const batchSize = 200

const asSnoozeSystem = asSystem("snooze")

const isDue = ({ snoozedUntil, status }: Conversation, now: DateTime.Utc) =>
  status === "snoozed" && snoozedUntil !== null && DateTime.isLessThanOrEqualTo(snoozedUntil, now)

/** Ends the turn where nothing more is due, in the unit of work of what was. */
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

/** Wakes what is due in the organization until nothing is, or the turn is over. */
const wakeDue = Effect.fnUntraced(function* (lane: LaneLease) {
  const end = DateTime.addDuration(yield* DateTime.now, turnDuration)
  while (true) {
    const ended = yield* wakeBatch(lane)
    if (ended !== "more") return ended
    if (DateTime.isGreaterThanOrEqualTo(yield* DateTime.now, end)) return undefined
  }
})

/** Snoozed conversations are woken organization by organization. */
export const snoozeTask = defineLaneWorker({
  name: snoozeTaskName,
  concurrency: maxConcurrentOrganizations,
  run: (lane) => asSnoozeSystem(lane.organizationId)(wakeDue(lane)),
  nextDue: (lane) => asSnoozeSystem(lane.organizationId)(Effect.flatMap(SnoozeTimers, (clock) => clock.nextDue()))
})

/** Opens the snoozed conversations whose time has come, of all organizations that nobody else wakes them of. */
export const wakeSnoozed = runDueLanes(snoozeTask)
