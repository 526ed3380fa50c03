import { Console } from "effect"
import { Argument, Command } from "effect/cli"
import { completionScript, shells } from "../completionScript.ts"

export const completions = Command.make(
  "completions",
  { shell: Argument.Literals("shell", shells).pipe(Argument.withDescription("Shell of the script")) },
  ({ shell }) => Console.log(completionScript(shell))
).pipe(Command.withExamples([{ command: "source <(parley completions bash)" }]))
