import { Effect } from "effect"
import { Command } from "effect/cli"
import { commandTable } from "./commandTable.ts"
import { parley } from "./parley.ts"

type Group = (typeof commandTable)[number]
type Entry = Group["commands"][number]

const isUnlisted = ({ name }: Entry) => name === "values"

const aliasOf = (entry: Entry): string | null => ("alias" in entry ? entry.alias : null)

type Any = Command.Command<string, object, object, unknown, never>

/** Adds the description and the alias of the table. The root command provides the services of each command, so their types do not matter here. */
const listed = (entry: Entry, command: Command.Command.Any): Any => {
  const described = Command.withDescription(command as Any, entry.description)
  const alias = aliasOf(entry)
  const aliased = alias === null ? described : Command.withAlias(described, alias)
  return isUnlisted(entry) ? Command.unlisted(aliased) : aliased
}

/** A command without a handler, for help and suggestions. */
const placeholder = (entry: Entry) => listed(entry, Command.make(entry.name))

const loadEntry = async (entry: Entry) => listed(entry, await entry.load())

const loadTree = (isNeeded: (entry: Entry) => boolean) =>
  Effect.promise(async () => {
    const groups = await Promise.all(
      commandTable.map(async ({ commands, group }) => ({
        group,
        commands: await Promise.all(commands.map((entry) => (isNeeded(entry) ? loadEntry(entry) : placeholder(entry))))
      }))
    )
    return parley.pipe(Command.withSubcommands(groups))
  })

/** The command tree with all commands. */
export const loadCommands = loadTree(() => true)

/** The command tree for one command line: commands that the line does not name have no handler and no subcommands. */
export const loadCommandsFor = (args: ReadonlyArray<string>) => {
  const words = new Set(args)
  return loadTree((entry) => words.has(entry.name) || words.has(aliasOf(entry) ?? entry.name))
}

const namesByAlias: ReadonlyMap<string, string> = new Map(
  commandTable
    .flatMap(({ commands }): ReadonlyArray<Entry> => commands)
    .flatMap((entry) => {
      const alias = aliasOf(entry)
      return alias === null ? [] : [[alias, entry.name] as const]
    })
)

/** Returns the name of a top-level command for its alias. */
export const commandNameOf = (word: string): string => namesByAlias.get(word) ?? word
