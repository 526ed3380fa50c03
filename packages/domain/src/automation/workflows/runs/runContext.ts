import { DateTime, Effect, Schema } from "effect"
import { type Contact, ContactHistory, ContactId, ContactMergeId, Contacts } from "../../../crm/index.ts"
import type { Facts, WorkflowId } from "../../automations/index.ts"
import type { ScheduleId } from "../../schedules/index.ts"
import { Workflows } from "../Workflow.ts"
import type { Graph } from "../graph/Graph.ts"
import type { NodeId, WorkflowNode } from "../graph/Node.ts"
import { schedulesInGraph } from "../graph/graphContents.ts"
import type { WorkflowRun } from "./WorkflowRun.ts"
import { factsForRun } from "./goals.ts"
import { exitRun, type RunTransition } from "./runTransitions.ts"
import type { RunChanges } from "./savedRuns.ts"

/** Workflow version of a run. It never changes. */
export interface LoadedWorkflow {
  readonly graph: Graph
  readonly nodes: ReadonlyMap<NodeId, WorkflowNode>
  /** Schedules that the version can name. */
  readonly schedules: ReadonlyArray<ScheduleId>
}

const noNodes: ReadonlyMap<NodeId, WorkflowNode> = new Map()

const missingWorkflow: LoadedWorkflow = { graph: { nodes: [] }, nodes: noNodes, schedules: [] }

/** Creates a loader that reads each workflow version once. */
export const makeWorkflowLoader = () => {
  const known = new Map<string, LoadedWorkflow>()
  return Effect.fnUntraced(function* (workflowId: WorkflowId, number: number) {
    const name = `${workflowId} ${number}`
    const read = known.get(name)
    if (read !== undefined) return read
    const found = yield* Effect.option((yield* Workflows).version(workflowId, number))
    if (found._tag === "None") return missingWorkflow
    const { graph } = found.value
    const nodes = new Map(graph.nodes.map((node) => [node.id, node]))
    const course: LoadedWorkflow = { graph, nodes, schedules: schedulesInGraph(graph) }
    known.set(name, course)
    return course
  })
}

export type WorkflowLoader = ReturnType<typeof makeWorkflowLoader>

export const findCurrentNode = ({ nodes }: LoadedWorkflow, { node }: Pick<WorkflowRun, "node">): WorkflowNode | null =>
  node === null ? null : (nodes.get(node) ?? null)

/** The contact was merged while the run started, so the merge did not move the run. */
export class ContactMerged extends Schema.TaggedError<ContactMerged>()("ContactMerged", {
  from: ContactId,
  to: ContactId,
  mergeId: ContactMergeId
}) {
  override get message() {
    return "The contact was merged into another contact."
  }
}

/** State of a run while one unit of work moves it through nodes. */
export interface RunExecution {
  readonly course: LoadedWorkflow
  readonly trip: RunChanges
  /** Facts for its last event, loaded on demand. */
  readonly facts: Facts | null
  /** Whether an action was performed. The next action needs another unit of work. */
  readonly hasActed: boolean
}

/** Applies a transition to the state. */
export const applyTransition = ({ trip, ...leg }: RunExecution, { kept, steps }: RunTransition): RunExecution => ({
  ...leg,
  trip: { ...trip, kept, steps: [...trip.steps, ...steps] }
})

/** Fails if a missing contact was merged into another one. */
const requireNotMerged = Effect.fnUntraced(function* (from: ContactId | null) {
  const survivor = from === null ? null : yield* (yield* ContactHistory).survivorOf(from)
  if (from === null || survivor === null) return
  return yield* new ContactMerged({ from, to: survivor.id, mergeId: survivor.mergeId })
})

const withoutContact = Effect.fnUntraced(function* (leg: RunExecution) {
  const { kept } = leg.trip
  yield* requireNotMerged(kept.run.contactId)
  return applyTransition(leg, { kept: exitRun(kept, "contact_gone", yield* DateTime.now), steps: [] })
})

/** Loads the facts. Exits the run if its contact is deleted. */
export const withFacts = Effect.fnUntraced(function* (leg: RunExecution) {
  const { kept } = leg.trip
  const facts = leg.facts ?? (yield* factsForRun(kept.run, leg.course.schedules))
  return facts === null ? { leg: yield* withoutContact(leg), facts } : { leg: { ...leg, facts }, facts }
})

/** Loads only the contact. Exits the run if the contact is deleted. */
export const withContact = Effect.fnUntraced(function* (leg: RunExecution) {
  const { contactId } = leg.trip.kept.run
  const nobody: Contact | null = null
  const [read] = leg.facts === null && contactId !== null ? yield* (yield* Contacts).find([contactId]) : []
  const contact = leg.facts?.contact ?? read ?? nobody
  return { leg: contact === null ? yield* withoutContact(leg) : leg, contact }
})
