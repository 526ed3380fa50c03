import { ContactImportId, readImportFaults } from "@parley/domain"
import { Effect, Stdio, Stream } from "effect"
import { Argument, Command } from "effect/cli"
import { Refused } from "../console/Failure.ts"
import * as Flags from "../console/flags.ts"
import { typedArgument } from "../console/typed.ts"
import { operate } from "../operate.ts"
import { inOrganization } from "../select.ts"

const print = Effect.fnUntraced(function* (id: ContactImportId) {
  const stdio = yield* Stdio.Stdio
  const bytes = yield* readImportFaults(id)
  yield* Stream.run(bytes, stdio.stdout({ endOnDone: false })).pipe(
    Effect.mapError(() => new Refused({ message: "The output was closed before everything was written." }))
  )
})

/** Prints the bad rows of an import. */
export const importErrorsCommand = Command.make(
  "import-errors",
  {
    id: typedArgument("import", ContactImportId).pipe(Argument.withDescription("The id of the import")),
    org: Flags.org
  },
  Effect.fn(function* ({ id, org }) {
    yield* operate(inOrganization(org, print(id)))
  })
).pipe(Command.withDescription("Print the bad rows of an import, as CSV"))
