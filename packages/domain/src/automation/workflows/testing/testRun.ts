import { Clock, DateTime, Effect } from "effect"
import { CurrentCausation, nextId, ValidationFailed } from "../../../kernel/index.ts"
import {
  abortReason,
  type ConditionExplanation,
  evaluateCondition,
  factsForContact,
  factsForEvent,
  isBulkEvent,
  isInactivityTrigger,
  isTriggerSource,
  rolledBack,
  startCausation,
  type WorkflowId
} from "../../automations/index.ts"
import type { ScheduleId } from "../../schedules/index.ts"
import { feed } from "../advancing/interpreter.ts"
import { startRunSession } from "../advancing/runSession.ts"
import { isEndedRunState, WorkflowRunId } from "../runs/WorkflowRun.ts"
import { runFactGroups, subjectOf } from "../runs/goals.ts"
import { toLoadedWorkflow } from "../runs/runContext.ts"
import { buildWorkflowRun } from "../starting/startRun.ts"
import { type LoadedTest, unknownContact } from "./loadTest.ts"
import { toTestSteps } from "./testSteps.ts"
import { onVirtualClock, type VirtualClock } from "./virtualClock.ts"
import { type Walk, walkToEnd } from "./walk.ts"
import type { WorkflowTestResult } from "./WorkflowTest.ts"

const contactNotFound = Effect.fail(new ValidationFailed({ errors: [unknownContact] }))

/** Facts at the start. Fails if the contact was deleted concurrently. */
const startFacts = Effect.fnUntraced(function* ({ contact, source }: LoadedTest, schedules: ReadonlyArray<ScheduleId>) {
  const found =
    source === null
      ? yield* factsForContact(contact.id, schedules)
      : yield* factsForEvent(source, contact.id, schedules)
  return found ?? (yield* contactNotFound)
})

/** Start event of the run. A timer has the type of its trigger. */
const startEvent = ({ entry, source }: LoadedTest) => {
  if (source === null) return null
  const trigger = entry.event ?? null
  const type = trigger !== null && isInactivityTrigger(trigger) ? trigger.event : source.event.type
  return { position: source.position, type }
}

const matchesEntry = ({ entry, source }: LoadedTest): boolean => {
  const trigger = entry.event ?? null
  return source === null || (trigger !== null && isTriggerSource(trigger, source) && !isBulkEvent(source.event))
}

/** Leads a run through the graph on a virtual clock. The caller rolls the unit of work back. */
const walkTest = Effect.fnUntraced(function* (id: WorkflowId, test: LoadedTest, clock: VirtualClock) {
  const { answers, callAnswers, contact, entry, graph, input, source } = test
  const now = yield* DateTime.now
  const course = toLoadedWorkflow(graph)
  const facts = yield* startFacts(test, course.schedules)
  const key = source === null ? contact.id : subjectOf(entry.by ?? "contact", source.event, facts)
  const causation = source === null ? yield* CurrentCausation : yield* startCausation(source)
  const run = buildWorkflowRun(
    { id, number: 0, graph },
    {
      name: "test",
      contactId: contact.id,
      key: key ?? contact.id,
      event: startEvent(test),
      causation,
      input,
      from: 0,
      dueAt: now
    },
    yield* nextId(WorkflowRunId),
    now
  )
  const session = startRunSession(course, { ...run, revision: 0 })
  const aborted = abortReason(causation, { kind: "workflow", id })
  const walk: Walk = { session, clock, answers, callAnswers, tried: new Map(), isOutOfTime: false }
  yield* feed(session, { _tag: "Started", now, node: entry.next, dueAt: now, aborted }, () => Effect.succeed(null))
  const conditions: ConditionExplanation | null =
    source === null ? null : yield* evaluateCondition(entry.if ?? {}, runFactGroups, facts)
  yield* walkToEnd(walk)
  const { endedAt, goals, reason, state } = session.state.run
  if (!isEndedRunState(state)) return yield* Effect.die(new Error("The run of the test has not ended."))
  const steps = toTestSteps(session.state.steps, walk.tried, course.nodes, endedAt)
  const isStarted = matchesEntry(test) && key !== null && aborted === null && conditions?.held !== false
  return {
    version: test.version,
    faults: test.faults,
    wouldStart: isStarted && contact.blockedAt === null,
    conditions,
    state,
    reason: walk.isOutOfTime ? "time_limit" : reason,
    goals,
    steps,
    startedAt: now,
    endedAt
  } satisfies WorkflowTestResult
})

/** Previews a run with the services of a test. Nothing is stored, and nothing is sent. */
export const testRun = Effect.fnUntraced(function* (id: WorkflowId, test: LoadedTest) {
  const clock: VirtualClock = { millis: yield* Clock.currentTimeMillis }
  return yield* rolledBack(onVirtualClock(clock)(walkTest(id, test, clock))).pipe(
    Effect.catchTag("ContactMerged", () => contactNotFound)
  )
})
