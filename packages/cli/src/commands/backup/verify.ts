import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { Refused } from "../../console/Failure.ts"
import * as Flags from "../../console/flags.ts"
import { logged } from "../../console/logging.ts"
import { printJson, table } from "../../console/print.ts"
import { sharedSettings } from "../../parley.ts"
import { requireOwnDatabase, service } from "./database.ts"

export const verify = Command.make(
  "verify",
  {
    file: Argument.String("file").pipe(Argument.withDescription("File of the backup")),
    json: Flags.json
  },
  Effect.fn(function* ({ file, json }) {
    const settings = yield* Effect.flatMap(sharedSettings, requireOwnDatabase)
    const { verify: verifyBackup } = yield* service
    const { header, invariants, rows } = yield* logged(settings, "Warn")(verifyBackup(settings, file))
    yield* json
      ? printJson({ file, at: header.at, release: header.release, rows, invariants })
      : Console.log(
          table(invariants, [
            { heading: "INVARIANT", of: ({ name }) => name },
            { heading: "RESULT", of: ({ result }) => result },
            { heading: "DETAILS", of: ({ details }) => details.join("; ") }
          ])
        )
    const failed = invariants.filter(({ result }) => result === "failed")
    if (failed.length > 0) {
      return yield* new Refused({ message: `The backup fails: ${failed.map(({ name }) => name).join(", ")}.` })
    }
  })
).pipe(
  Command.withExamples([
    { command: "parley verify /var/backups/parley/parley-20260301T020000Z.parley" },
    { command: "parley verify before-upgrade.parley --json" }
  ])
)
