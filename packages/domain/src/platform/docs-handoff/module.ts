import { Effect } from "effect"
import { defineArea, defineCredentials } from "../../kernel/index.ts"
import { sweepOrganizations } from "../background/index.ts"
import { DocsCodeRedemption, DocsCodes } from "./DocsCodes.ts"

const docsHandoffStorage = [DocsCodeRedemption, DocsCodes] as const

/** Deletes expired codes. */
export const docsHandoffTasks = [
  sweepOrganizations(
    "docs codes",
    Effect.flatMap(DocsCodes, (codes) => codes.sweep())
  )
] as const

export const docsHandoffArea = defineArea({
  name: "platform/docs-handoff",
  storage: docsHandoffStorage,
  permissions: ["docs.handoff"],
  backgroundTasks: docsHandoffTasks,
  credentials: defineCredentials(
    { name: "docs code", parent: { kind: "credential", name: "session" } },
    { name: "docs session", parent: { kind: "credential", name: "session" } }
  )
})
