import type { Completions } from "effect/cli"

/** Kinds of values with completions. */
export const kinds = [
  "broadcasts",
  "chat-accounts",
  "conversations",
  "deliveries",
  "members",
  "organizations",
  "profiles",
  "tokens",
  "users"
] as const
export type Kind = (typeof kinds)[number]

const kindsOfFlags: Readonly<Record<string, Kind>> = {
  as: "members",
  "chat-account": "chat-accounts",
  org: "organizations",
  profile: "profiles"
}

const kindsOfArguments: Readonly<Record<string, Kind>> = {
  account: "chat-accounts",
  broadcast: "broadcasts",
  conversation: "conversations",
  delivery: "deliveries",
  member: "members",
  organization: "organizations",
  token: "tokens",
  user: "users"
}

/** Flags that select where values are searched. */
const carried: ReadonlySet<string> = new Set(["org", "server", "profile", "data-dir", "database-url", "config-dir"])

const takesValue = ({ optionalValue, type }: Completions.FlagDescriptor) =>
  type._tag !== "Boolean" && optionalValue !== true

const splitAt = (word: string): readonly [name: string, value: string | null] => {
  const at = word.indexOf("=")
  return at === -1 ? [word, null] : [word.slice(0, at), word.slice(at + 1)]
}

/** Completions of the last word: candidates of the command tree, or the command line that prints values; else `null`. */
export type Completing =
  | { readonly kind: "candidates"; readonly lines: ReadonlyArray<string> }
  | { readonly kind: "values"; readonly args: ReadonlyArray<string> }

/** A candidate, and after a tab its description. */
const candidate = (value: string, description: string | undefined) =>
  description === undefined ? value : `${value}\t${description.split("\n", 1)[0]}`

const choicesOf = (
  described: Completions.FlagDescriptor | Completions.ArgumentDescriptor | undefined
): ReadonlyArray<string> | null => (described?.type._tag === "Choice" ? described.type.values : null)

/** The argument at this position. A variadic argument takes all further words. */
const argumentAt = ({ arguments: all }: Completions.CommandDescriptor, position: number) => {
  const last = all.at(-1)
  return all[position] ?? (last?.variadic === true ? last : undefined)
}

/** Finds the completions of the last of these words. `nameOf` resolves the alias of a top-level command. */
export const completionsOf = (
  tree: Completions.CommandDescriptor,
  words: ReadonlyArray<string>,
  nameOf: (alias: string) => string
): Completing | null => {
  let command = tree
  let position = 0
  let open: string | null = null
  const path: Array<string> = []
  const passed: Array<string> = []

  const flagsOf = () => [...command.flags, ...tree.flags]
  const flagOf = (word: string) => {
    const name = word.replace(/^--?/, "")
    return flagsOf().find((flag) => flag.name === name || flag.aliases.includes(name))
  }

  for (const word of words.slice(0, -1)) {
    if (open !== null) {
      if (carried.has(open)) passed.push(`--${open}`, word)
      open = null
    } else if (/^-./.test(word)) {
      const [typed, value] = splitAt(word)
      const flag = flagOf(typed)
      if (flag === undefined || !takesValue(flag)) continue
      if (value === null) open = flag.name
      else if (carried.has(flag.name)) passed.push(`--${flag.name}`, value)
    } else {
      const typedName = path.length === 0 ? nameOf(word) : word
      const child = position === 0 ? command.subcommands.find(({ name }) => name === typedName) : undefined
      if (child === undefined) position += 1
      else {
        command = child
        path.push(typedName)
      }
    }
  }

  const last = words.at(-1) ?? ""
  const [typed, attached] = splitAt(last)
  if (open === null && last.startsWith("-")) {
    if (attached === null) {
      const flags = new Map(flagsOf().map((flag) => [flag.name, flag.description]))
      const lines = [...flags].map(([name, description]) => candidate(`--${name}`, description))
      return { kind: "candidates", lines: lines.filter((line) => line.startsWith(last)) }
    }
    open = flagOf(typed)?.name ?? null
  }
  if (open === null && position === 0 && command.subcommands.length > 0) {
    const lines = command.subcommands.map(({ description, name }) => candidate(name, description))
    return { kind: "candidates", lines: lines.filter((line) => line.startsWith(last)) }
  }
  const argument = open === null && !last.startsWith("-") ? argumentAt(command, position) : undefined
  const choices = choicesOf(open === null ? argument : flagOf(open))
  if (choices !== null) {
    const value = last.startsWith("-") ? (attached ?? "") : last
    return { kind: "candidates", lines: choices.filter((choice) => choice.startsWith(value)) }
  }
  const isProfile = argument?.name === "name" && path[0] === "profiles"
  const kind = open === null ? (isProfile ? "profiles" : kindsOfArguments[argument?.name ?? ""]) : kindsOfFlags[open]
  return kind === undefined ? null : { kind: "values", args: ["values", kind, ...passed] }
}
