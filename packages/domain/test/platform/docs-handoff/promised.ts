import type { Promised } from "../../promises.ts"

/** What is promised of the use cases of this area. */
export const promised: Promised = {
  policy: `
use case               | who may      | plan gate
docsHandoff.exchange   | public       | -
docsHandoff.getSession | public       | -
docsHandoff.handOff    | docs.handoff | -
`,
  access: `
use case               | stranger | viewer | agent | admin | owner | token | operator
docsHandoff.exchange   | yes      | yes    | yes   | yes   | yes   | yes   | yes
docsHandoff.getSession | yes      | yes    | yes   | yes   | yes   | yes   | yes
docsHandoff.handOff    | -        | yes    | yes   | yes   | yes   | -     | -
`,
  traceless: ["docsHandoff.exchange", "docsHandoff.getSession", "docsHandoff.handOff"],
  withSecrets: ["docsHandoff.exchange", "docsHandoff.handOff"]
}
