import type { Promised } from "../../promises.ts"

/** What is promised of the use cases of this area. */
export const promised: Promised = {
  policy: `
use case               | who may  | plan gate
operations.showWorkers | operator | -
`,
  access: `
use case               | stranger | viewer | agent | admin | owner | token | operator
operations.showWorkers | -        | -      | -     | -     | -     | -     | yes
`,
  traceless: ["operations.showWorkers"]
}
