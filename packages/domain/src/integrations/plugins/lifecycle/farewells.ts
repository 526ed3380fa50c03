import { Effect } from "effect"
import { CurrentOrganization, sealedFor } from "../../../kernel/index.ts"

/** The last call to an uninstalled plugin. Sealed as one text, with its URL and its signing secrets. */
export const farewells = sealedFor(
  "plugin_call/farewell",
  { kind: "never_sent", reason: "It signs the last call, whose URL is sealed with it." },
  () => Effect.map(CurrentOrganization, ({ id }) => `plugin_farewell/${id}`)
)
