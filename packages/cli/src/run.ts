import { Console, Effect, Option } from "effect"
import { CliConfig, CliOutput, Command, GlobalFlag } from "effect/cli"
import manifest from "../package.json" with { type: "json" }
import { commands, described } from "./commands.ts"
import { valuesLine } from "./completing.ts"
import { completionScript } from "./completionScript.ts"
import { ExitCode } from "./console/ExitCode.ts"
import { layerPresenter, report } from "./console/report.ts"

const completions = GlobalFlag.Action({
  flag: GlobalFlag.Completions.flag,
  run: (shell) =>
    Option.match(shell, {
      onNone: () => Effect.void,
      onSome: (chosen) => Console.log(completionScript(chosen, described))
    })
})

const layerCommandLine = CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, completions] })

/** Longer than this nobody waits for a key. */
const patience = "3 seconds"

/** Prints what may stand in the place of the last word, for shells. Whatever goes wrong, it says nothing. */
const complete = (words: ReadonlyArray<string>) => {
  const line = valuesLine(described, words)
  if (line === null) return Effect.succeed<number>(ExitCode.ok)
  return Command.runWith(
    commands,
    manifest
  )([...line, "--log-level", "none"]).pipe(
    Effect.timeoutOption(patience),
    Effect.ignoreCause,
    Effect.as<number>(ExitCode.ok),
    Effect.provide([layerCommandLine, CliOutput.layerPresenter({ present: () => Effect.void })])
  )
}

const execute = (args: ReadonlyArray<string>) =>
  Command.runWith(
    commands,
    manifest
  )(args).pipe(
    Effect.as<number>(ExitCode.ok),
    Effect.catchCause(report),
    Effect.provide([layerCommandLine, layerPresenter])
  )

/** Runs a command line to its end: prints what it says, and gives its exit code. */
export const run = (args: ReadonlyArray<string>) =>
  args[0] === "complete" && args[1] === "--" ? complete(args.slice(2)) : execute(args)
