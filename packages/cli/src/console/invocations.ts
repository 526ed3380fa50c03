import { Assets } from "@parley/domain/kernel"
import { Effect } from "effect"

/** Scripts of the repository. */
const scripts: ReadonlyMap<string, string> = new Map([
  ["demo", "npm start"],
  ["demo emails", "npm run -s emails"],
  ["docs-link", "npm run -s docs-link"],
  ["inbox", "npm run -s inbox"]
])

/** Returns how users run a command: by its name in an installation, through npm in the repository. */
export const invocations = Effect.map(
  Assets,
  (assets) => (command: string) =>
    assets === null ? (scripts.get(command) ?? `npm run -s parley -- ${command}`) : `parley ${command}`
)
