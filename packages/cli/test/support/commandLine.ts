import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Effect, Layer, Schema, Stdio, Stream } from "effect"
import { TerminalCapabilities } from "effect/cli"
import { TestConsole } from "effect/testing"
import { run } from "../../src/run.ts"

/** Output and exit code of a command line. */
export interface Outcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

export type Environment = Readonly<Record<string, string>>

const terminal = { canPrompt: false, canColor: false, canAnimate: false }

const layerOf = (environment: Environment, input: string, stdoutIsTerminal: boolean) =>
  Layer.mergeAll(
    TestConsole.layer,
    NodeServices.layer,
    Stdio.layerTest({
      stdin: Stream.make(new TextEncoder().encode(input)),
      stdoutIsTerminal: Effect.succeed(stdoutIsTerminal)
    }),
    Layer.succeed(TerminalCapabilities.TerminalCapabilities, terminal),
    ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment))
  )

/** Runs command lines in this process with a separate environment. A terminal can show the output, but it cannot prompt. */
export const commandLine = (environment: Environment, stdoutIsTerminal = false) => {
  const runWithInput = (input: string, ...args: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const code = yield* run(args)
      const out = (yield* TestConsole.logLines).join("\n")
      const err = (yield* TestConsole.errorLines).join("\n")
      return { code, out, err } satisfies Outcome
    }).pipe(Effect.provide(Layer.fresh(layerOf(environment, input, stdoutIsTerminal))))
  /** Starts a command that runs until its interruption. Its output is readable meanwhile. */
  const started = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
    const context = yield* Layer.build(Layer.fresh(layerOf(environment, "", stdoutIsTerminal)))
    const linesOf = (lines: Effect.Effect<ReadonlyArray<unknown>>) => Effect.map(lines, (all) => all.join("\n"))
    return {
      fiber: yield* Effect.forkScoped(Effect.provide(run(args), context)),
      out: linesOf(TestConsole.logLines.pipe(Effect.provide(context))),
      err: linesOf(TestConsole.errorLines.pipe(Effect.provide(context)))
    }
  })
  return {
    started,
    parley: (...args: ReadonlyArray<string>) => runWithInput("", ...args),
    parleyWithInput: runWithInput
  }
}

/** Reads what `--json` printed. It must have the shape of the schema. */
export const printed = <A>(schema: Schema.ConstraintDecoder<A>, { out }: Outcome) =>
  Schema.decodeEffect(Schema.fromJsonString(Schema.toCodecJson(schema)))(out, { onExcessProperty: "error" })
