import { NodeId, MissingNode } from "@parley/domain"
import { Console, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { confirm } from "../console/confirm.ts"
import * as Flags from "../console/flags.ts"
import { typedFlag } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { workflow } from "./workflow.ts"

const from = Flag.Int("from").pipe(Flag.withDescription("The number of the version that they are of"))

const map = typedFlag("map", Schema.fromJsonString(Schema.Record(Schema.String, NodeId))).pipe(
  Flag.withMetavar("json"),
  Flag.withDescription("To which nodes they go, as a JSON object; from any other node they go to that of the same id"),
  Flag.optional
)

const missing = typedFlag("missing", MissingNode).pipe(
  Flag.withDescription("What becomes of those whose node is gone: stay (as it is) or exit"),
  Flag.optional
)

/** Moves the live runs of a version to the published one. */
export const moveCommand = Command.make(
  "move",
  { org: Flags.org, workflow, from, map, missing, yes: Flags.yes },
  Effect.fn(function* ({ from, map, missing, org, workflow, yes }) {
    const payload = {
      fromVersion: from,
      ...(Option.isSome(map) && { map: map.value }),
      ...(Option.isSome(missing) && { missing: missing.value })
    }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ name, workflows }) {
        yield* confirm(`Move the live runs of version ${from} of the workflow ${workflow} of ${name}?`, yes)
        const job = yield* workflows.moveRuns({ params: { id: workflow }, payload })
        yield* Console.log(job.id)
      })
    )
  })
).pipe(
  Command.withDescription("Move the live runs of a version to the published one; prints the job that does it"),
  Command.withExamples([{ command: "parley workflows move --org acme 0197... --from 1 --missing exit" }])
)
