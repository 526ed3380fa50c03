import { NewWorkflow, Workflow, WorkflowId, WorkflowPatch, WorkflowVersion } from "@parley/domain/automation"
import { Effect, Option } from "effect"
import { Argument, Flag } from "effect/cli"
import type { Column, View } from "../../console/print.ts"
import { jsonFile, typedArgument, typedFlag } from "../../console/typed.ts"

export const workflow = typedArgument("workflow", WorkflowId).pipe(Argument.withDescription("Id of the workflow"))

const columns: ReadonlyArray<Column<Workflow>> = [
  { heading: "ID", of: ({ id }) => id },
  { heading: "NAME", of: ({ name }) => name },
  { heading: "STATUS", of: ({ status }) => status },
  { heading: "PUBLISHED", of: ({ publishedVersion }) => (publishedVersion === null ? "" : String(publishedVersion)) },
  { heading: "NODES", of: ({ graph }) => String(graph.nodes.length) }
]

export const view: View<Workflow> = {
  schema: Workflow,
  none: "This organization has no workflow.",
  noMatch: "No workflow matches the filter.",
  columns
}

export const versionView: View<WorkflowVersion> = {
  schema: WorkflowVersion,
  none: "This workflow has no published version.",
  columns: [
    { heading: "VERSION", of: ({ number }) => String(number) },
    { heading: "NODES", of: ({ graph }) => String(graph.nodes.length) }
  ]
}

export const name = typedFlag("name", NewWorkflow.fields.name).pipe(Flag.withDescription("Name"), Flag.optional)

/** File with the graph. */
export const graph = Flag.String("graph").pipe(
  Flag.withMetavar("file"),
  Flag.withDescription("JSON file with the graph"),
  Flag.optional
)

const { graph: written } = WorkflowPatch.fields

/** Reads the graph from a file, if the flag is set. */
export const graphIn = Effect.fnUntraced(function* (file: Option.Option<string>) {
  if (Option.isNone(file)) return {}
  return { graph: yield* jsonFile(file.value, written, `The graph in ${file.value} is not valid:`) }
})
