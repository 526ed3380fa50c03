#!/usr/bin/env node
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Exit, type Runtime } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"
import { commands } from "./commands.ts"
import { ExitCode } from "./console/ExitCode.ts"
import { layerPresenter, report } from "./console/report.ts"
import manifest from "../package.json" with { type: "json" }

const teardown: Runtime.Teardown = (exit, onExit) =>
  onExit(Exit.isSuccess(exit) && typeof exit.value === "number" ? exit.value : Number(process.exitCode ?? ExitCode.interrupted))

const layerCommandLine = CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] })

Command.run(commands, { version: manifest.version }).pipe(
  Effect.as(ExitCode.ok),
  Effect.catchCause(report),
  Effect.provide([layerCommandLine, layerPresenter, NodeServices.layer]),
  (program) => NodeRuntime.runMain(program, {
    disableErrorReporting: true,
    teardown
  })
)
