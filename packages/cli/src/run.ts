import { Assets } from "@parley/domain/kernel"
import { Console, Effect, Option } from "effect"
import { CliConfig, CliOutput, Command, Completions, GlobalFlag } from "effect/cli"
import manifest from "../package.json" with { type: "json" }
import { findAssets } from "./assets.ts"
import { commandNameOf, loadCommandsFor } from "./commands.ts"
import { completionsOf } from "./completing.ts"
import { completionScript } from "./completionScript.ts"
import { ExitCode, layerPresenter, report } from "./console/Failure.ts"

const completions = GlobalFlag.Action({
  flag: GlobalFlag.Completions.flag,
  run: (shell) =>
    Option.match(shell, {
      onNone: () => Effect.void,
      onSome: (chosen) => Console.log(completionScript(chosen))
    })
})

const layerCommandLine = CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, completions] })

/** The maximum time for the values of one completion. */
const completionTimeout = "3 seconds"

const printValues = Effect.fnUntraced(function* (args: ReadonlyArray<string>) {
  const commands = yield* loadCommandsFor(args)
  yield* Command.runWith(
    commands,
    manifest
  )([...args, "--log-level", "none"]).pipe(
    Effect.timeoutOption(completionTimeout),
    Effect.ignoreCause,
    Effect.provide([layerCommandLine, CliOutput.layerPresenter({ present: () => Effect.void })])
  )
})

/** Prints the completions of the last word, for shells. It prints nothing on an error. */
const complete = Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
  const tree = Completions.fromCommand(yield* loadCommandsFor(words.slice(0, -1)))
  const found = completionsOf(tree, words, commandNameOf)
  if (found?.kind === "candidates") yield* Effect.forEach(found.lines, (line) => Console.log(line), { discard: true })
  if (found?.kind === "values") yield* printValues(found.args)
  return ExitCode.ok as number
})

const execute = Effect.fnUntraced(function* (args: ReadonlyArray<string>) {
  const commands = yield* loadCommandsFor(args)
  return yield* Command.runWith(
    commands,
    manifest
  )(args).pipe(
    Effect.provideServiceEffect(Assets, findAssets),
    Effect.as<number>(ExitCode.ok),
    Effect.catchCause(report),
    Effect.provide([layerCommandLine, layerPresenter])
  )
})

/** Runs a command line to its end and returns its exit code. */
export const run = (args: ReadonlyArray<string>) =>
  args[0] === "complete" && args[1] === "--" ? complete(args.slice(2)) : execute(args)
