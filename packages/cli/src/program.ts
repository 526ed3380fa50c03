import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Exit, type Runtime, Stdio } from "effect"
import { ExitCode } from "./console/Failure.ts"
import { run } from "./run.ts"

const end: Runtime.Teardown = (exit, onExit) =>
  onExit(
    Exit.isSuccess(exit) && typeof exit.value === "number"
      ? exit.value
      : Number(process.exitCode ?? ExitCode.interrupted)
  )

const program = Effect.flatMap(Stdio.Stdio, ({ args }) => Effect.flatMap(args, run))

NodeRuntime.runMain(Effect.provide(program, NodeServices.layer), { disableErrorReporting: true, teardown: end })
