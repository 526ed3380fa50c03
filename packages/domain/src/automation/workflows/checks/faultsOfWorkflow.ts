import { Effect } from "effect"
import {
  conditionReader,
  conditionSurroundings,
  faultsOfAction,
  isThere,
  knownThings,
  namedInTrigger
} from "../../automations/index.ts"
import { type Fault, NotFound } from "../../../kernel/index.ts"
import { type PluginSchema, Plugins } from "../../../integrations/plugins/index.ts"
import { faultsOfClocks } from "../graph/faultsOfClocks.ts"
import { faultsOfGraph } from "../graph/faultsOfGraph.ts"
import { faultsOfKeys } from "../graph/faultsOfKeys.ts"
import { faultsOfSchedules } from "../graph/faultsOfSchedules.ts"
import type { Graph } from "../graph/Graph.ts"
import { actionsOf, conditionsOf, triggersOf } from "../graph/said.ts"

const gone = (things: ReadonlyArray<{ readonly resource: string; readonly pointer: string }>): ReadonlyArray<Fault> =>
  things.map(({ pointer, resource }) => ({ pointer, message: new NotFound({ resource }).message }))

const faultsOfTriggers = Effect.fnUntraced(function* (graph: Graph) {
  const named = triggersOf(graph).flatMap(({ pointer, said }) => namedInTrigger(said, pointer))
  const known = yield* knownThings(named)
  return gone(named.filter((thing) => !isThere(known, thing)).map(({ kind, pointer }) => ({ resource: kind, pointer })))
})

const faultsOfConditions = Effect.fnUntraced(function* (graph: Graph) {
  const conditions = conditionsOf(graph)
  const surroundings = yield* conditionSurroundings(conditions.map(({ said }) => said))
  return conditions.flatMap(({ groups, pointer, said }) => {
    const { faults, missing } = conditionReader(surroundings, groups)(said, pointer)
    return [...faults, ...gone(missing)]
  })
})

/** Beside what has happened, texts in workflows may name what a run was called with, and what it came to in each node. */
const ofRuns = ({ nodes }: Graph): ReadonlyArray<string> => ["input", "steps", ...nodes.map(({ id }) => `steps.${id}`)]

/** Output schemas of plugin actions, by node. */
const outputsOf = Effect.fnUntraced(function* ({ nodes }: Graph) {
  const plugins = yield* Plugins
  const outputs = new Map<string, PluginSchema>()
  for (const node of nodes) {
    if (node.kind !== "action" || node.action.type !== "plugin_action") continue
    const { action: key, pluginId } = node.action
    const plugin = yield* plugins.find(pluginId)
    const action = plugin?.manifest.actions?.find((each) => each.key === key)
    if (action !== undefined) outputs.set(node.id, action.output as PluginSchema)
  }
  return outputs
})

const faultsOfActions = Effect.fnUntraced(function* (graph: Graph) {
  const always = ofRuns(graph)
  const outputs = yield* outputsOf(graph)
  const faults = yield* Effect.forEach(actionsOf(graph), ({ groups, pointer, said }) =>
    faultsOfAction(said, new Set([...groups, ...always]), pointer, outputs)
  )
  return faults.flat()
})

/** Everything that is wrong with a graph as things are today, and where. */
export const faultsOfWorkflow = Effect.fnUntraced(function* (graph: Graph) {
  return [
    ...faultsOfGraph(graph),
    ...faultsOfKeys(graph),
    ...faultsOfClocks(graph),
    ...(yield* faultsOfSchedules(graph)),
    ...(yield* faultsOfTriggers(graph)),
    ...(yield* faultsOfConditions(graph)),
    ...(yield* faultsOfActions(graph))
  ]
})
