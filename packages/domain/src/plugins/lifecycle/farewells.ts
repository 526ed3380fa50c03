import { Effect } from "effect"
import { CurrentOrganization, sealedFor } from "../../kernel/index.ts"

/** The last call to an uninstalled plugin. It is sealed whole: the URL and the secrets that sign for it stand in one text. */
export const farewells = sealedFor(
  "plugin_call/farewell",
  { kind: "never_sent", reason: "It signs the last call, whose URL is sealed with it." },
  () => Effect.map(CurrentOrganization, ({ id }) => `plugin_farewell/${id}`)
)
