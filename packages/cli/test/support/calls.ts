import { Effect } from "effect"
import { Completions } from "effect/cli"
import { loadCommands } from "../../src/commands.ts"

const tree = Completions.fromCommand(await Effect.runPromise(loadCommands))

/** Flags that the library adds to each command. */
const builtIn = ["help", "version", "log-level"]

const flagsOf = ({ flags }: Completions.CommandDescriptor) => flags.map(({ name }) => name)

/**
 * Returns the first word of a call of `parley` that is no command and no flag, or `null`. Values of flags and arguments are not
 * checked.
 */
export const unknownWordIn = (words: ReadonlyArray<string>): string | null => {
  let command = tree
  const flags = new Set([...builtIn, ...flagsOf(tree)])
  for (const word of words) {
    const [, flag] = /^--(?<name>[\w-]+)/u.exec(word) ?? []
    if (flag !== undefined) {
      if (!flags.has(flag)) return word
      continue
    }
    const next = command.subcommands.find(({ name }) => name === word)
    if (next === undefined) {
      if (command.subcommands.length > 0 && command.arguments.length === 0) return word
      continue
    }
    command = next
    for (const name of flagsOf(command)) flags.add(name)
  }
  return null
}
