import { Schema } from "effect"
import { Graph } from "./graph/Graph.ts"
import type { Workflow } from "./Workflow.ts"

const encode = Schema.encodeSync(Schema.toCodecJson(Graph))

/** What of a workflow goes into the trail. */
export const auditedWorkflow = ({ graph, name, publishedVersion, status }: Workflow): Record<string, Schema.Json> => ({
  name,
  status,
  publishedVersion,
  graph: encode(graph)
})
