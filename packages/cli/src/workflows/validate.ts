import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { Refused } from "../console/Failure.ts"
import * as Flags from "../console/flags.ts"
import { printJson } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { workflow } from "./workflow.ts"

/** Finds what is wrong with a draft. */
export const validateCommand = Command.make(
  "validate",
  { org: Flags.org, workflow, json: Flags.json },
  Effect.fn(function* ({ json, org, workflow }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ workflows }) {
        const { faults } = yield* workflows.validate({ params: { id: workflow } })
        if (json) return yield* printJson({ faults })
        if (faults.length === 0) return yield* Console.error("No fault was found.")
        yield* Effect.forEach(faults, ({ message, pointer }) => Console.log(`${pointer}: ${message}`), {
          discard: true
        })
        return yield* new Refused({
          message: faults.length === 1 ? "The draft has a fault." : `The draft has ${faults.length} faults.`
        })
      })
    )
  })
).pipe(Command.withDescription("Find every fault of a draft, as publishing would"))
