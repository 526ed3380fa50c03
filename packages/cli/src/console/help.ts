import { Console, Effect } from "effect"
import { CliOutput, type HelpDoc, TerminalCapabilities } from "effect/cli"

/** Lists the shared flags as global flags of the root command. Other commands refer to them. */
const withGlobalFlags = ({ flags, globalFlags = [], inheritedFlags = [], ...doc }: HelpDoc.HelpDoc) =>
  doc.commandPath?.length === 1
    ? { ...doc, flags: [], globalFlags: [...flags, ...globalFlags] }
    : { ...doc, flags, globalFlags: [...inheritedFlags, ...globalFlags] }

/** Prints the help of a command. */
export const presentHelp = Effect.fnUntraced(function* (doc: HelpDoc.HelpDoc) {
  const { canColor } = yield* TerminalCapabilities.TerminalCapabilities
  const formatter = CliOutput.defaultFormatter({ colors: canColor, globalFlags: "summary" })
  yield* Console.log(formatter.formatHelpDoc(withGlobalFlags(doc)))
})
