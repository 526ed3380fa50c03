import { defineArea } from "../kernel/index.ts"
import { docsHandoffWorks } from "./work.ts"

/** What this area says of itself. */
export const docsHandoffArea = defineArea({
  name: "docs-handoff",
  permissions: ["docs.handoff"],
  works: docsHandoffWorks
})
