import { defineArea } from "../kernel/index.ts"
import { erasedHolding } from "./erasedHolding.ts"
import { orderHolding } from "./orderHolding.ts"
import { analyticsReactions } from "./Reactions.ts"
import { analyticsStorage } from "./Storage.ts"
import { analyticsWorks } from "./work.ts"

/** What this area says of itself. */
export const analyticsArea = defineArea({
  name: "analytics",
  storage: analyticsStorage,
  permissions: ["analytics.read", "agent_analytics.read"],
  reactions: analyticsReactions,
  works: analyticsWorks,
  contactHoldings: [erasedHolding],
  orderHoldings: [orderHolding]
})
