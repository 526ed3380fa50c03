import { defineArea, defineCredentials } from "../../kernel/index.ts"
import { eventsStorage } from "./Storage.ts"
import { eventsWorks } from "./work.ts"

/** What this area says of itself. */
export const eventsArea = defineArea({
  name: "platform/events",
  storage: eventsStorage,
  permissions: ["events.read"],
  works: eventsWorks,
  credentials: defineCredentials({
    name: "event stream",
    parent: {
      kind: "record",
      name: "caller",
      reason: "It asks twice a second whether the session or token is admitted."
    }
  })
})
