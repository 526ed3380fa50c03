/**
 * Interpreter of a test. It uses the step function of live runs, but it stores nothing: the caller rolls the unit of work back. Waits move a virtual
 * clock, answers replace events, and a call ends immediately with its assumed answer.
 */
import { type Cause, DateTime, Effect } from "effect"
import { CurrentCausation, CurrentStorageTimeout, findOutage } from "../../../kernel/index.ts"
import {
  type CallAnswer,
  canChangeFacts,
  endCall,
  factsForEvent,
  rehearseAction,
  type TriedAction
} from "../../automations/index.ts"
import { actionFacts, actionOrigin, checkGoals } from "../advancing/actionNodes.ts"
import { evaluateBranches, feed } from "../advancing/interpreter.ts"
import { contactMissing, type RunSession, sessionFacts } from "../advancing/runSession.ts"
import { awaitedSubject, planWait } from "../advancing/waitNodes.ts"
import { toEventInput } from "../eventHandling/awaitedEvents.ts"
import type { NodeId, WaitForNode } from "../graph/Node.ts"
import { toTriggerOccurrence, type TriggerOccurrence } from "../runs/goals.ts"
import { findCurrentNode } from "../runs/runContext.ts"
import type { RunCommand, RunCommandOf, RunInput, RunInputOf } from "../runs/runState.ts"
import { moveClock, type VirtualClock } from "./virtualClock.ts"

/** Answer to a wait. */
export type LoadedAnswer = "event" | TriggerOccurrence["logged"]

/** State of a test. */
export interface Walk {
  readonly session: RunSession
  readonly clock: VirtualClock
  /** Answers by node. Other waits end after their timeout. */
  readonly answers: ReadonlyMap<NodeId, LoadedAnswer>
  /** Assumed answers of calls by node. */
  readonly callAnswers: ReadonlyMap<NodeId, CallAnswer>
  /** Rendered actions by place in the run. */
  readonly tried: Map<number, TriedAction>
  /** Whether the test ended before its run, because it has used its share of the storage time of the request. */
  isOutOfTime: boolean
}

/** Performs an action in the unit of work of the test. A missing template or account refuses it immediately. */
const rehearseNode = Effect.fnUntraced(function* (
  { callAnswers, session, tried }: Walk,
  command: RunCommandOf<"PerformAction">
) {
  const { action } = command.node
  const facts = yield* sessionFacts(session)
  if (facts === null) return yield* contactMissing(session)
  const { causation, cause } = actionOrigin(session.state, command)
  const execution = { cause, facts: yield* actionFacts(session, action, facts) }
  const rehearsed = yield* Effect.provideService(rehearseAction(action, execution), CurrentCausation, causation)
  if (canChangeFacts(rehearsed.result)) session.facts = null
  tried.set(session.state.progress.places, rehearsed.tried)
  return {
    _tag: "ActionDone",
    now: yield* DateTime.now,
    ...endCall(rehearsed.result, callAnswers.get(command.node.id)),
    missing: null
  } satisfies RunInputOf<"ActionDone">
})

/** Share of the storage time that the last node and the answer can still use. */
const reservedShare = 0.4

const isOutOfTime = Effect.map(
  CurrentStorageTimeout,
  (timeout) => timeout !== null && timeout.left(0) < timeout.millis * reservedShare
)

const rests: RunInput | null = null

const perform = Effect.fnUntraced(function* (walk: Walk, command: RunCommand) {
  const { session } = walk
  if (command._tag === "Save" || command._tag === "OpenLane") return rests
  walk.isOutOfTime = yield* isOutOfTime
  if (walk.isOutOfTime) return { _tag: "Cancelled", now: yield* DateTime.now } satisfies RunInputOf<"Cancelled">
  switch (command._tag) {
    case "CheckGoals":
      return yield* checkGoals(session)
    case "PerformAction":
      return yield* rehearseNode(walk, command)
    case "PlanWait":
      return yield* planWait(session, command)
    case "AwaitEvent": {
      const awaited = yield* awaitedSubject(session, command.node)
      if (awaited === null) return yield* contactMissing(session)
      const { subject } = awaited
      return { _tag: "EventAwaited", now: yield* DateTime.now, since: 0, subject } satisfies RunInputOf<"EventAwaited">
    }
    case "CheckUnread":
      return { _tag: "UnreadChecked", now: yield* DateTime.now, hasUnread: false } satisfies RunInputOf<"UnreadChecked">
    case "EvaluateBranches":
      return yield* evaluateBranches(session, command)
  }
})

/** Event that is not in the feed: the next nodes see no values of it. */
const assumedEvent = (node: WaitForNode, now: DateTime.Utc): RunInputOf<"EventArrived"> => ({
  _tag: "EventArrived",
  now,
  event: { position: 0, type: node.event.event },
  goals: [],
  leaves: null,
  received: { node, conditions: { held: true }, isAssumed: true }
})

/** The chosen event arrives as soon as the run waits for it. */
const answerWait = Effect.fnUntraced(function* ({ answers, session }: Walk, node: WaitForNode) {
  const timeout: RunInput | null = null
  const answer = answers.get(node.id)
  if (answer === undefined) return timeout
  const now = yield* DateTime.now
  if (answer === "event") return assumedEvent(node, now)
  const { course, state } = session
  const facts = yield* factsForEvent(answer, state.run.contactId, course.schedules)
  if (facts === null) return yield* contactMissing(session)
  const input = yield* toEventInput(course, state, toTriggerOccurrence({ ...answer, at: now }), facts)
  return input.received === null && input.leaves === null && input.goals.length === 0 ? timeout : input
})

/** Next input of a resting run. The clock moves to its due time. */
const nextInput = Effect.fnUntraced(function* (walk: Walk) {
  const { clock, session } = walk
  const { progress, run } = session.state
  const node = findCurrentNode(session.course, run)
  const answered = node?.kind === "wait_for" && progress.isResting ? yield* answerWait(walk, node) : null
  if (answered !== null) return answered
  if (progress.dueAt !== null) moveClock(clock, progress.dueAt)
  return { _tag: "Woken", now: yield* DateTime.now } satisfies RunInputOf<"Woken">
})

/** A wait that is not over after so many checks never ends, for example if its schedule never opens. */
const maxChecks = 100

/** Facts depend on the time and on the last event of the run. Other nodes share them, so a long test reads them once. */
const forgetStaleFacts = ({ clock, session }: Walk, { _tag }: RunInput) => {
  const { facts } = session
  const isStale = facts !== null && (_tag === "EventArrived" || DateTime.toEpochMillis(facts.at) !== clock.millis)
  if (isStale) session.facts = null
}

/** Whether a request to the storage took too long. The storage itself is reachable. */
const tookTooLong = (cause: Cause.Cause<unknown>): boolean => findOutage(cause)?.isAway === false

/** Leads the run to its next rest. It corresponds to one unit of work of a live run. */
const advance = Effect.fnUntraced(function* (walk: Walk, isEndless: boolean) {
  const { session } = walk
  const input: RunInput = isEndless ? { _tag: "Cancelled", now: yield* DateTime.now } : yield* nextInput(walk)
  session.state = { ...session.state, hasActed: false }
  forgetStaleFacts(walk, input)
  yield* feed(session, input, (command) => perform(walk, command))
})

/** Ends the run without a request to the storage. */
const endOutOfTime = Effect.fnUntraced(function* (walk: Walk) {
  walk.isOutOfTime = true
  const input: RunInput = { _tag: "Cancelled", now: yield* DateTime.now }
  yield* feed(walk.session, input, () => Effect.succeed(rests))
})

/** Leads the run of a session to its end. */
export const walkToEnd = Effect.fnUntraced(function* (walk: Walk) {
  const { session } = walk
  let place = 0
  let checks = 0
  while (session.state.run.endedAt === null) {
    const { places } = session.state.progress
    checks = places === place ? checks + 1 : 0
    place = places
    yield* Effect.catchCauseIf(advance(walk, checks > maxChecks), tookTooLong, () => endOutOfTime(walk))
  }
})
