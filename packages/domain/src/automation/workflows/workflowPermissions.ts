import { Effect } from "effect"
import { mergeRequiredPermissions, type Permission, requireReach } from "../../kernel/index.ts"
import { type DefinitionParts, needsOfParts, type WorkflowId, workflowsStartedBy } from "../automations/index.ts"
import { Workflows } from "./Workflow.ts"
import type { Graph } from "./graph/Graph.ts"
import { actionsOf, conditionsOf, triggersOf } from "./graph/graphContents.ts"
import { WorkflowRuns } from "./runs/WorkflowRuns.ts"

const partsOf = (graph: Graph): DefinitionParts => ({
  actions: actionsOf(graph).map(({ input }) => input),
  conditions: conditionsOf(graph).map(({ input }) => input),
  triggers: triggersOf(graph).map(({ input }) => input)
})

const startedBy = (graphs: ReadonlyArray<Graph>): ReadonlyArray<WorkflowId> =>
  graphs.flatMap((graph) => workflowsStartedBy(partsOf(graph).actions))

/** Published graphs of these workflows and of all workflows that they start. Drafts and archived workflows start nothing. */
const publishedGraphs = Effect.fnUntraced(function* (ids: ReadonlyArray<WorkflowId> | null) {
  if (ids !== null && ids.length === 0) return []
  const published = new Map((yield* (yield* Workflows).inForce()).map(({ graph, id }) => [id, graph]))
  const found = new Map<WorkflowId, Graph>()
  let unread: ReadonlyArray<WorkflowId> = ids ?? Array.from(published.keys())
  while (unread.length > 0) {
    const next = unread.flatMap((id) => {
      const graph = found.has(id) ? undefined : published.get(id)
      if (graph === undefined) return []
      found.set(id, graph)
      return [graph]
    })
    unread = startedBy(next)
  }
  return Array.from(found.values())
})

/** The time zone of a contact shows the country of its number. */
const zonePermissions = ({ nodes }: Graph): ReadonlyArray<Permission> =>
  nodes.some((node) => node.kind === "wait" && node.until?.zone === "contact") ? ["contacts.read"] : []

/** Permissions that these graphs reach, including the published versions of the workflows that they start. */
export const needsOfGraphs = Effect.fnUntraced(function* (graphs: ReadonlyArray<Graph>) {
  const all = [...graphs, ...(yield* publishedGraphs(startedBy(graphs)))]
  const parts = all.map(partsOf)
  const needs = yield* needsOfParts({
    actions: parts.flatMap(({ actions }) => actions),
    conditions: parts.flatMap(({ conditions }) => conditions),
    triggers: parts.flatMap(({ triggers }) => triggers)
  })
  return mergeRequiredPermissions([needs, all.flatMap(zonePermissions)])
})

/** Graphs of live runs, of one workflow or of all (`null`). A later version does not replace them. */
const graphsUnderWay = Effect.fnUntraced(function* (id: WorkflowId | null) {
  const workflows = yield* Workflows
  const versions = yield* (yield* WorkflowRuns).versionsUnderWay(id)
  const found = yield* Effect.forEach(versions, ({ version, workflowId }) =>
    Effect.option(workflows.version(workflowId, version))
  )
  return found.flatMap((each) => (each._tag === "Some" ? [each.value.graph] : []))
})

/** Permissions that the published versions of these workflows reach, including other workflows; `null`: all workflows and live runs. */
export const needsOfWorkflows = Effect.fnUntraced(function* (ids: ReadonlyArray<WorkflowId> | null) {
  const live = ids === null ? yield* graphsUnderWay(null) : []
  return yield* needsOfGraphs([...live, ...(yield* publishedGraphs(ids))])
})

/**
 * Fails unless the actor holds all permissions that a resumed workflow reaches: through its published version, and through live runs of earlier
 * versions.
 */
export const requireReachOfWorkflow = Effect.fnUntraced(function* (id: WorkflowId) {
  const graphs = [...(yield* publishedGraphs([id])), ...(yield* graphsUnderWay(id))]
  yield* requireReach(yield* needsOfGraphs(graphs))
})

/** Fails unless the actor holds all permissions that a graph reaches. */
export const requireReachOfGraph = (graph: Graph) => Effect.flatMap(needsOfGraphs([graph]), requireReach)
