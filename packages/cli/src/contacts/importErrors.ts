import { ContactImportId } from "@parley/domain"
import { Effect, PlatformError, Stdio, Stream } from "effect"
import { Argument, Command } from "effect/cli"
import { Refused } from "../console/Failure.ts"
import * as Flags from "../console/flags.ts"
import { typedArgument } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"
import type { Tenant } from "../tenant/Tenant.ts"

const print = Effect.fnUntraced(function* ({ contactTransfer }: Tenant, id: ContactImportId) {
  const stdio = yield* Stdio.Stdio
  const bytes = yield* contactTransfer.importErrors({ params: { id } })
  yield* Stream.run(bytes, stdio.stdout({ endOnDone: false })).pipe(
    Effect.mapError((failure) =>
      PlatformError.isPlatformError(failure)
        ? new Refused({ message: "The output was closed before everything was written." })
        : failure
    )
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
    yield* inTenant(org, (tenant) => print(tenant, id))
  })
).pipe(Command.withDescription("Print the bad rows of an import, as CSV"))
