import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printOne } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { view, workflow } from "./workflow.ts"

const diagram = Flag.Boolean("diagram").pipe(
  Flag.withDescription("Its graph as a flowchart of Mermaid instead"),
  Flag.withDefault(false)
)

/** Shows a workflow. */
export const showCommand = Command.make(
  "show",
  { org: Flags.org, workflow, diagram, json: Flags.json },
  Effect.fn(function* ({ diagram, json, org, workflow }) {
    const params = { id: workflow }
    yield* inTenant(org, ({ workflows }) =>
      diagram
        ? Effect.flatMap(workflows.draw({ params, query: {} }), (drawn) => Console.log(drawn.trimEnd()))
        : Effect.flatMap(workflows.get({ params }), (found) => printOne(view, { json }, found))
    )
  })
).pipe(
  Command.withDescription("Show a workflow, or draw it"),
  Command.withExamples([{ command: "parley workflows show --org acme 0197... --diagram" }])
)
