import { DateTime, Effect } from "effect"
import { SubscriberName, Subscriptions } from "../../../platform/events/index.ts"
import { type Facts, judge, type SourceEvent } from "../../automations/index.ts"
import type { WaitForNode } from "../graph/Node.ts"
import { isWorkflowRunOver } from "../runs/WorkflowRun.ts"
import type { KeptWorkflowRun } from "../runs/WorkflowRuns.ts"
import { groupsOfRun, hasMarks, isDoneBy, isThat, marksOf, type Occurrence, subjectOf } from "../runs/goals.ts"
import { type Course, type Courses, nodeIn } from "../runs/runContext.ts"
import { enter, exited, reaching, seeing, stepIn } from "../runs/runTransitions.ts"
import { keepRun, openWorkflowLanes, tripOf } from "../runs/savedRuns.ts"

/** What leads runs by events is called among the subscribers. */
export const followingName = "workflows.follow_contacts"

/** The events that may begin runs, wake them or bring them to their goals: what happens to contacts. */
export const followedTypes = [
  "message.received",
  "message.echoed",
  "message.queued",
  "conversation.opened",
  "conversation.status_changed",
  "conversation.assigned",
  "conversation.updated",
  "contact.created",
  "contact.updated",
  "contact.tagged",
  "contact.untagged",
  "contact.consent_changed",
  "customer.linked",
  "customer.unlinked",
  "order.created",
  "order.paid",
  "order.fulfilled",
  "order.cancelled",
  "order.refunded",
  "cart.abandoned",
  "cart.recovered",
  "broadcast.replied"
] as const satisfies ReadonlyArray<SourceEvent["type"]>

const follower = { name: SubscriberName.make(followingName), types: followedTypes }

/** Whether something was logged before then that runs do not know of yet. */
export const hasUnread = Effect.fnUntraced(function* (before: DateTime.Utc) {
  const [subscription] = yield* (yield* Subscriptions).list([follower])
  const next = subscription?.next ?? null
  return next !== null && DateTime.isLessThan(next.at, before)
})

/** Where a run waits for what has happened: it was logged after the run came there and before it had waited for too long. */
const awaiting = (course: Course, { progress, run }: KeptWorkflowRun, occurrence: Occurrence): WaitForNode | null => {
  const node = nodeIn(course, run)
  if (node?.kind !== "wait_for" || !progress.isResting || run.wakeAt === null) return null
  const { at, position } = occurrence.logged
  if (position <= progress.since || !DateTime.isLessThan(at, run.wakeAt)) return null
  return isThat(occurrence, node.event) && !isDoneBy(occurrence, run.workflowId) ? node : null
}

const isAbout = ({ match = "contact" }: WaitForNode, kept: KeptWorkflowRun, occurrence: Occurrence, facts: Facts) =>
  match === "contact" ||
  (kept.progress.subject !== null && subjectOf(match, occurrence.logged.event, facts) === kept.progress.subject)

/** Wakes a run by what it waits for. */
const woken = Effect.fnUntraced(function* (
  course: Course,
  kept: KeptWorkflowRun,
  occurrence: Occurrence,
  facts: Facts
) {
  const nothing: Pick<ReturnType<typeof tripOf>, "kept" | "steps"> | null = null
  const node = awaiting(course, kept, occurrence)
  if (node === null || !isAbout(node, kept, occurrence, facts)) return nothing
  const conditions = yield* judge(node.if ?? {}, groupsOfRun, facts)
  if (!conditions.held) return nothing
  const { event, position } = occurrence.logged
  const now = yield* DateTime.now
  const told = { state: "done", output: { event: { position, type: event.type } }, conditions } as const
  const seen = seeing(kept, { position, type: event.type })
  return { kept: enter(seen, node.next, now), steps: stepIn(kept, told, now) }
})

/** What a run comes to by what has happened to its contact: its goals, its exits, and what it waits for, in this order. */
const passRun = Effect.fnUntraced(function* (
  course: Course,
  kept: KeptWorkflowRun,
  occurrence: Occurrence,
  facts: Facts
) {
  const { goals, leaves } = hasMarks(course.graph)
    ? yield* marksOf(course.graph, kept.run.goals, facts, occurrence)
    : { goals: [], leaves: null }
  const reached = goals.reduce(reaching, kept)
  if (leaves !== null) {
    yield* keepRun({ kept: exited(reached, leaves, yield* DateTime.now), steps: [], goals })
    return
  }
  const on = yield* woken(course, reached, occurrence, facts)
  if (on === null && goals.length === 0) return
  const after = yield* keepRun({ ...(on ?? tripOf(reached)), goals })
  if (on !== null && !isWorkflowRunOver(after.run)) yield* openWorkflowLanes([after.lane])
})

/** Whether what has happened may be anything to the run. */
const concerns = (course: Course, kept: KeptWorkflowRun, occurrence: Occurrence) =>
  occurrence.logged.position > kept.progress.from &&
  (hasMarks(course.graph) || awaiting(course, kept, occurrence) !== null)

/** Shows what has happened to a contact to the runs that it is on, which nobody else changes meanwhile. */
export const passBy = Effect.fnUntraced(function* <R>(
  live: ReadonlyArray<KeptWorkflowRun>,
  occurrence: Occurrence,
  courses: Courses,
  factsOnce: Effect.Effect<Facts | null, never, R>
) {
  for (const kept of live) {
    const course = yield* courses(kept.run.workflowId, kept.run.workflowVersion)
    if (!concerns(course, kept, occurrence)) continue
    const facts = yield* factsOnce
    // Whoever is gone has no runs: somebody has forgotten them meanwhile.
    if (facts !== null) yield* Effect.orDie(passRun(course, kept, occurrence, facts))
  }
})
