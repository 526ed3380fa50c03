import { Effect } from "effect"
import { Prompt, TerminalCapabilities } from "effect/cli"
import { WrongUsage } from "@parley/service/configuration"
import { Refused } from "./Failure.ts"

/** Asks before something is destroyed. Where nobody can be asked, only `--yes` lets it pass. */
export const confirm = Effect.fnUntraced(function* (question: string, yes: boolean) {
  if (yes) return
  const { canPrompt } = yield* TerminalCapabilities.TerminalCapabilities
  if (!canPrompt) return yield* new WrongUsage({ message: `${question} Repeat the command with --yes to do it.` })
  const agreed = yield* Prompt.run(Prompt.Confirm({ message: question }))
  if (!agreed) return yield* new Refused({ message: "Nothing was changed." })
})
