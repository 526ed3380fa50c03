import { defineArea, defineCredentials } from "../../kernel/index.ts"
import { docsHandoffStorage } from "./Storage.ts"
import { docsHandoffWorks } from "./work.ts"

/** What this area says of itself. */
export const docsHandoffArea = defineArea({
  name: "platform/docs-handoff",
  storage: docsHandoffStorage,
  permissions: ["docs.handoff"],
  works: docsHandoffWorks,
  credentials: defineCredentials(
    { name: "docs code", parent: { kind: "credential", name: "session" } },
    { name: "docs session", parent: { kind: "credential", name: "session" } }
  )
})
