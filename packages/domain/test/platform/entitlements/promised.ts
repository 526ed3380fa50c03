import type { Promised } from "../../promises.ts"

/** What is promised of the use cases of this area. */
export const promised: Promised = {
  policy: `
use case         | who may           | plan gate
entitlements.get | organization.read | -
`,
  access: `
use case         | stranger | viewer | agent | admin | owner | token | operator
entitlements.get | -        | yes    | yes   | yes   | yes   | yes   | yes
`,
  traceless: ["entitlements.get"]
}
