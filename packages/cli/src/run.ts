import { Effect } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"
import manifest from "../package.json" with { type: "json" }
import { commands } from "./commands.ts"
import { ExitCode } from "./console/ExitCode.ts"
import { layerPresenter, report } from "./console/report.ts"

const layerCommandLine = CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] })

/** Runs a command line to its end: prints what it says, and gives its exit code. */
export const run = (args: ReadonlyArray<string>) =>
  Command.runWith(
    commands,
    manifest
  )(args).pipe(
    Effect.as<number>(ExitCode.ok),
    Effect.catchCause(report),
    Effect.provide([layerCommandLine, layerPresenter])
  )
