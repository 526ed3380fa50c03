import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { printJson } from "../../console/print.ts"
import { sharedSettings } from "../../parley.ts"
import { onOwnDatabase, requireOwnDatabase, service } from "./database.ts"

export const backup = Command.make(
  "backup",
  {
    target: Argument.String("target").pipe(
      Argument.withDescription("File of the backup, or a folder: the file then has the time of the snapshot as name")
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ json, target }) {
    const settings = yield* Effect.flatMap(sharedSettings, requireOwnDatabase)
    const { backUp } = yield* service
    const written = yield* onOwnDatabase(settings, { creates: false }, backUp(settings, target))
    if (json) return yield* printJson(written)
    yield* Console.log(`Wrote ${written.file}: ${written.rows} rows of ${written.tables} tables at ${written.at}.`)
    yield* Console.error("The master keys are not in it. Store them separately.")
  })
).pipe(
  Command.withExamples([
    { command: "parley backup /var/backups/parley" },
    { command: "parley backup before-upgrade.parley && parley verify before-upgrade.parley" }
  ])
)
