import type { Promised } from "../Promised.ts"

/** What is promised of the endpoints of this area. */
export const promised: Promised = {
  answers: `
endpoint           | needs          | nobody | token | viewer | agent | admin | owner
analytics.overview | analytics.read | 401    | no    | 200    | 200   | 200   | 200
analytics.series | analytics.read | 401    | no    | 200    | 200   | 200   | 200
analytics.agents | analytics.read | 401    | no    | 200    | 200   | 200   | 200
analytics.broadcasts | analytics.read | 401    | no    | 200    | 200   | 200   | 200
analytics.heatmap | analytics.read | 401    | no    | 200    | 200   | 200   | 200
analytics.live | analytics.read | 401    | no    | 200    | 200   | 200   | 200
`,
  trails: {}
}
