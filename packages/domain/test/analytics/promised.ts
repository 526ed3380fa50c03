import type { Promised } from "../promises.ts"

/** What is promised of the use cases of this area. */
export const promised: Promised = {
  policy: `
use case           | who may        | plan gate
analytics.check    | operator       | -
analytics.overview | analytics.read | -
analytics.agents | analytics.read | -
analytics.broadcasts | analytics.read | -
analytics.heatmap | analytics.read | -
analytics.live | analytics.read | -
analytics.series | analytics.read | -
analytics.rebuild  | operator       | -
`,
  access: `
use case           | stranger | viewer | agent | admin | owner | token | operator
analytics.check    | -        | -      | -     | -     | -     | -     | yes
analytics.overview | -        | yes    | yes   | yes   | yes   | yes   | yes
analytics.agents | -        | yes    | yes   | yes   | yes   | yes   | yes
analytics.broadcasts | -        | yes    | yes   | yes   | yes   | yes   | yes
analytics.heatmap | -        | yes    | yes   | yes   | yes   | yes   | yes
analytics.live | -        | yes    | yes   | yes   | yes   | yes   | yes
analytics.series | -        | yes    | yes   | yes   | yes   | yes   | yes
analytics.rebuild  | -        | -      | -     | -     | -     | -     | yes
`,
  trails: `
use case          | audit event       | event
analytics.rebuild | analytics.rebuilt | -
`,
  traceless: [
    "analytics.check",
    "analytics.overview",
    "analytics.agents",
    "analytics.broadcasts",
    "analytics.heatmap",
    "analytics.live",
    "analytics.series"
  ]
}
