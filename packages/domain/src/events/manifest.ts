import { defineArea } from "../kernel/index.ts"
import { eventsWorks } from "./work.ts"

/** What this area says of itself. */
export const eventsArea = defineArea({
  name: "events",
  permissions: ["events.read"],
  works: eventsWorks
})
