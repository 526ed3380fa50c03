import type { Promised } from "../../promises.ts"

/** What is promised of the use cases of this area. */
export const promised: Promised = {
  policy: `
use case   | who may    | plan gate
audit.list | audit.read | -
`,
  access: `
use case   | stranger | viewer | agent | admin | owner | token | operator
audit.list | -        | -      | -     | yes   | yes   | yes   | yes
`,
  traceless: ["audit.list"]
}
