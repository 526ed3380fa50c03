import { DateTime, Effect } from "effect"
import { workDue } from "../../../platform/background/index.ts"
import { EventLog, readingWith } from "../../../platform/events/index.ts"
import {
  AnySourceEvent,
  clockLanes,
  type ClockOwner,
  type ClockTrigger,
  type Clockwork,
  type Facts,
  factsOf,
  isClockTrigger,
  judge,
  type Struck,
  type TriggerEvent
} from "../../automations/index.ts"
import { type BeginningWorkflow, Workflows } from "../Workflow.ts"
import { schedulesAtEntry } from "../graph/graphContents.ts"
import { groupsOfRun, isThat, type Occurrence, subjectOf } from "../runs/goals.ts"
import { workflowsHeldBecause } from "../runs/runHolds.ts"
import { startRun } from "./startRun.ts"

/** Reads which workflows begin on an event, for each of them once. */
export const makeEntries = () => {
  const known = new Map<TriggerEvent, ReadonlyArray<BeginningWorkflow>>()
  return Effect.fnUntraced(function* (trigger: TriggerEvent) {
    const found = known.get(trigger) ?? (yield* (yield* Workflows).beginningOn(trigger))
    known.set(trigger, found)
    return found
  })
}

/** Begins a run of each of these workflows that what has happened is for. */
export const beginRuns = Effect.fnUntraced(function* <R>(
  workflows: ReadonlyArray<BeginningWorkflow>,
  occurrence: Occurrence,
  factsOnce: Effect.Effect<Facts | null, never, R>
) {
  const { at, causation, event, position } = occurrence.logged
  for (const workflow of workflows) {
    const { entry } = workflow.graph
    if (entry?.event == null || position <= workflow.activeAfter || !isThat(occurrence, entry.event)) continue
    const facts = yield* factsOnce
    if (facts === null) return
    const key = subjectOf(entry.by ?? "contact", event, facts)
    if (key === null || !(yield* judge(entry.if ?? {}, groupsOfRun, facts)).held) continue
    yield* startRun(workflow, {
      name: String(position),
      contactId: facts.contactId,
      key,
      event: { position, type: event.type },
      causation,
      input: {},
      from: position,
      dueAt: at
    })
  }
})

type Owner = BeginningWorkflow & ClockOwner

const read = readingWith({ schema: AnySourceEvent })

const ownersOf = (workflows: ReadonlyArray<BeginningWorkflow>): ReadonlyArray<Owner> =>
  workflows.flatMap((workflow) => {
    const when = workflow.graph.entry?.event ?? null
    return when !== null && isClockTrigger(when) ? [{ ...workflow, when, after: workflow.activeAfter }] : []
  })

/** Begins a run where the condition of the entry holds now. */
const beginRun = Effect.fnUntraced(function* ({ clock, contactId, counted, name, owner }: Struck<Owner>) {
  const { entry } = owner.graph
  const [logged] = yield* read([counted])
  const facts = logged === undefined ? null : yield* factsOf(logged, contactId, schedulesAtEntry(owner.graph))
  if (entry === undefined || logged === undefined || facts === null) return
  const key = subjectOf(entry.by ?? "contact", logged.event, facts)
  if (key === null || !(yield* judge(entry.if ?? {}, groupsOfRun, facts)).held) return
  yield* startRun(owner, {
    name,
    contactId,
    key,
    event: { position: clock.position, type: owner.when.event },
    causation: counted.causation,
    input: {},
    from: yield* (yield* EventLog).head(),
    // A cart may be told of as abandoned only after the time that the entry says.
    dueAt: DateTime.max(clock.dueAt, counted.at)
  })
})

/** The workflows that are begun by conversations that are idle and by carts that stay abandoned. */
export const workflowClocks = {
  kind: "workflow",
  heldBecause: workflowsHeldBecause,
  on: Effect.fnUntraced(function* (event: ClockTrigger["event"]) {
    return ownersOf(yield* (yield* Workflows).beginningOn(event))
  }),
  begin: (struck: ReadonlyArray<Struck<Owner>>) => Effect.forEach(struck, beginRun, { discard: true })
} satisfies Clockwork<Owner, unknown, unknown, unknown>

/** Conversations that are idle and carts that stay abandoned begin runs, organization by organization. */
export const workflowClockLanes = clockLanes(workflowClocks)

/** Lets the clocks of workflows strike whose time has come, of all organizations that nobody else works for. */
export const strikeWorkflowClocks = workDue(workflowClockLanes)
