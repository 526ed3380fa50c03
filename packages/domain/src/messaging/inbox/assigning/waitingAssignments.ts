import { Context, DateTime, Duration, Effect, Layer } from "effect"
import {
  asSystem,
  CurrentActor,
  CurrentCausation,
  FeatureGate,
  type Permission,
  type Tenancy,
  type TenantScoped,
  transact,
  withContext
} from "../../../kernel/index.ts"
import { type LaneLease, LaneQueue, laneWork, workDue } from "../../../platform/background/index.ts"
import { Organizations } from "../../../platform/identity/index.ts"
import { Conversations } from "../Conversations.ts"
import { keepConversations } from "../conversationChanges.ts"
import { assigned } from "../conversationStates.ts"
import { AssignmentQueue, assignmentsWork } from "./AssignmentQueue.ts"
import { expiredBy, queueHours, takeMembers } from "./memberChoice.ts"

/** How an area says whether it wants nothing handed out now. */
export interface AssignmentHold<R> {
  readonly isHeld: Effect.Effect<boolean, never, R>
}

/** Whether any area wants no conversation handed out by itself now: a port of the inbox, which those above fill. */
export class AssignmentHolds extends Context.Service<
  AssignmentHolds,
  TenantScoped<{ readonly isHeld: () => Effect.Effect<boolean> }>
>()("@parley/domain/messaging/inbox/AssignmentHolds") {}

type Needs<Hold> = Hold extends AssignmentHold<infer R> ? Exclude<R, Tenancy> : never

/** Puts together what the areas say. */
export const layerAssignmentHoldsOf = <Hold extends AssignmentHold<unknown>>(
  holds: ReadonlyArray<Hold>
): Layer.Layer<AssignmentHolds, never, Needs<Hold>> =>
  Layer.effect(
    AssignmentHolds,
    Effect.contextWith((outside: Context.Context<Needs<Hold>>) => {
      const supply = withContext<Tenancy>(outside)
      return Effect.succeed(
        AssignmentHolds.of({
          isHeld: () =>
            Effect.map(
              Effect.forEach(holds, ({ isHeld }) => supply(isHeld)),
              (held) => held.includes(true)
            )
        })
      )
    })
  )

/** How many organizations a process hands out conversations of at once. */
const organizationsAtOnce = 4

/** When to look again at what still waits, whatever is told: an operator lets somebody in without a word to the organization. */
const patience = Duration.minutes(10)

const within = asSystem("assignments")

/** Whether conversations are handed out by themselves now: the organization is active, its plan has that, and nothing holds it. */
const isActive = Effect.gen(function* () {
  const { status } = yield* (yield* Organizations).current()
  if (status !== "active") return false
  const gate = (yield* FeatureGate).require("automations")
  const isInPlan = yield* Effect.match(gate, { onFailure: () => false, onSuccess: () => true })
  return isInPlan && !(yield* (yield* AssignmentHolds).isHeld())
})

/** Hands out what can be handed out at once, each in the name of who has asked for it; says whether there may be more. */
const handOut = Effect.gen(function* () {
  if (!(yield* isActive)) return false
  const { isMore, planned } = yield* takeMembers(null)
  const now = yield* DateTime.now
  const conversations = yield* (yield* Conversations).lock(
    planned.map(({ conversation }) => conversation.conversationId)
  )
  for (const { assigneeId, conversation } of planned) {
    const before = conversations.find(({ id }) => id === conversation.conversationId)
    // Somebody may have taken or resolved it before it was locked.
    if (before === undefined || before.assigneeId !== null || before.status === "resolved") continue
    yield* keepConversations([{ before, after: assigned(before, assigneeId, now) }]).pipe(
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
  return DateTime.min(DateTime.add(oldest, { hours: queueHours }), DateTime.addDuration(yield* DateTime.now, patience))
})

const workOnce = Effect.fnUntraced(function* (lane: LaneLease) {
  const lanes = yield* LaneQueue
  const isMore = yield* handOut
  yield* (yield* AssignmentQueue).expire(expiredBy(yield* DateTime.now))
  yield* lanes.hold(lane)
  return isMore
}, transact)

const work = Effect.fnUntraced(function* (lane: LaneLease) {
  while (yield* workOnce(lane)) yield* Effect.yieldNow
})

/** Conversations that wait for a member are handed out organization by organization. */
export const assignments = laneWork({
  name: assignmentsWork,
  concurrency: organizationsAtOnce,
  run: (lane) => within(lane.organizationId)(work(lane)),
  nextDue: (lane) => within(lane.organizationId)(nextDue)
})

/** Hands out the conversations that wait for a member, of all organizations that nobody else does it for. */
export const assignWaiting = workDue(assignments)
