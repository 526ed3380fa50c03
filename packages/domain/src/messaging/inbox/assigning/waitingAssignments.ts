import { Context, DateTime, Duration, Effect, Layer } from "effect"
import {
  asSystem,
  CurrentActor,
  CurrentCausation,
  FeatureGate,
  type Permission,
  type TenantScoped,
  transact
} from "../../../kernel/index.ts"
import { type LaneLease, LaneQueue, defineLaneWorker, runDueLanes } from "../../../platform/background/index.ts"
import { Organizations } from "../../../platform/identity/index.ts"
import { Conversations } from "../Conversations.ts"
import { saveConversationChanges } from "../conversationChanges.ts"
import { withAssignee } from "../conversationStates.ts"
import { AssignmentQueue, assignmentTaskName } from "./AssignmentQueue.ts"
import { queueExpiryCutoff, maxQueueHours, assignNextBatch } from "./memberChoice.ts"

/** Whether an area above blocks automatic assignment. */
export class AutoAssignGate extends Context.Service<
  AutoAssignGate,
  TenantScoped<{ readonly isHeld: () => Effect.Effect<boolean> }>
>()("@parley/domain/messaging/inbox/AutoAssignGate") {
  /** Automatic assignment is never blocked. */
  static readonly layerNone = Layer.succeed(AutoAssignGate, { isHeld: () => Effect.succeed(false) })
}

/** Maximum number of organizations with concurrent assignments in a process. */
const maxConcurrentOrganizations = 4

/**
 * Interval for rechecking waiting conversations without an event. For example, an operator can admit a member without an event in the organization.
 */
const recheckInterval = Duration.minutes(10)

const asAssignmentSystem = asSystem("assignments")

/** Whether automatic assignment is enabled: the organization is active, its plan includes it, and no gate blocks it. */
const isAutoAssignEnabled = Effect.gen(function* () {
  const { status } = yield* (yield* Organizations).current()
  if (status !== "active") return false
  const gate = (yield* FeatureGate).require("automations")
  const isInPlan = yield* Effect.match(gate, { onFailure: () => false, onSuccess: () => true })
  return isInPlan && !(yield* (yield* AutoAssignGate).isHeld())
})

/** Assigns one batch, each conversation as the actor that requested it. Returns whether more may follow. */
const assignBatch = Effect.gen(function* () {
  if (!(yield* isAutoAssignEnabled)) return false
  const { isMore, planned } = yield* assignNextBatch(null)
  const now = yield* DateTime.now
  const conversations = yield* (yield* Conversations).lock(
    planned.map(({ conversation }) => conversation.conversationId)
  )
  for (const { assigneeId, conversation } of planned) {
    const before = conversations.find(({ id }) => id === conversation.conversationId)
    // A concurrent change may have assigned or resolved it before the lock.
    if (before === undefined || before.assigneeId !== null || before.status === "resolved") continue
    yield* saveConversationChanges([{ before, after: withAssignee(before, assigneeId, now) }]).pipe(
      Effect.provideService(CurrentActor, {
        kind: "delegate",
        for: conversation.by,
        permissions: new Set<Permission>()
      }),
      Effect.provideService(CurrentCausation, conversation.causation),
      Effect.orDie
    )
  }
  return isMore && planned.length > 0
})

const nextDue = Effect.gen(function* () {
  const oldest = yield* (yield* AssignmentQueue).oldest()
  if (oldest === null) return null
  return DateTime.min(
    DateTime.add(oldest, { hours: maxQueueHours }),
    DateTime.addDuration(yield* DateTime.now, recheckInterval)
  )
})

const runOnce = Effect.fnUntraced(function* (lane: LaneLease) {
  const lanes = yield* LaneQueue
  const isMore = yield* assignBatch
  yield* (yield* AssignmentQueue).expire(queueExpiryCutoff(yield* DateTime.now))
  yield* lanes.hold(lane)
  return isMore
}, transact)

const runLane = Effect.fnUntraced(function* (lane: LaneLease) {
  while (yield* runOnce(lane)) yield* Effect.yieldNow
})

/** Assigns waiting conversations organization by organization. */
export const assignmentTask = defineLaneWorker({
  name: assignmentTaskName,
  concurrency: maxConcurrentOrganizations,
  run: (lane) => asAssignmentSystem(lane.organizationId)(runLane(lane)),
  nextDue: (lane) => asAssignmentSystem(lane.organizationId)(nextDue)
})

/** Assigns the waiting conversations of all organizations whose lanes have no other owner. */
export const assignWaiting = runDueLanes(assignmentTask)
